// Descriptors of expand for all of its pipelines.
#include "descriptors.hpp"
#include "vkprims/expand.hpp"

namespace vkprims::pipelines {
namespace {

const RegisterDescriptors kExpand([](const WarmUp& warm) {
  for (const ExpandInput input : {ExpandInput::counts, ExpandInput::offsets}) {
    for (const IndexWidth in : {IndexWidth::u32, IndexWidth::u64}) {
      for (const IndexWidth width : {IndexWidth::u32, IndexWidth::u64}) {
        warm("expand", ExpandDesc{.input = input, .in_width = in, .index_width = width});
      }
    }
  }
});

}  // namespace
}  // namespace vkprims::pipelines

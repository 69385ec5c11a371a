// Descriptors of key_ranges for all of its pipelines.
#include "descriptors.hpp"
#include "vkprims/key_ranges.hpp"

namespace vkprims::pipelines {
namespace {

const RegisterDescriptors kKeyRanges([](const WarmUp& warm) {
  for (const Type type : {Type::u32, Type::u64}) {
    for (const IndexWidth width : {IndexWidth::u32, IndexWidth::u64}) {
      warm("key_ranges", KeyRangesDesc{.type = type, .index_width = width});
    }
  }
});

}  // namespace
}  // namespace vkprims::pipelines

// Descriptors of draw_args for its pipeline.
#include "descriptors.hpp"
#include "vkprims/draw_args.hpp"

namespace vkprims::pipelines {
namespace {

const RegisterDescriptors kDrawArgs([](const WarmUp& warm) {
  warm("draw_args", DrawArgsDesc{.count = 1});
});

}  // namespace
}  // namespace vkprims::pipelines

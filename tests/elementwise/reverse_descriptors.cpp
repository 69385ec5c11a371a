// Descriptors of reverse for all of its pipelines.
#include "descriptors.hpp"
#include "vkprims/reverse.hpp"

namespace vkprims::pipelines {
namespace {

const RegisterDescriptors kReverse([](const WarmUp& warm) {
  warm("reverse", ReverseDesc{.count = kAnyCount});
});

}  // namespace
}  // namespace vkprims::pipelines

// Calls of draw_args that must not compile.
#include "refused_types/refuses.hpp"

// clang-format off
void refused(Recorder& r) {
  REFUSES("draw_args: args must be a VkDrawIndirectCommand, a VkDrawIndexedIndirectCommand or std::uint32_t", draw_args(r, {}, u64));
}

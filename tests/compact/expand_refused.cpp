// Calls of expand that must not compile.
#include "refused_types/refuses.hpp"

// clang-format off
void refused(Recorder& r) {
  REFUSES("expand: in must hold std::uint32_t or std::uint64_t", expand(r, {}, f32, u32, u32));
  REFUSES("expand: indices and ranks must hold std::uint32_t or std::uint64_t", expand(r, {}, u32, i32, i32));
  REFUSES("expand: indices and ranks must hold std::uint32_t or std::uint64_t", expand(r, {}, u32, not_wanted, f32));
  REFUSES("expand: ranks must have indices' element type", expand(r, {}, u32, u32, u64));
}

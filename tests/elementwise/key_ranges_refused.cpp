// Calls of key_ranges that must not compile.
#include "refused_types/refuses.hpp"

// clang-format off
void refused(Recorder& r) {
  REFUSES("key_ranges: in must hold std::uint32_t or std::uint64_t", key_ranges(r, {}, f32, u32));
  REFUSES("key_ranges: out must hold std::uint32_t or std::uint64_t", key_ranges(r, {}, u32, f32));
}

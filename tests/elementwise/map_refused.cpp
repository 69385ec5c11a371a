// Calls of map that must not compile.
#include "refused_types/refuses.hpp"

const MapOf<std::tuple<std::uint32_t, Pair>, std::tuple<float>> own;

// clang-format off
void refused(Recorder& r) {
  REFUSES("map: there must be a buffer for each input and each output", map(r, own, {}, u32, pairs));
  REFUSES("map: each buffer must hold the elements that the function has there", map(r, own, {}, u32, pairs, u32));
  REFUSES("map: each buffer must hold the elements that the function has there", map(r, own, {}, u32, u64, f32));
}

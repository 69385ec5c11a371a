// Calls of reverse that must not compile.
#include "refused_types/refuses.hpp"

// clang-format off
void refused(Recorder& r) {
  REFUSES("reverse: in must hold elements of 1, 2, 4, 8 or 16 bytes", reverse(r, {}, pairs, pairs));
  REFUSES("reverse: out must have in's element type", reverse(r, {}, f32, u32));
}

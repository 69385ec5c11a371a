// Calls of select and partition by a predicate of the application's own that must not compile.
#include "refused_types/refuses.hpp"

const PredicateOf<std::uint32_t> own;

// clang-format off
void refused(Recorder& r) {
  REFUSES("select: in must hold elements of the predicate", select(r, own, {}, f32, u32, u64));
  REFUSES("select: out must hold elements of the predicate", select(r, own, {}, u32, i32, u64));
  REFUSES("select: selected_count must hold one std::uint64_t", select(r, own, {}, u32, u32, u32));
  REFUSES("partition: in and out must hold elements of the predicate", partition(r, own, {}, u64, u32, u32, u64));
  REFUSES("partition: rejected must hold elements of the predicate", partition(r, own, {}, u32, u32, f32, u64));
  REFUSES("partition: selected_count must hold one std::uint64_t", partition(r, own, {}, u32, u32, u32, f64));
}

// Calls that must not compile, each with the sentence that the compiler must say. Compiled by
// recorder_overloads_test.cpp, which compares; every call fails, so one run of the compiler does.
#include "refused_types/refuses.hpp"

// clang-format off
void refused(Recorder& r) {
  REFUSES("adjacent_difference: in must hold u32, i32, f32, u64, i64 or f64",
          adjacent_difference(r, {}, u8, u8));
  REFUSES("adjacent_difference: out must have in's element type",
          adjacent_difference(r, {}, u32, i32));
  REFUSES("arg_reduce: in must hold u32, i32, f32, u64, i64 or f64", arg_reduce(r, {}, pairs, u64));
  REFUSES("arg_reduce: index must hold one std::uint64_t", arg_reduce(r, {}, f32, u32));
  REFUSES("arg_reduce: value must have in's element type", arg_reduce(r, {}, f32, u64, f64));
  REFUSES("argsort: in must hold u32, i32, f32, u64, i64 or f64", argsort(r, {}, u16, u32));
  REFUSES("argsort: out must hold std::uint32_t or std::uint64_t", argsort(r, {}, u32, f32));
  REFUSES("argsort: keys_out must have in's element type", argsort(r, {}, u32, u32, i32));
  REFUSES("copy: in must hold elements of 1, 2, 4, 8 or 16 bytes", copy(r, {}, pairs, pairs));
  REFUSES("copy: out must have in's element type", copy(r, {}, f32, u32));
  REFUSES("dispatch_args: args must be a VkDispatchIndirectCommand or std::uint32_t",
          dispatch_args(r, {}, u64));
  REFUSES("dropout: elements must be float, double or of 16 bits", dropout(r, {}, u32, u32));
  REFUSES("dropout: out must have the element type of the input", dropout(r, {}, f32, f64));
  REFUSES("an optional buffer must have the element type of the input",
          dropout(r, {}, f32, f32, {.bias = f64}));
  REFUSES("a mask must be bytes, or bits in words of std::uint32_t",
          dropout(r, {}, f32, f32, {.mask = u64}));
  REFUSES("dropout: elements must be float, double or of 16 bits",
          dropout_backward(r, {}, i64, i64));
  REFUSES("an optional buffer must have the element type of the input",
          dropout_backward(r, {}, f64, f64, {.bias_gradient = f32}));
  REFUSES("fill: out must hold elements of 1, 2, 4, 8 or 16 bytes", fill(r, {}, pairs));
  REFUSES("gather: in must hold elements of 1, 2, 4, 8 or 16 bytes",
          gather(r, {}, pairs, u32, pairs));
  REFUSES("gather: indices must hold std::uint32_t or std::uint64_t", gather(r, {}, f32, i32, f32));
  REFUSES("gather: out must have in's element type", gather(r, {}, f32, u32, u32));
  REFUSES("a report must be a vkprims::DeviceReport", gather(r, {}, f64, u32, f64, u64));
  REFUSES("histogram: in must hold integers of 8, 16 or 32 bits or float",
          histogram(r, {}, u64, u32));
  REFUSES("histogram: in must hold integers of 8, 16 or 32 bits or float",
          histogram(r, {}, flags, u32));
  REFUSES("histogram: out must hold std::uint32_t or std::uint64_t", histogram(r, {}, u8, f32));
  REFUSES("histogram: levels must be float for samples of float, std::int32_t for those with a sign, else std::uint32_t",
          histogram(r, {}, u8, u32, f32));
  REFUSES("histogram: levels must be float for samples of float, std::int32_t for those with a sign, else std::uint32_t",
          histogram(r, {}, i8, u32, u32));
  REFUSES("iota: out must hold u32, i32, f32, u64, i64 or f64", iota(r, {}, flags));
  REFUSES("merge: a must hold u32, i32, f32, u64, i64 or f64", merge(r, {}, u8, u8, u8));
  REFUSES("merge: b and out must have a's element type", merge(r, {}, u32, i32, u32));
  REFUSES("merge: b and out must have a's element type", merge(r, {}, u32, u32, i32));
  REFUSES("merge: b_values and out_values must have a_values' element type",
          merge(r, {}, u32, u32, u32, u32, u64, u32));
  REFUSES("merge: values must have 4 or 8 bytes", merge(r, {}, u32, u32, u32, u8, u8, u8));
  REFUSES("an optional number must be one std::uint64_t",
          merge(r, {}, f32, f32, f32, {.count_out = u32}));
  REFUSES("nearest_smaller: keys must hold u32, i32, f32, u64, i64 or f64",
          nearest_smaller(r, {}, u8, u32));
  REFUSES("nearest_smaller: out must hold std::uint32_t or std::uint64_t",
          nearest_smaller(r, {}, f32, i64));
  REFUSES("partition: in must hold u32, i32, f32, u64, i64 or f64",
          partition(r, {}, u8, u8, u8, u64));
  REFUSES("partition: out and rejected must have in's element type",
          partition(r, {}, u32, u32, i32, u64));
  REFUSES("partition: selected_count must hold one std::uint64_t",
          partition(r, {}, f32, f32, f32, u32));
  REFUSES("partition: in must hold elements of 4, 8 or 16 bytes",
          partition(r, {}, u8, u8, u8, u8, u64));
  REFUSES("partition: flags must be bytes, or bits in words of std::uint32_t",
          partition(r, {}, u32, u64, u32, u32, u64));
  REFUSES("partition: out and rejected must have in's element type",
          partition(r, {}, u32, u8, f32, u32, u64));
  REFUSES("radix_sort: in must hold u32, i32, f32, u64, i64 or f64", radix_sort(r, {}, u8, u8));
  REFUSES("radix_sort: out must have in's element type", radix_sort(r, {}, i32, u32));
  REFUSES("radix_sort: out must have in's element type", radix_sort(r, {}, i64, u64, u8, u8));
  REFUSES("radix_sort: values must have 1, 2, 4, 8 or 16 bytes",
          radix_sort(r, {}, u32, u32, pairs, pairs));
  REFUSES("radix_sort: values_out must have values_in's element type",
          radix_sort(r, {}, u32, u32, u32, f32));
  REFUSES("random: out must hold bytes, u32, i32, f32, u64, i64 or f64", random(r, {}, u16));
  REFUSES("reduce: in must hold u32, i32, f32, u64, i64 or f64", reduce(r, {}, u8, u8));
  REFUSES("reduce: out must have in's element type", reduce(r, {}, u32, u64));
  REFUSES("reduce_by_key: keys must hold u32, i32, f32, u64, i64 or f64",
          reduce_by_key(r, {}, u8, u32, u8, u32, u64));
  REFUSES("reduce_by_key: in must hold u32, i32, f32, u64, i64 or f64",
          reduce_by_key(r, {}, u32, u8, u32, u8, u64));
  REFUSES("reduce_by_key: out_keys must have keys' element type",
          reduce_by_key(r, {}, u32, f32, i32, f32, u64));
  REFUSES("reduce_by_key: out must have in's element type",
          reduce_by_key(r, {}, u32, f32, u32, f64, u64));
  REFUSES("reduce_by_key: run_count must hold one std::uint64_t",
          reduce_by_key(r, {}, u32, f32, u32, f32, u32));
  REFUSES("rng_advance: state must be a vkprims::DeviceRngState", rng_advance(r, {}, u64));
  REFUSES("rolling: in must hold u32, i32, f32, u64, i64 or f64", rolling(r, {}, u8, u32));
  REFUSES("rolling: out must hold u32, i32, f32, u64, i64 or f64", rolling(r, {}, u32, u16));
  REFUSES("rolling: in and out must hold elements of the monoid",
          rolling(r, MonoidOf<std::uint64_t>(), {}, u64, u32));
  REFUSES("bits must lie in words of std::uint32_t", rolling(r, {}, u32, u32, {.validity = u8}));
  REFUSES("indices and offsets must be std::uint32_t or std::uint64_t",
          rolling(r, {}, f32, f32, {.offsets = i32}));
  REFUSES("run_length_encode: in must hold u32, i32, f32, u64, i64 or f64",
          run_length_encode(r, {}, u8, u8, u32, u64));
  REFUSES("run_length_encode: out must have in's element type",
          run_length_encode(r, {}, f32, u32, u32, u64));
  REFUSES("run_length_encode: lengths must hold std::uint32_t or std::uint64_t",
          run_length_encode(r, {}, f32, f32, f32, u64));
  REFUSES("run_length_encode: run_count must hold one std::uint64_t",
          run_length_encode(r, {}, f32, f32, u32, u32));
  REFUSES("scan: out must hold u32, i32, f32, u64, i64 or f64", scan(r, {}, u8, u8));
  REFUSES("scan: in must have out's element type, or hold std::uint8_t or std::uint16_t and out integers",
          scan(r, {}, f32, u32));
  REFUSES("scan: in must have out's element type, or hold std::uint8_t or std::uint16_t and out integers",
          scan(r, {}, i8, i32));
  REFUSES("scan: in must have out's element type, or hold std::uint8_t or std::uint16_t and out integers",
          scan(r, {}, u8, f32));
  REFUSES("scan: in must have out's element type, or hold std::uint8_t or std::uint16_t and out integers",
          scan(r, {}, flags, u32));
  REFUSES("scan_by_key: keys must hold u32, i32, f32, u64, i64 or f64",
          scan_by_key(r, {}, u8, u32, u32));
  REFUSES("scan_by_key: in must hold u32, i32, f32, u64, i64 or f64",
          scan_by_key(r, {}, u32, u8, u8));
  REFUSES("scan_by_key: out must have in's element type", scan_by_key(r, {}, u32, f32, f64));
  REFUSES("an optional number must be one std::uint64_t",
          scan_by_key(r, {}, u32, f32, f32, f32));
  REFUSES("scatter: out must hold elements of 1, 2, 4, 8 or 16 bytes",
          scatter(r, {}, pairs, u32, pairs));
  REFUSES("scatter: indices must hold std::uint32_t or std::uint64_t",
          scatter(r, {}, f32, f32, f32));
  REFUSES("scatter: in must have out's element type", scatter(r, {}, i32, u32, u32));
  REFUSES("search: haystack must hold u32, i32, f32, u64, i64 or f64", search(r, {}, u8, u8, u32));
  REFUSES("search: needles must have haystack's element type", search(r, {}, f32, u32, u32));
  REFUSES("search: out must hold std::uint32_t or std::uint64_t", search(r, {}, f32, f32, i32));
  REFUSES("segmented_reduce: values must hold u32, i32, f32, u64, i64 or f64",
          segmented_reduce(r, {}, u8, u32, u8));
  REFUSES("segmented_reduce: offsets must hold std::uint32_t or std::uint64_t",
          segmented_reduce(r, {}, f32, i32, f32));
  REFUSES("segmented_reduce: out must have values' element type",
          segmented_reduce(r, {}, f32, u32, f64));
  REFUSES("segmented_scan: in must hold u32, i32, f32, u64, i64 or f64",
          segmented_scan(r, {}, u8, u32, u8));
  REFUSES("segmented_scan: segments must be bytes, std::uint32_t or std::uint64_t",
          segmented_scan(r, {}, f32, f32, f32));
  REFUSES("segmented_scan: out must have in's element type", segmented_scan(r, {}, f32, u32, u32));
  REFUSES("segmented_sort: in must hold u32, i32, f32, u64, i64 or f64",
          segmented_sort(r, {}, u8, u32, u8));
  REFUSES("segmented_sort: offsets must hold std::uint32_t or std::uint64_t",
          segmented_sort(r, {}, f32, i64, f32));
  REFUSES("segmented_sort: out must have in's element type", segmented_sort(r, {}, f32, u32, u32));
  REFUSES("segmented_sort: values must have 4, 8 or 16 bytes",
          segmented_sort(r, {}, f32, u32, f32, u8, u8));
  REFUSES("segmented_sort: values_out must have values_in's element type",
          segmented_sort(r, {}, f32, u32, f32, u32, u64));
  REFUSES("select: in must hold elements of 4, 8 or 16 bytes", select(r, {}, u8, u8, u8, u64));
  REFUSES("select: flags must be bytes, or bits in words of std::uint32_t",
          select(r, {}, f32, f32, f32, u64));
  REFUSES("select: out must have in's element type", select(r, {}, f32, u8, u32, u64));
  REFUSES("select: selected_count must hold one std::uint64_t", select(r, {}, f32, u8, f32, u32));
  REFUSES("select: in must hold u32, i32, f32, u64, i64 or f64", select(r, {}, u8, u8, u64));
  REFUSES("select: out must have in's element type", select(r, {}, i32, u32, u64));
  REFUSES("indices and offsets must be std::uint32_t or std::uint64_t",
          select(r, {}, f32, f32, u64, {.indices = f32}));
  REFUSES("spmv: values must hold float or double", spmv(r, {}, u32, u32, u32, u32, u32));
  REFUSES("spmv: columns must hold std::uint32_t", spmv(r, {}, f32, u64, u32, f32, f32));
  REFUSES("spmv: offsets must hold std::uint32_t or std::uint64_t",
          spmv(r, {}, f32, u32, i32, f32, f32));
  REFUSES("spmv: x and y must have values' element type", spmv(r, {}, f32, u32, u32, f64, f32));
  REFUSES("stack_fold: symbols must be tags of 8 or 32 bits, or words of bits",
          stack_fold(r, {}, u64, u32, u32));
  REFUSES("stack_fold: values must be u32, i32, f32, rectangles or matrices",
          stack_fold(r, {}, u8, f64, f64));
  REFUSES("stack_fold: out must have values' element type", stack_fold(r, {}, u8, f32, u32));
  REFUSES("stack_match: symbols must be tags of 8 or 32 bits, or words of bits",
          stack_match(r, {}, u16, u32));
  REFUSES("stack_match: match must hold std::uint32_t or std::uint64_t",
          stack_match(r, {}, u8, i32));
  REFUSES("stack_match: close_of and depth must have match's element type",
          stack_match(r, {}, u8, u32, {.depth = u64}));
  REFUSES("stack_match: header must be a vkprims::StackHeader",
          stack_match(r, {}, u8, u64, {.header = u64}));
  REFUSES("top_k: in must hold u32, i32, f32, u64, i64 or f64", top_k(r, {}, u8, u8));
  REFUSES("top_k: out must have in's element type", top_k(r, {}, f32, u32));
  REFUSES("top_k: indices_out must hold std::uint32_t or std::uint64_t",
          top_k(r, {}, f32, f32, f32));
  REFUSES("transform: a must hold u32, i32, f32, u64, i64 or f64", transform(r, {}, u8, u32));
  REFUSES("transform: out must hold u32, i32, f32, u64, i64 or f64", transform(r, {}, u32, u8));
  REFUSES("transform: b must have a's element type", transform(r, {}, u32, f32, u32));
  REFUSES("unique: in must hold u32, i32, f32, u64, i64 or f64", unique(r, {}, u8, u8, u64));
  REFUSES("unique: out must have in's element type", unique(r, {}, u32, f32, u64));
  REFUSES("unique: values must have 4, 8 or 16 bytes", unique(r, {}, u32, u32, u8, u8, u64));
  REFUSES("unique: values_out must have values_in's element type",
          unique(r, {}, u32, u32, u32, f32, u64));
  REFUSES("unique: unique_count must hold one std::uint64_t", unique(r, {}, u32, u32, u32));
  REFUSES("count_in: a count must be std::uint32_t or std::uint64_t",
          reduce(r, {.count = count_in(i32)}, f32, f32));
}

#include "support/every_primitive.hpp"

#include <array>
#include <map>

#include "vkprims-tests/hash.hpp"
#include "vkprims-tests/swap.hpp"

namespace vkprims::test {
namespace {

constexpr VkDeviceSize kRegion = VkDeviceSize{1} << 36;

StringColumnView column_at(std::uint64_t number, std::uint64_t rows) {
  return {.offsets = view_at(number),
          .chars = {(number + 1) * kRegion, 16 * rows},
          .validity = view_at(number + 2),
          .rows = rows};
}
StringColumnOut room_at(std::uint64_t number, std::uint64_t rows) {
  return {.offsets = view_at(number),
          .chars = {(number + 1) * kRegion, 32 * rows},
          .validity = view_at(number + 2)};
}

class List {
 public:
  template <class Desc, class Buffers>
  void add(const char* name,
           Status (*record)(VkCommandBuffer, const Device&, const Desc&, const Buffers&), Desc desc,
           Buffers buffers, Buffers nothing = {}) {
    all_.push_back(any_primitive(name, record, desc, buffers, nothing));
  }
  std::vector<AnyPrimitive> take() { return std::move(all_); }

 private:
  std::vector<AnyPrimitive> all_;
};

using Make = AnyPrimitive (*)(std::uint64_t);
std::vector<Make>& registered() {
  static std::vector<Make> list;  // in a function: static objects of other files use it
  return list;
}

void add_maps(List& list, std::uint64_t n) {
  const BufferView a = view_at(1), b = view_at(2), c = view_at(3), d = view_at(4);
  const Scratch s = some_scratch();
  using Buffers = AdjacentDifferenceBuffers;
  list.add("adjacent_difference", record_adjacent_difference, AdjacentDifferenceDesc{.count = n},
           Buffers{.in = a, .out = b, .scratch = s});
  list.add("copy", record_copy, CopyDesc{.count = n}, CopyBuffers{a, b, s});
  list.add("dispatch_args", record_dispatch_args, DispatchArgsDesc{.count = n},
           DispatchArgsBuffers{a});
  list.add("fill", record_fill, FillDesc{.count = n}, FillBuffers{a, s});
  list.add("gather", record_gather, GatherDesc{.count = n, .source_count = n},
           GatherBuffers{.in = a, .indices = b, .out = c, .scratch = s});
  list.add("iota", record_iota, IotaDesc{.count = n}, IotaBuffers{a, s});
  list.add("scatter", record_scatter, ScatterDesc{.count = n, .out_count = n},
           ScatterBuffers{.in = a, .indices = b, .out = c, .scratch = s});
  list.add("search", record_search, SearchDesc{.count = n, .haystack_count = n},
           SearchBuffers{a, b, c, s});
  list.add("transform", record_transform, TransformDesc{.count = n},
           TransformBuffers{.a = a, .b = b, .out = c, .scratch = s});
  list.add("random", record_random, RandomDesc{.count = n, .rng = {.state = 8 * kRegion}},
           RandomBuffers{a, s});
  list.add("rng_advance", record_rng_advance, RngAdvanceDesc{.words = n}, RngAdvanceBuffers{a});
  const DropoutDesc dropout{.count = n,
                            .mask = DropoutMask::bits,
                            .rng = {.state = 8 * kRegion},
                            .bias = DropoutBias::row,
                            .columns = 32};
  list.add("dropout", record_dropout, dropout,
           DropoutBuffers{.in = a, .bias = b, .out = c, .mask = d, .scratch = s});
  list.add(
      "dropout_backward", record_dropout_backward, dropout,
      DropoutBackwardBuffers{.gradient = a, .mask = b, .out = c, .bias_gradient = d, .scratch = s});
}

void add_folds(List& list, std::uint64_t n) {
  const BufferView a = view_at(1), b = view_at(2), c = view_at(3), d = view_at(4), e = view_at(5);
  const Scratch s = some_scratch();
  list.add("reduce", record_reduce, ReduceDesc{.count = n}, ReduceBuffers{a, b, s});
  list.add("arg_reduce", record_arg_reduce, ArgReduceDesc{.count = n},
           ArgReduceBuffers{.in = a, .index = b, .scratch = s});
  list.add("reduce_by_key", record_reduce_by_key, ReduceByKeyDesc{.count = n},
           ReduceByKeyBuffers{a, b, c, d, e, s});
  list.add("run_length_encode", record_run_length_encode, RunLengthEncodeDesc{.count = n},
           RunLengthEncodeBuffers{a, b, c, d, s});
  list.add("scan", record_scan, ScanDesc{.count = n}, ScanBuffers{a, b, s});
  list.add("scan_by_key", record_scan_by_key, ScanByKeyDesc{.count = n},
           ScanByKeyBuffers{a, b, c, s});
  list.add("segmented_scan", record_segmented_scan, SegmentedScanDesc{.count = n, .segments = 9},
           SegmentedScanBuffers{a, b, c, s});
  list.add("segmented_reduce", record_segmented_reduce,
           SegmentedReduceDesc{.count = n, .value_count = n}, SegmentedReduceBuffers{a, b, c, s});
  list.add("spmv", record_spmv, SpmvDesc{.count = n, .value_count = n, .x_count = n},
           SpmvBuffers{.values = a, .columns = b, .offsets = c, .x = d, .y = e, .scratch = s});
  list.add("histogram", record_histogram, HistogramDesc{.count = n},
           HistogramBuffers{.in = a, .out = b, .scratch = s});
  list.add("rolling", record_rolling, RollingDesc{.count = n, .preceding = 1000},
           RollingBuffers{.in = a, .out = b, .scratch = s});
  list.add("select", record_select, SelectDesc{.count = n},
           SelectBuffers{.in = a, .flags = b, .out = c, .selected_count = d, .scratch = s});
  list.add("partition", record_partition, PartitionDesc{.count = n},
           PartitionBuffers{a, b, c, d, e, s});
  list.add("unique", record_unique, UniqueDesc{.count = n},
           UniqueBuffers{.in = a, .out = b, .unique_count = c, .scratch = s});
  list.add("stack_match", record_stack_match, StackMatchDesc{.count = n},
           StackMatchBuffers{.symbols = a, .match = b, .scratch = s},
           StackMatchBuffers{.match = b});
  list.add("stack_fold", record_stack_fold, StackFoldDesc{.count = n},
           StackFoldBuffers{.symbols = a, .values = b, .out = c, .scratch = s});
  list.add("stack_fold", record_stack_fold,
           StackFoldDesc{.over = StackFoldOver::enclosed, .count = n},
           StackFoldBuffers{.symbols = a, .values = b, .out = c, .scratch = s});
  list.add("nearest_smaller", record_nearest_smaller, NearestSmallerDesc{.count = n},
           NearestSmallerBuffers{a, b, s});
}

void add_sorts(List& list, std::uint64_t n) {
  const BufferView a = view_at(1), b = view_at(2), c = view_at(3), d = view_at(4), e = view_at(5);
  const Scratch s = some_scratch();
  list.add("radix_sort", record_radix_sort, RadixSortDesc{.count = n},
           RadixSortBuffers{.in = a, .out = b, .scratch = s});
  // These values are moved by gather, which the same sort records.
  list.add("radix_sort", record_radix_sort, RadixSortDesc{.value_bytes = 16, .count = n},
           RadixSortBuffers{a, b, c, c, s});
  list.add("argsort", record_argsort, ArgsortDesc{.count = n},
           ArgsortBuffers{.in = a, .out = b, .scratch = s});
  list.add("segmented_sort", record_segmented_sort, SegmentedSortDesc{.count = n, .key_count = n},
           SegmentedSortBuffers{.in = a, .out = b, .offsets = c, .scratch = s});
  list.add("merge", record_merge, MergeDesc{.a_count = n, .b_count = n},
           MergeBuffers{.a = a, .b = b, .out = c, .scratch = s});
  list.add("top_k", record_top_k, TopKDesc{.k = 50, .sorted = true, .count = n},
           TopKBuffers{.in = a, .out = b, .indices_out = c, .scratch = s});
  static constexpr GroupKey kKeys[] = {{}};
  static constexpr GroupValue kValues[] = {{}};
  static constexpr GroupAggregation kMean[] = {{.op = Aggregate::max}};
  static const std::array<BufferView, 5> kViews{a, b, c, d, e};
  const auto one = [](std::size_t i) { return std::span<const BufferView>(&kViews[i], 1); };
  list.add("group_by", record_group_by,
           GroupByDesc{.keys = kKeys,
                       .values = kValues,
                       .aggregations = kMean,
                       .count = n,
                       .method = GroupByMethod::sort},
           GroupByBuffers{.keys = one(0),
                          .values = one(1),
                          .out_keys = one(2),
                          .out = one(3),
                          .group_count = e,
                          .scratch = s});
}

void add_string_values(List& list, std::uint64_t n) {
  using namespace strings;
  const StringColumnView in = column_at(1, n), rows{.rows = n};
  const BufferView a = view_at(30), b = view_at(31), c = view_at(32);
  const Scratch s = some_scratch();
  list.add("strings::match", record_match, MatchDesc{.text = "x"},
           MatchBuffers{.in = in, .out = a, .scratch = s}, MatchBuffers{.in = rows});
  list.add("strings::find", record_find, FindDesc{.text = "x"},
           FindBuffers{.in = in, .out = a, .scratch = s}, FindBuffers{.in = rows});
  list.add("strings::map", strings::record_map, MapStringsDesc{.kernel = own::hash::kernel},
           MapStringsBuffers{.a = in, .out = a, .scratch = s}, MapStringsBuffers{.a = rows});
  list.add("strings::null_count", record_null_count, NullCountDesc{.rows = n},
           NullCountBuffers{.validity = a, .out = b, .scratch = s},
           NullCountBuffers{.validity = a});
  list.add("strings::gathered_bytes", record_gathered_bytes, GatheredBytesDesc{},
           GatheredBytesBuffers{in, {a.address, 4 * n}, b, s},
           GatheredBytesBuffers{.in = rows, .indices = {0, 4 * n}});
  list.add("strings::view_bytes", record_view_bytes, ViewBytesDesc{},
           ViewBytesBuffers{a, b, {c.address, 4 * n}, view_at(33), s},
           ViewBytesBuffers{.lengths = {0, 4 * n}});
  list.add("strings::argsort", strings::record_argsort, ArgsortStringsDesc{},
           ArgsortStringsBuffers{in, a, s}, ArgsortStringsBuffers{.in = rows});
  list.add("strings::dictionary_encode", record_dictionary_encode, DictionaryEncodeDesc{},
           DictionaryEncodeBuffers{
               .in = in, .codes = a, .validity = b, .distinct_count = c, .scratch = s},
           DictionaryEncodeBuffers{.in = rows});
}

void add_string_columns(List& list, std::uint64_t n) {
  using namespace strings;
  const StringColumnView in = column_at(1, n), other = column_at(5, n), rows{.rows = n};
  const StringColumnOut out = room_at(10, n);
  const BitsView mask{.bits = view_at(20), .validity = view_at(21), .rows = n};
  const BufferView a = view_at(30), b = view_at(31);
  const Scratch s = some_scratch();
  list.add("strings::change_case", record_change_case, ChangeCaseDesc{},
           ChangeCaseBuffers{.in = in, .out = out, .scratch = s}, ChangeCaseBuffers{.in = rows});
  // Spans refer to these tables for as long as there are tests.
  static std::map<std::uint64_t, std::array<StringColumnView, 4>> tables;
  const std::span<const StringColumnView> table = tables[n] = {in, other, rows, rows};
  list.add("strings::concatenate", record_concatenate, ConcatenateDesc{},
           ConcatenateBuffers{.columns = table.first(2), .out = out, .scratch = s},
           ConcatenateBuffers{.columns = table.last(2)});
  list.add("strings::copy_if_else", record_copy_if_else, CopyIfElseDesc{},
           CopyIfElseBuffers{.a = in, .b = other, .mask = mask, .out = out, .scratch = s},
           CopyIfElseBuffers{.a = rows, .b = rows, .mask = {.rows = n}});
  list.add("strings::from_views", record_from_views, FromViewsDesc{},
           FromViewsBuffers{.chars = view_at(32),
                            .offsets = a,
                            .lengths = {b.address, 4 * n},
                            .out = out,
                            .scratch = s},
           FromViewsBuffers{.lengths = {0, 4 * n}});
  list.add("strings::gather", strings::record_gather, GatherStringsDesc{.count = n},
           GatherStringsBuffers{.in = in, .indices = a, .out = out, .scratch = s},
           GatherStringsBuffers{.in = rows});
  list.add(
      "strings::select", strings::record_select, SelectStringsDesc{},
      SelectStringsBuffers{.in = in, .mask = mask, .out = out, .selected_count = a, .scratch = s},
      SelectStringsBuffers{.in = rows, .mask = {.rows = n}});
  list.add("strings::slice", record_slice, SliceDesc{.stop = 3},
           SliceBuffers{.in = in, .out = out, .scratch = s}, SliceBuffers{.in = rows});
  list.add("strings::split", record_split, SplitDesc{},
           SplitBuffers{.in = in, .out = out, .scratch = s}, SplitBuffers{.in = rows});
  list.add("strings::strip", record_strip, StripDesc{},
           StripBuffers{.in = in, .out = out, .scratch = s}, StripBuffers{.in = rows});
  const strings::RopeDesc rope{.kernel = own::swap::kernel, .rows = n, .columns = 2};
  list.add("strings::rope", record_rope, rope,
           RopeBuffers{.a = in, .b = other, .indices = a, .out = out, .scratch = s},
           RopeBuffers{.a = rows, .b = rows});
}

}  // namespace

BufferView view_at(std::uint64_t number) { return {number * kRegion, kRegion}; }

Scratch some_scratch() {
  return {(VkBuffer)std::uintptr_t{64}, 0, 100 * kRegion, kRegion};  // a pointer or an integer
}

RegisterPrimitive::RegisterPrimitive(AnyPrimitive (*make)(std::uint64_t n)) {
  registered().push_back(make);
}

std::vector<AnyPrimitive> every_primitive(std::uint64_t n) {
  List list;
  add_maps(list, n);
  add_folds(list, n);
  add_sorts(list, n);
  add_string_values(list, n);
  add_string_columns(list, n);
  std::vector<AnyPrimitive> all = list.take();
  for (const Make make : registered()) all.push_back(make(n));
  return all;
}

}  // namespace vkprims::test

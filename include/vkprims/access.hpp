// What every primitive does to its views, for schedulers that place barriers themselves.
/// @ingroup core
#pragma once

#include <vulkan/vulkan_core.h>

#include <span>
#include <string_view>

// tools/access makes this file of the lines Before and After of the other headers.

namespace vkprims {

/// How the commands of one call use one of its views. The call has barriers between its commands;
/// those before and behind it are the caller's, and these are their flags.
struct ViewAccess {
  std::string_view view;             ///< the member's name, such as "out", "count" or "scratch"
  VkPipelineStageFlags stages;       ///< that use it: a barrier's destination, before the call
  VkAccessFlags accesses;            ///< by which they do
  VkPipelineStageFlags last_stages;  ///< that used it: a barrier's source, behind the call
  VkAccessFlags writes;              ///< whose results are wanted; 0: input, or scratch
};

/// The entry of a view, or one without stages if there is none of that name.
constexpr ViewAccess access_of(std::span<const ViewAccess> call, std::string_view view) {
  for (const ViewAccess& each : call) {
    if (each.view == view) return each;
  }
  return {};
}

namespace access_tables {

inline constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
inline constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
inline constexpr VkPipelineStageFlags kIndirect = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
inline constexpr VkAccessFlags kRead = VK_ACCESS_SHADER_READ_BIT;
inline constexpr VkAccessFlags kWrite = VK_ACCESS_SHADER_WRITE_BIT;
inline constexpr VkAccessFlags kTransferWrite = VK_ACCESS_TRANSFER_WRITE_BIT;
inline constexpr VkAccessFlags kIndirectRead = VK_ACCESS_INDIRECT_COMMAND_READ_BIT;

constexpr ViewAccess input(std::string_view view) { return {view, kCompute, kRead, kCompute, 0}; }
constexpr ViewAccess output(std::string_view view) {
  return {view, kCompute, kWrite, kCompute, kWrite};
}
constexpr ViewAccess read_output(std::string_view view) {
  return {view, kCompute, kRead | kWrite, kCompute, kWrite};
}
constexpr ViewAccess scratch(VkPipelineStageFlags stages, VkAccessFlags accesses) {
  const VkPipelineStageFlags last = stages & ~kIndirect;
  return {"scratch", stages, accesses, last, accesses & (kWrite | kTransferWrite)};
}

inline constexpr ViewAccess kAdjacentDifference[] = {
    input("in"), output("out"), scratch(kCompute | kIndirect, kWrite | kIndirectRead),
    input("count")};
inline constexpr ViewAccess kArgReduce[] = {
    input("in"), output("index"), output("value"), scratch(kTransfer | kCompute,
    kTransferWrite | kRead | kWrite), input("count")};
inline constexpr ViewAccess kArgsort[] = {
    input("in"), read_output("out"), read_output("keys_out"),
    scratch(kCompute | kTransfer | kIndirect, kRead | kWrite | kTransferWrite | kIndirectRead),
    input("count")};
inline constexpr ViewAccess kCopy[] = {
    input("in"), output("out"), scratch(kCompute | kIndirect, kWrite | kIndirectRead),
    input("count")};
inline constexpr ViewAccess kDispatchArgs[] = {
    output("args"), input("count")};
inline constexpr ViewAccess kDrawArgs[] = {
    output("args"), input("count")};
inline constexpr ViewAccess kDropout[] = {
    input("in"), input("bias"), input("residual"), output("out"), output("mask"),
    read_output("rng.state"), scratch(kCompute | kIndirect, kWrite | kIndirectRead),
    input("count")};
inline constexpr ViewAccess kDropoutBackward[] = {
    input("gradient"), input("mask"), input("rng.state"), input("count"), read_output("out"),
    read_output("bias_gradient"), scratch(kCompute | kIndirect, kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kExpand[] = {
    input("in"), input("count"), read_output("report"), output("indices"), output("ranks"),
    output("total"), scratch(kTransfer | kCompute | kIndirect,
    kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kFill[] = {
    output("out"), scratch(kCompute | kIndirect, kWrite | kIndirectRead), input("count"),
    input("value")};
inline constexpr ViewAccess kGather[] = {
    input("in"), input("indices"), output("out"), read_output("report"),
    scratch(kCompute | kIndirect, kWrite | kIndirectRead), input("count"), input("fill")};
inline constexpr ViewAccess kGroupBy[] = {
    input("keys"), input("key_validity"), input("values"), input("value_validity"),
    input("count"), read_output("out_keys"), read_output("out_key_validity"), read_output("out"),
    read_output("out_validity"), read_output("group_count"), read_output("offsets"),
    read_output("order"), read_output("report"), scratch(kCompute | kTransfer | kIndirect,
    kRead | kWrite | kTransferWrite | kIndirectRead)};
inline constexpr ViewAccess kHistogram[] = {
    input("in"), input("levels"), read_output("out"), input("count")};
inline constexpr ViewAccess kIota[] = {
    output("out"), scratch(kCompute | kIndirect, kWrite | kIndirectRead), input("count"),
    input("start"), input("step")};
inline constexpr ViewAccess kKeyRanges[] = {
    input("in"), input("count"), output("out")};
inline constexpr ViewAccess kMap[] = {
    input("in"), output("out"), scratch(kCompute | kIndirect, kWrite | kIndirectRead),
    input("count"), input("arguments")};
inline constexpr ViewAccess kMerge[] = {
    input("a"), input("b"), input("a_values"), input("b_values"), output("out"),
    output("out_values"), output("count_out"), scratch(kCompute | kIndirect,
    kRead | kWrite | kIndirectRead), input("a_count"), input("b_count")};
inline constexpr ViewAccess kMergeSort[] = {
    input("in"), input("values_in"), read_output("out"), read_output("values_out"),
    scratch(kCompute | kIndirect, kRead | kWrite | kIndirectRead), input("count")};
inline constexpr ViewAccess kNearestSmaller[] = {
    input("keys"), input("count"), output("out"), scratch(kCompute | kIndirect,
    kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kPartition[] = {
    input("in"), input("flags"), input("count"), input("operand"), input("arguments"),
    output("out"), output("rejected"), output("selected_count"),
    scratch(kTransfer | kCompute | kIndirect, kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kPartitionThree[] = {
    input("in"), input("count"), input("arguments"), output("first"), output("second"),
    output("third"), output("counts"), scratch(kTransfer | kCompute | kIndirect,
    kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kRadixSort[] = {
    input("in"), input("values_in"), read_output("out"), read_output("values_out"),
    scratch(kCompute | kTransfer | kIndirect, kRead | kWrite | kTransferWrite | kIndirectRead),
    input("count")};
inline constexpr ViewAccess kRandom[] = {
    output("out"), scratch(kCompute | kIndirect, kWrite | kIndirectRead), input("count"),
    read_output("rng.state")};
inline constexpr ViewAccess kReduce[] = {
    input("in"), output("out"), scratch(kTransfer | kCompute, kTransferWrite | kRead | kWrite),
    input("count"), input("initial"), input("arguments")};
inline constexpr ViewAccess kReduceByKey[] = {
    input("keys"), input("in"), input("count"), output("out_keys"), output("out"),
    output("run_count"), scratch(kTransfer | kCompute | kIndirect,
    kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kReverse[] = {
    input("in"), output("out"), scratch(kCompute | kIndirect, kWrite | kIndirectRead),
    input("count")};
inline constexpr ViewAccess kRngAdvance[] = {
    read_output("state"), input("words")};
inline constexpr ViewAccess kRolling[] = {
    input("in"), input("validity"), input("offsets"), input("count"), input("groups"),
    output("out"), output("out_validity"), scratch(kTransfer | kCompute | kIndirect,
    kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kRunLengthEncode[] = {
    input("in"), input("count"), output("out"), output("lengths"), output("run_count"),
    scratch(kTransfer | kCompute | kIndirect, kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kScan[] = {
    input("in"), output("out"), output("total"), scratch(kTransfer | kCompute | kIndirect,
    kTransferWrite | kRead | kWrite | kIndirectRead), input("count"), input("initial")};
inline constexpr ViewAccess kScanByKey[] = {
    input("keys"), input("in"), output("out"), output("run_count"),
    scratch(kTransfer | kCompute | kIndirect, kTransferWrite | kRead | kWrite | kIndirectRead),
    input("count"), input("initial")};
inline constexpr ViewAccess kScatter[] = {
    input("in"), input("indices"), read_output("out"), read_output("report"),
    scratch(kCompute | kIndirect, kWrite | kIndirectRead), input("count")};
inline constexpr ViewAccess kSearch[] = {
    input("haystack"), input("needles"), output("out"), scratch(kCompute | kIndirect,
    kWrite | kIndirectRead), input("count"), input("haystack_count")};
inline constexpr ViewAccess kSegmentedReduce[] = {
    input("values"), input("offsets"), output("out"), scratch(kCompute | kIndirect,
    kRead | kWrite | kIndirectRead), input("count"), input("initial")};
inline constexpr ViewAccess kSegmentedScan[] = {
    input("in"), input("segments"), output("out"), scratch(kTransfer | kCompute | kIndirect,
    kTransferWrite | kRead | kWrite | kIndirectRead), input("count"), input("initial")};
inline constexpr ViewAccess kSegmentedSort[] = {
    input("in"), input("values_in"), input("offsets"), read_output("out"),
    read_output("values_out"), scratch(kCompute | kTransfer | kIndirect,
    kRead | kWrite | kTransferWrite | kIndirectRead), input("count")};
inline constexpr ViewAccess kSelect[] = {
    input("in"), input("flags"), input("count"), input("operand"), input("arguments"),
    output("out"), output("indices"), output("selected_count"),
    scratch(kTransfer | kCompute | kIndirect, kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kSpmv[] = {
    input("values"), input("columns"), input("offsets"), input("x"), read_output("y"),
    read_output("report"), scratch(kCompute | kIndirect, kRead | kWrite | kIndirectRead),
    input("count"), input("alpha"), input("beta")};
inline constexpr ViewAccess kStackFold[] = {
    input("symbols"), input("closes"), input("values"), input("count"), read_output("out"),
    output("match"), output("header"), scratch(kCompute | kIndirect,
    kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kStackMatch[] = {
    input("symbols"), input("closes"), input("count"), output("match"), output("close_of"),
    output("depth"), output("header"), scratch(kTransfer | kCompute | kIndirect,
    kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kTopK[] = {
    input("in"), input("count"), read_output("out"), read_output("indices_out"),
    read_output("count_out"), scratch(kTransfer | kCompute | kIndirect,
    kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kTransform[] = {
    input("a"), input("b"), output("out"), scratch(kCompute | kIndirect, kWrite | kIndirectRead),
    input("count"), input("scalar"), input("alpha")};
inline constexpr ViewAccess kUnique[] = {
    input("in"), input("values_in"), input("count"), output("out"), output("values_out"),
    output("indices"), output("unique_count"), scratch(kTransfer | kCompute | kIndirect,
    kTransferWrite | kRead | kWrite | kIndirectRead)};
inline constexpr ViewAccess kStrings[] = {
    input("inputs"), read_output("outputs"), read_output("report"), scratch(kCompute | kTransfer,
    kRead | kWrite | kTransferWrite)};
inline constexpr ViewAccess kStringsArgsort[] = {
    input("in"), read_output("indices"), scratch(kCompute | kTransfer | kIndirect,
    kRead | kWrite | kTransferWrite | kIndirectRead)};
inline constexpr ViewAccess kStringsDictionaryEncode[] = {
    input("in"), read_output("codes"), read_output("validity"), read_output("rows"),
    read_output("distinct_count"), read_output("report"),
    scratch(kCompute | kTransfer | kIndirect, kRead | kWrite | kTransferWrite | kIndirectRead)};

struct Call {
  std::string_view name;
  std::span<const ViewAccess> views;
};
inline constexpr Call kCalls[] = {
    {"adjacent_difference", kAdjacentDifference}, {"arg_reduce", kArgReduce},
    {"argsort", kArgsort}, {"copy", kCopy}, {"dispatch_args", kDispatchArgs},
    {"draw_args", kDrawArgs}, {"dropout", kDropout}, {"dropout_backward", kDropoutBackward},
    {"expand", kExpand}, {"fill", kFill}, {"gather", kGather}, {"group_by", kGroupBy},
    {"histogram", kHistogram}, {"iota", kIota}, {"key_ranges", kKeyRanges}, {"map", kMap},
    {"merge", kMerge}, {"merge_sort", kMergeSort}, {"nearest_smaller", kNearestSmaller},
    {"partition", kPartition}, {"partition_three", kPartitionThree}, {"radix_sort", kRadixSort},
    {"random", kRandom}, {"reduce", kReduce}, {"reduce_by_key", kReduceByKey},
    {"reverse", kReverse}, {"rng_advance", kRngAdvance}, {"rolling", kRolling},
    {"run_length_encode", kRunLengthEncode}, {"scan", kScan}, {"scan_by_key", kScanByKey},
    {"scatter", kScatter}, {"search", kSearch}, {"segmented_reduce", kSegmentedReduce},
    {"segmented_scan", kSegmentedScan}, {"segmented_sort", kSegmentedSort}, {"select", kSelect},
    {"spmv", kSpmv}, {"stack_fold", kStackFold}, {"stack_match", kStackMatch}, {"top_k", kTopK},
    {"transform", kTransform}, {"unique", kUnique}, {"strings::", kStrings},
    {"strings::argsort", kStringsArgsort},
    {"strings::dictionary_encode", kStringsDictionaryEncode}};

}  // namespace access_tables

/// What the call of that name, such as "scan" or "strings::split", does to its views; nothing if
/// there is no such call.
constexpr std::span<const ViewAccess> call_access(std::string_view call) {
  for (const access_tables::Call& each : access_tables::kCalls) {
    if (each.name == call) return each.views;
  }
  const bool is_of_strings = call.starts_with("strings::");
  return is_of_strings ? call_access("strings::") : std::span<const ViewAccess>();
}

/// What record_adjacent_difference() does to its views.
constexpr std::span<const ViewAccess> adjacent_difference_access() {
  return access_tables::kAdjacentDifference;
}
/// What record_arg_reduce() does to its views.
constexpr std::span<const ViewAccess> arg_reduce_access() { return access_tables::kArgReduce; }
/// What record_argsort() does to its views.
constexpr std::span<const ViewAccess> argsort_access() { return access_tables::kArgsort; }
/// What record_copy() does to its views.
constexpr std::span<const ViewAccess> copy_access() { return access_tables::kCopy; }
/// What record_dispatch_args() does to its views.
constexpr std::span<const ViewAccess> dispatch_args_access() {
  return access_tables::kDispatchArgs;
}
/// What record_draw_args() does to its views.
constexpr std::span<const ViewAccess> draw_args_access() { return access_tables::kDrawArgs; }
/// What record_dropout() does to its views.
constexpr std::span<const ViewAccess> dropout_access() { return access_tables::kDropout; }
/// What record_dropout_backward() does to its views.
constexpr std::span<const ViewAccess> dropout_backward_access() {
  return access_tables::kDropoutBackward;
}
/// What record_expand() does to its views.
constexpr std::span<const ViewAccess> expand_access() { return access_tables::kExpand; }
/// What record_fill() does to its views.
constexpr std::span<const ViewAccess> fill_access() { return access_tables::kFill; }
/// What record_gather() does to its views.
constexpr std::span<const ViewAccess> gather_access() { return access_tables::kGather; }
/// What record_group_by() does to its views.
constexpr std::span<const ViewAccess> group_by_access() { return access_tables::kGroupBy; }
/// What record_histogram() does to its views.
constexpr std::span<const ViewAccess> histogram_access() { return access_tables::kHistogram; }
/// What record_iota() does to its views.
constexpr std::span<const ViewAccess> iota_access() { return access_tables::kIota; }
/// What record_key_ranges() does to its views.
constexpr std::span<const ViewAccess> key_ranges_access() { return access_tables::kKeyRanges; }
/// What record_map() does to its views.
constexpr std::span<const ViewAccess> map_access() { return access_tables::kMap; }
/// What record_merge() does to its views.
constexpr std::span<const ViewAccess> merge_access() { return access_tables::kMerge; }
/// What record_merge_sort() does to its views.
constexpr std::span<const ViewAccess> merge_sort_access() { return access_tables::kMergeSort; }
/// What record_nearest_smaller() does to its views.
constexpr std::span<const ViewAccess> nearest_smaller_access() {
  return access_tables::kNearestSmaller;
}
/// What record_partition() does to its views.
constexpr std::span<const ViewAccess> partition_access() { return access_tables::kPartition; }
/// What record_partition_three() does to its views.
constexpr std::span<const ViewAccess> partition_three_access() {
  return access_tables::kPartitionThree;
}
/// What record_radix_sort() does to its views.
constexpr std::span<const ViewAccess> radix_sort_access() { return access_tables::kRadixSort; }
/// What record_random() does to its views.
constexpr std::span<const ViewAccess> random_access() { return access_tables::kRandom; }
/// What record_reduce() does to its views.
constexpr std::span<const ViewAccess> reduce_access() { return access_tables::kReduce; }
/// What record_reduce_by_key() does to its views.
constexpr std::span<const ViewAccess> reduce_by_key_access() { return access_tables::kReduceByKey; }
/// What record_reverse() does to its views.
constexpr std::span<const ViewAccess> reverse_access() { return access_tables::kReverse; }
/// What record_rng_advance() does to its views.
constexpr std::span<const ViewAccess> rng_advance_access() { return access_tables::kRngAdvance; }
/// What record_rolling() does to its views.
constexpr std::span<const ViewAccess> rolling_access() { return access_tables::kRolling; }
/// What record_run_length_encode() does to its views.
constexpr std::span<const ViewAccess> run_length_encode_access() {
  return access_tables::kRunLengthEncode;
}
/// What record_scan() does to its views.
constexpr std::span<const ViewAccess> scan_access() { return access_tables::kScan; }
/// What record_scan_by_key() does to its views.
constexpr std::span<const ViewAccess> scan_by_key_access() { return access_tables::kScanByKey; }
/// What record_scatter() does to its views.
constexpr std::span<const ViewAccess> scatter_access() { return access_tables::kScatter; }
/// What record_search() does to its views.
constexpr std::span<const ViewAccess> search_access() { return access_tables::kSearch; }
/// What record_segmented_reduce() does to its views.
constexpr std::span<const ViewAccess> segmented_reduce_access() {
  return access_tables::kSegmentedReduce;
}
/// What record_segmented_scan() does to its views.
constexpr std::span<const ViewAccess> segmented_scan_access() {
  return access_tables::kSegmentedScan;
}
/// What record_segmented_sort() does to its views.
constexpr std::span<const ViewAccess> segmented_sort_access() {
  return access_tables::kSegmentedSort;
}
/// What record_select() does to its views.
constexpr std::span<const ViewAccess> select_access() { return access_tables::kSelect; }
/// What record_spmv() does to its views.
constexpr std::span<const ViewAccess> spmv_access() { return access_tables::kSpmv; }
/// What record_stack_fold() does to its views.
constexpr std::span<const ViewAccess> stack_fold_access() { return access_tables::kStackFold; }
/// What record_stack_match() does to its views.
constexpr std::span<const ViewAccess> stack_match_access() { return access_tables::kStackMatch; }
/// What record_top_k() does to its views.
constexpr std::span<const ViewAccess> top_k_access() { return access_tables::kTopK; }
/// What record_transform() does to its views.
constexpr std::span<const ViewAccess> transform_access() { return access_tables::kTransform; }
/// What record_unique() does to its views.
constexpr std::span<const ViewAccess> unique_access() { return access_tables::kUnique; }

namespace strings {

/// What every function that has no list of its own does to its views.
constexpr std::span<const ViewAccess> column_access() { return access_tables::kStrings; }
/// What record_argsort() does to its views.
constexpr std::span<const ViewAccess> argsort_access() { return access_tables::kStringsArgsort; }
/// What record_dictionary_encode() does to its views.
constexpr std::span<const ViewAccess> dictionary_encode_access() {
  return access_tables::kStringsDictionaryEncode;
}

}  // namespace strings

}  // namespace vkprims

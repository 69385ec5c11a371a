#include "group_by/group_by_arguments.hpp"

#include <cinttypes>
#include <cstdio>

#include "runtime/arithmetic.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

Status check_limit(const char* name, std::uint64_t value, std::uint64_t limit) {
  if (value <= limit) return {};
  return Status::error(Status::invalid_argument,
                       "group_by: %s is %" PRIu64 ", at most %" PRIu64 " are allowed", name, value,
                       limit);
}

Status check_key(const GroupKey& key) {
  VKPRIMS_TRY(check_type("group_by: keys", key.type));
  const bool bounded = key.type == Type::u32 || key.type == Type::u64;
  if (key.bound && !bounded) {
    return Status::error(Status::invalid_argument,
                         "group_by: bound of a key is %" PRIu64
                         ", but its type is %s; it is for u32 and u64",
                         key.bound, name_of(key.type));
  }
  if (key.type == Type::u32) {
    return check_limit("bound of a key of type u32", key.bound, std::uint64_t{1} << 32);
  }
  return {};
}

Status check_aggregation(const DeviceState& state, const GroupByDesc& desc,
                         const GroupAggregation& a) {
  VKPRIMS_TRY(check_enum("group_by", "op of an aggregation", a.op, Aggregate::distinct));
  if (a.op == Aggregate::count_rows) return {};
  if (a.value >= desc.values.size()) {
    return Status::error(
        Status::invalid_argument,
        "group_by: value of an aggregation is %u, but there are %zu columns of values", a.value,
        desc.values.size());
  }
  const bool computes =
      a.op == Aggregate::sum || a.op == Aggregate::mean || a.op == Aggregate::variance;
  const Type type = desc.values[a.value].type;
  return computes && type == Type::f64 ? check_type("group_by", state, type) : Status();
}

// The operands of a call, including names for the elements of spans.
class Operands {
 public:
  void add(const Operand& operand) { list_[size_++] = operand; }
  void add(const char* span, std::size_t i, std::span<const BufferView> views, VkDeviceSize need,
           VkDeviceSize alignment, bool writes) {
    std::snprintf(names_[size_], sizeof names_[size_], "%s[%zu]", span, i);
    add({names_[size_], view_at(views, i), need, alignment, writes});
  }
  Status check() const { return check_operands("group_by", std::span(list_, size_)); }

 private:
  static constexpr std::size_t kMost =
      4 * kMaxGroupKeys + 2 * kMaxGroupValues + 2 * kMaxGroupAggregations + 6;
  Operand list_[kMost] = {};
  char names_[kMost][48] = {};
  std::size_t size_ = 0;
};

}  // namespace

Status check_group_by_desc(const DeviceState& state, const GroupByDesc& desc) {
  if (desc.keys.empty()) {
    return Status::error(Status::invalid_argument, "group_by: keys is empty, must have 1 … %zu",
                         kMaxGroupKeys);
  }
  VKPRIMS_TRY(check_limit("keys.size()", desc.keys.size(), kMaxGroupKeys));
  VKPRIMS_TRY(check_limit("values.size()", desc.values.size(), kMaxGroupValues));
  VKPRIMS_TRY(check_limit("aggregations.size()", desc.aggregations.size(), kMaxGroupAggregations));
  for (const GroupKey& key : desc.keys) VKPRIMS_TRY(check_key(key));
  for (const GroupValue& value : desc.values) {
    VKPRIMS_TRY(check_type("group_by: values", value.type));
  }
  for (const GroupAggregation& a : desc.aggregations) {
    VKPRIMS_TRY(check_aggregation(state, desc, a));
  }
  VKPRIMS_TRY(check_enum("group_by", "null_keys", desc.null_keys, NullKeys::drop));
  VKPRIMS_TRY(check_enum("group_by", "method", desc.method, GroupByMethod::sort));
  VKPRIMS_TRY(check_enum("group_by", "schedule", desc.schedule, Schedule::multi_pass));
  VKPRIMS_TRY(check_enum("group_by", "float_order", desc.float_order, FloatOrder::by_bits));
  VKPRIMS_TRY(check_count("group_by", desc.count));
  VKPRIMS_TRY(check_limit("count", desc.count.max, kMaxGroupRows));
  return check_limit("capacity", desc.capacity.value_or(0), kMaxGroupRows);
}

Status check_group_by_buffers(const GroupByDesc& desc, const GroupPlan& plan,
                              const GroupByBuffers& b) {
  Operands operands;
  for (std::size_t i = 0; i < desc.keys.size(); ++i) {
    const GroupKey& key = desc.keys[i];
    const std::uint32_t size = size_of(key.type);
    const VkDeviceSize bits = key.nullable ? mask_bytes(plan.capacity) : 0;
    operands.add("keys", i, b.keys, plan.rows * size, size, false);
    operands.add("key_validity", i, b.key_validity, key.nullable ? mask_bytes(plan.rows) : 0, 4,
                 false);
    operands.add("out_keys", i, b.out_keys, wanted(view_at(b.out_keys, i), plan.capacity * size),
                 size, true);
    operands.add("out_key_validity", i, b.out_key_validity,
                 wanted(view_at(b.out_key_validity, i), bits), 4, true);
  }
  for (std::size_t i = 0; i < desc.values.size(); ++i) {
    bool used = false;
    for (const GroupAggregation& a : desc.aggregations) {
      used |= a.value == i && a.op != Aggregate::count_rows;
    }
    const GroupValue& value = desc.values[i];
    const std::uint32_t size = size_of(value.type);
    operands.add("values", i, b.values, used ? plan.rows * size : 0, size, false);
    operands.add("value_validity", i, b.value_validity,
                 used && value.nullable ? mask_bytes(plan.rows) : 0, 4, false);
  }
  for (std::size_t i = 0; i < desc.aggregations.size(); ++i) {
    const GroupAggregation& a = desc.aggregations[i];
    const Type type = a.op == Aggregate::count_rows ? Type::u32 : desc.values[a.value].type;
    const std::uint32_t size = size_of(group_result_type(a.op, type));
    operands.add("out", i, b.out, plan.capacity * size, size, true);
    operands.add("out_validity", i, b.out_validity,
                 wanted(view_at(b.out_validity, i), mask_bytes(plan.capacity)), 4, true);
  }
  operands.add(operand_of_u64("group_count", b.group_count));
  operands.add({"offsets", b.offsets, wanted(b.offsets, 4 * (plan.capacity + 1)), 4, true});
  operands.add({"order", b.order, wanted(b.order, 4 * plan.rows), 4, true});
  operands.add(operand_of_report(b.report));
  operands.add(operand_of(desc.count));
  operands.add(operand_of(b.scratch, plan.need));
  return operands.check();
}

}  // namespace vkprims

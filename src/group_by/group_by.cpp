// The host side of the primitive group_by.
#include "vkprims/group_by.hpp"

#include <utility>

#include "group_by/group_by_arguments.hpp"
#include "blocks/key_type.hpp"
#include "runtime/push.hpp"
#include "spirv/group_by_begin.hpp"
#include "spirv/group_by_column.hpp"
#include "spirv/group_by_dense.hpp"
#include "spirv/group_by_dense_groups.hpp"
#include "spirv/group_by_dense_totals.hpp"
#include "spirv/group_by_fix_up.hpp"
#include "spirv/group_by_groups.hpp"
#include "spirv/group_by_heads.hpp"
#include "spirv/group_by_nulls.hpp"
#include "spirv/group_by_reduce.hpp"
#include "spirv/group_by_result_validity.hpp"
#include "spirv/group_by_sizes.hpp"
#include "spirv/group_by_validity.hpp"
#include "spirv/group_by_window.hpp"
#include "runtime/validate.hpp"

namespace vkprims {
namespace {

constexpr const Spirv* kReduce[kGroupFamilies][2] = {
    {&spirv::group_by_reduce_stats_word, &spirv::group_by_reduce_stats_pair},
    {&spirv::group_by_reduce_places_word, &spirv::group_by_reduce_places_pair},
    {&spirv::group_by_reduce_distinct_word, &spirv::group_by_reduce_distinct_pair},
    {&spirv::group_by_reduce_moments_word, &spirv::group_by_reduce_moments_pair},
    {&spirv::group_by_reduce_moments64_word, &spirv::group_by_reduce_moments64_pair}};
constexpr const Spirv* kFixUp[kGroupFamilies][2] = {
    {&spirv::group_by_fix_up_stats_word, &spirv::group_by_fix_up_stats_pair},
    {&spirv::group_by_fix_up_places_word, &spirv::group_by_fix_up_places_pair},
    {&spirv::group_by_fix_up_distinct_word, &spirv::group_by_fix_up_distinct_pair},
    {&spirv::group_by_fix_up_moments_word, &spirv::group_by_fix_up_moments_pair},
    {&spirv::group_by_fix_up_moments64_word, &spirv::group_by_fix_up_moments64_pair}};

class Recording {
 public:
  Recording(const Device& device, const GroupByDesc& desc, const GroupByBuffers& buffers,
            bool may_compile)
      : device_(device),
        state_(*device.state()),
        desc_(desc),
        buffers_(buffers),
        plan_(plan_group_by(state_, device, desc)),
        may_compile_(may_compile) {
    carries_ = plan_.carried != kNoAggregation && !buffers.order.address;
    order_ = buffers.order.address ? BufferView{buffers.order.address, 4 * plan_.rows}
                                   : part(plan_.order, 4 * plan_.rows);
    if (carries_) order_.bytes = value(plan_.carried).bytes;
    offsets_ = buffers.offsets.address
                   ? BufferView{buffers.offsets.address, 4 * (plan_.capacity + 1)}
                   : part(plan_.offsets, 4 * (plan_.capacity + 1));
    tries_ = plan_.dense.tried && !buffers.offsets.address && !buffers.order.address;
    count_ = tries_ ? in_header(plan_.rows, VKP_GROUP_BY_SORT_ROWS_OFFSET) : desc.count;
    const bool on_host = !count_.address && !plan_.drops;
    rows_ = on_host ? Count(plan_.rows) : in_header(plan_.rows, VKP_GROUP_BY_ROWS_OFFSET);
    tiles_ = on_host ? Count(plan_.tiles) : in_header(plan_.tiles, VKP_GROUP_BY_TILES_OFFSET);
  }

  /// If `cmd` is null, only gets the pipelines of all commands except the scan.
  Status run(VkCommandBuffer cmd) {
    cmd_ = cmd;
    // A single sort of one column leaves the keys in order as well.
    sorted_keys_ = desc_.keys.size() == 1 && !desc_.keys[0].nullable;
    if (tries_) VKPRIMS_TRY(dense());
    if (tries_ && plan_.dense.alone) return {};
    VKPRIMS_TRY(carries_ ? sort_values() : sort_rows(order_.address, kNoAggregation));
    if (rows_.address) VKPRIMS_TRY(begin());
    for (std::uint32_t i = 0; i < desc_.keys.size(); ++i) VKPRIMS_TRY(heads(i));
    if (cmd_ && plan_.rows) {
      VKPRIMS_TRY(begin_command());
      const BufferView counts = part(plan_.counts, 4 * plan_.tiles);
      VKPRIMS_TRY(record_scan(cmd_, device_, group_count_scan(tiles_),
                              {.in = counts, .out = counts, .scratch = scratch(plan_.work)}));
    }
    for (std::uint32_t i = 0; i < desc_.keys.size(); ++i) VKPRIMS_TRY(groups(i));
    for (std::uint32_t i = 0; i < desc_.keys.size(); ++i) VKPRIMS_TRY(key_validity(i));
    for (std::uint32_t i = 0; i < desc_.aggregations.size(); ++i) VKPRIMS_TRY(sizes(i));
    for (std::uint32_t i = 0; i < desc_.aggregations.size(); ++i) VKPRIMS_TRY(certain_results(i));
    for (std::uint32_t i = 0; i < plan_.pass_count; ++i) VKPRIMS_TRY(reduce(plan_.passes[i]));
    return {};
  }

 private:
  BufferView part(VkDeviceSize offset, VkDeviceSize bytes) const {
    return {buffers_.scratch.address + offset, bytes};
  }
  Scratch scratch(VkDeviceSize offset) const {
    const Scratch& s = buffers_.scratch;
    return {s.buffer, s.offset + offset, s.address + offset, plan_.need.bytes - offset};
  }
  Count in_header(std::uint64_t max, VkDeviceSize offset,
                  CountWidth width = CountWidth::u64) const {
    return {max, buffers_.scratch.address + offset, width};
  }
  Access reads_header() const { return reads(buffers_.scratch.address, VKP_GROUP_BY_GRIDS_OFFSET); }
  static Access reads(const BufferView& v) { return vkprims::reads(v.address, v.bytes); }
  static Access reads(VkDeviceAddress a, VkDeviceSize n) { return vkprims::reads(a, n); }
  static Access writes(const BufferView& v) { return vkprims::writes(v.address, v.bytes); }

  BufferView key(std::uint32_t i) const {
    return {view_at(buffers_.keys, i).address, plan_.rows * size_of(desc_.keys[i].type)};
  }
  BufferView value(std::uint32_t i) const {
    return {view_at(buffers_.values, i).address, plan_.rows * size_of(desc_.values[i].type)};
  }
  static BufferView bits(std::span<const BufferView> views, std::uint32_t i, bool nullable,
                         std::uint64_t count) {
    return {nullable ? view_at(views, i).address : 0, nullable ? validity_bytes(count) : 0};
  }

  // Records a barrier before every command except the first.
  Status begin_command(BarrierBefore before = BarrierBefore::compute) {
    if (std::exchange(begun_, true)) return record_barrier(cmd_, device_, before);
    return {};
  }

  template <class Push>
  Status dispatch(const Spirv& spirv, Type type, std::uint32_t flags, const Push& push,
                  const Count& count, std::uint64_t items_per_group,
                  std::initializer_list<Access> accesses) {
    Specialization constants{.workgroup_size = VKP_GROUP_BY_WORKGROUP};
    constants.own[VKP_GROUP_BY_SPEC_TYPE - VKP_SPEC_FIRST_OWN] = key_type(type, desc_.float_order);
    constants.own[VKP_GROUP_BY_SPEC_FLAGS - VKP_SPEC_FIRST_OWN] = flags;
    return dispatch(spirv, constants, push, count, items_per_group, accesses);
  }
  template <class Push>
  Status dispatch(const Spirv& spirv, const Specialization& constants, const Push& push,
                  const Count& count, std::uint64_t items_per_group,
                  std::initializer_list<Access> accesses) {
    VkPipeline pipeline;
    VKPRIMS_TRY(state_.pipelines.get(state_.vk, spirv, constants, may_compile_, pipeline));
    // The first of several dispatches computes the sizes that they have in common.
    const bool of_tiles = count.address && count.address == tiles_.address;
    const std::uint32_t place = !of_tiles ? 2 : items_per_group == 1 ? 0 : 1;
    OldGrid grid;
    VKPRIMS_TRY(make_grid(state_, count, items_per_group,
                          scratch(VKP_GROUP_BY_GRIDS_OFFSET + place * kGridScratchBytes),
                          may_compile_, grid));
    if (grid.groups == 0) grid.groups = 1;  // the count of groups is written even without rows
    if (!cmd_) return {};
    if (of_tiles && grid.args_pipeline) grid.computed = std::exchange(computed_[place], true);
    VKPRIMS_TRY(begin_command(grid.computed ? BarrierBefore::compute_and_indirect
                                            : BarrierBefore::compute));
    CommandStream(state_, cmd_).dispatch(pipeline, push, grid, accesses);
    return {};
  }
  template <class Push>
  Status dispatch_tiles(const Spirv* const (&spirv)[2], Type type, std::uint32_t flags,
                        const Push& push, std::initializer_list<Access> accesses) {
    return dispatch(*spirv[size_of(type) == 8], type, flags, push, tiles_, 1, accesses);
  }

  // ---- Keys that may lie in a window. If they do, no rows are left to be sorted.

  Status dense() {
    const GroupDense& dense = plan_.dense;
    const bool has_values = dense.kind != VKP_GROUP_BY_NO_VALUES;
    const BufferView values = has_values ? value(dense.value) : BufferView(), keys = key(0);
    const VkDeviceSize words = VKP_GROUP_BY_DENSE_WORDS * dense.slots;
    const BufferView header = part(0, VKP_GROUP_BY_HEADER_BYTES),
                     totals = part(dense.totals, 4 * words);
    const BufferView partials = part(dense.partials, 4 * words * dense.groups);
    const std::uint32_t flip = desc_.keys[0].type == Type::i32 ? 0x80000000u : 0;
    abi::GroupByDensePush push{.keys = push_u64(keys.address),
                               .values = push_u64(values.address),
                               .header = push_u64(header.address),
                               .partials = push_u64(partials.address),
                               .totals = push_u64(totals.address),
                               .rows = push_count(desc_.count),
                               .flip = flip,
                               .bound = static_cast<std::uint32_t>(desc_.keys[0].bound),
                               .groups = dense.groups};
    Specialization constants{.workgroup_size = VKP_GROUP_BY_WORKGROUP};
    const auto own = [&](std::uint32_t constant) -> std::uint32_t& {
      return constants.own[constant - VKP_SPEC_FIRST_OWN];
    };
    own(VKP_GROUP_BY_DENSE_SPEC_KIND) = dense.kind;
    own(VKP_GROUP_BY_DENSE_SPEC_SLOTS) = dense.slots;
    VKPRIMS_TRY(dispatch(spirv::group_by_window, constants, push, 1, 1,
                         {vkprims::reads(desc_.count), reads(keys), writes(header)}));
    push.rows = push_count(in_header(plan_.rows, VKP_GROUP_BY_DENSE_ROWS_OFFSET));
    Specialization main_constants = constants;
    main_constants.workgroup_size = dense.workgroup_size;
    main_constants.own[VKP_GROUP_BY_DENSE_SPEC_EXTREMES - VKP_SPEC_FIRST_OWN] = dense.extremes;
    main_constants.own[VKP_GROUP_BY_DENSE_SPEC_ALIGNED - VKP_SPEC_FIRST_OWN] =
        (keys.address | values.address) % 16 == 0;
    VKPRIMS_TRY(dispatch(spirv::group_by_dense, main_constants, push, dense.groups, 1,
                         {reads(keys), reads(values), writes(header), writes(partials)}));
    constexpr std::uint32_t kSlotsEach = 8;  // as in dense_totals.comp
    VKPRIMS_TRY(dispatch(spirv::group_by_dense_totals, constants, push, dense.slots, kSlotsEach,
                         {reads(header), reads(partials), writes(totals)}));
    return dense_groups(constants, flip);
  }

  Status dense_groups(const Specialization& constants, std::uint32_t flip) {
    const GroupDense& dense = plan_.dense;
    const BufferView header = part(0, VKP_GROUP_BY_HEADER_BYTES);
    const BufferView totals = part(dense.totals, 4 * VKP_GROUP_BY_DENSE_WORDS * dense.slots);
    const BufferView key_view = view_at(buffers_.out_keys, 0);
    const BufferView out_keys{key_view.address, wanted(key_view, 4 * plan_.capacity)};
    const BufferView valid = part(dense.valid, VKP_GROUP_BY_DENSE_MOST_SLOTS / 8);
    BufferView out[5];
    abi::GroupByDenseGroupsPush push{.header = push_u64(header.address),
                                     .totals = push_u64(totals.address),
                                     .out_keys = push_u64(out_keys.address),
                                     .group_count = push_u64(buffers_.group_count.address),
                                     .report = push_u64(buffers_.report.address),
                                     .valid = push_u64(valid.address),
                                     .capacity = push_u64(plan_.capacity),
                                     .flip = flip,
                                     .alone = dense.alone};
    abi::VkpU64* const results[] = {&push.rows, &push.count, &push.sum, &push.low, &push.high};
    for (std::size_t i = 0; i < 5; ++i) {
      const std::uint32_t number = dense.results[i];
      if (number == kNoAggregation) continue;
      const bool wide = i == 2 && dense.kind != VKP_GROUP_BY_FLOAT;
      out[i] = {view_at(buffers_.out, number).address, plan_.capacity * (wide ? 8 : 4)};
      *results[i] = push_u64(out[i].address);
    }
    const BufferView report{buffers_.report.address, wanted(buffers_.report, sizeof(DeviceReport))};
    VKPRIMS_TRY(
        dispatch(spirv::group_by_dense_groups, constants, push, 1, 1,
                 {reads(totals), writes(header), writes(out_keys), writes(out[0]), writes(out[1]),
                  writes(out[2]), writes(out[3]), writes(out[4]), writes(valid),
                  vkprims::writes(buffers_.group_count.address, 8), writes(report)}));
    const Count groups = in_header(plan_.capacity, VKP_GROUP_BY_DENSE_GROUPS_OFFSET);
    for (std::size_t i = 0; i < 5; ++i) {
      const bool extreme = i > 2 && dense.kind == VKP_GROUP_BY_FLOAT;
      const BufferView bits = result_bits(dense.results[i]);
      VKPRIMS_TRY(result_validity(groups, extreme ? valid : BufferView(), bits));
    }
    return {};
  }

  // ---- The order of the rows.

  Status sort(VkDeviceAddress in, VkDeviceAddress order, Type type, std::uint32_t bits, bool first,
              bool keep) {
    const SortJob job = group_sort_job(desc_, count_, type, bits, first, keep);
    const VkDeviceAddress keys = buffers_.scratch.address + plan_.keys;
    const SortPlaces places{in, keep ? keys : 0, first ? 0 : order, order, scratch(plan_.work)};
    return sort(job, places);
  }
  Status sort(const SortJob& job, const SortPlaces& places) {
    SortPasses passes;
    VKPRIMS_TRY(passes.get(state_, job, places, may_compile_));
    if (!cmd_) return {};
    VKPRIMS_TRY(begin_command());
    CommandStream stream(state_, cmd_, "sort");
    passes.record(stream);
    return {};
  }

  // Sorts keys and values side by side.
  Status sort_values() {
    if (plan_.rows == 0) return {};
    const SortJob job = group_carry_job(desc_, count_, desc_.values[plan_.carried].type);
    const SortPlaces places{key(0).address, buffers_.scratch.address + plan_.keys,
                            value(plan_.carried).address, order_.address, scratch(plan_.work)};
    return sort(job, places);
  }

  // Writes to `keys` in scratch what is sorted in the next step.
  Status column(const BufferView& source, const BufferView& validity, VkDeviceAddress order,
                Type type, bool first) {
    static constexpr const Spirv* kColumn[] = {&spirv::group_by_column_word,
                                               &spirv::group_by_column_pair};
    const BufferView keys = part(plan_.keys, plan_.rows * size_of(type));
    const abi::GroupByColumnPush push{.column = push_u64(source.address),
                                      .validity = push_u64(validity.address),
                                      .order = push_u64(order),
                                      .result = push_u64(keys.address),
                                      .counts = {},
                                      .rows = push_count(count_)};
    const std::uint32_t flags =
        (validity.bytes ? VKP_GROUP_BY_NULLABLE : 0) | (first ? 0 : VKP_GROUP_BY_ORDERED);
    return dispatch(*kColumn[size_of(type) == 8], type, flags, push, count_, VKP_GROUP_BY_TILE,
                    {vkprims::reads(count_), reads(source), reads(validity),
                     reads(order, first ? 0 : 4 * plan_.rows), writes(keys)});
  }

  Status nulls(const BufferView& validity, VkDeviceAddress order, std::uint32_t flags) {
    const BufferView keys = part(plan_.keys, 4 * plan_.rows);
    const VkDeviceAddress kept = buffers_.scratch.address + VKP_GROUP_BY_KEPT_OFFSET;
    const abi::GroupByColumnPush push{.column = {},
                                      .validity = push_u64(validity.address),
                                      .order = push_u64(order),
                                      .result = push_u64(keys.address),
                                      .counts = push_u64(kept),
                                      .rows = push_count(count_)};
    return dispatch(spirv::group_by_nulls, Type::u32, flags, push, count_, VKP_GROUP_BY_TILE,
                    {vkprims::reads(count_), reads(validity), reads(order, 4 * plan_.rows),
                     writes(keys), vkprims::writes(kept, 4)});
  }

  Status sort_column(const BufferView& source, const BufferView& validity, VkDeviceAddress order,
                     Type type, std::uint32_t key_bits, bool first, bool nulls_last, bool keep) {
    const bool moved = !first || validity.bytes;
    if (moved) VKPRIMS_TRY(column(source, validity, order, type, first));
    const VkDeviceAddress keys = buffers_.scratch.address + plan_.keys;
    VKPRIMS_TRY(sort(moved ? keys : source.address, order, type, key_bits, first, keep));
    if (!validity.bytes || !nulls_last) return {};
    VKPRIMS_TRY(nulls(validity, order, 0));
    return sort(keys, order, Type::u32, 1, false, false);
  }

  // Sorts by all keys, and rows with the same keys by a column of values if there is one.
  Status sort_rows(VkDeviceAddress order, std::uint32_t value_column) {
    if (plan_.rows == 0) return {};
    bool first = true;
    if (value_column != kNoAggregation) {
      const GroupValue& v = desc_.values[value_column];
      VKPRIMS_TRY(sort_column(value(value_column),
                              bits(buffers_.value_validity, value_column, v.nullable, plan_.rows),
                              order, v.type, 0, true, true, false));
      first = false;
    }
    const bool drops = desc_.null_keys == NullKeys::drop;
    for (std::uint32_t i = static_cast<std::uint32_t>(desc_.keys.size()); i-- > 0; first = false) {
      const GroupKey& k = desc_.keys[i];
      VKPRIMS_TRY(sort_column(key(i), bits(buffers_.key_validity, i, k.nullable, plan_.rows), order,
                              k.type, group_key_bits(k), first, !drops,
                              sorted_keys_ && value_column == kNoAggregation));
    }
    return plan_.drops ? sort_dropped(order, value_column == kNoAggregation) : Status();
  }

  // Sorts rows with a null key to the end.
  Status sort_dropped(VkDeviceAddress order, bool count) {
    std::uint32_t left = 0;
    for (const GroupKey& k : desc_.keys) left += k.nullable;
    if (cmd_ && count) {
      VKPRIMS_TRY(begin_command());
      CommandStream(state_, cmd_).fill(scratch(0), VKP_GROUP_BY_KEPT_OFFSET, 4, 0);
    }
    std::uint32_t flags = 0;
    for (std::uint32_t i = 0; i < desc_.keys.size(); ++i) {
      if (!desc_.keys[i].nullable) continue;
      if (--left == 0 && count) flags |= VKP_GROUP_BY_KEPT;
      VKPRIMS_TRY(nulls(bits(buffers_.key_validity, i, true, plan_.rows), order, flags));
      flags |= VKP_GROUP_BY_FURTHER;
    }
    return sort(buffers_.scratch.address + plan_.keys, order, Type::u32, 1, false, false);
  }

  // ---- The groups.

  // Computes how many rows and tiles there are if the host does not know it.
  Status begin() {
    const Count count =
        plan_.drops ? in_header(plan_.rows, VKP_GROUP_BY_KEPT_OFFSET, CountWidth::u32) : count_;
    const abi::GroupByBeginPush push{.header = push_u64(buffers_.scratch.address),
                                     .rows = push_count(count)};
    return dispatch(spirv::group_by_begin, Type::u32, 0, push, 1, 1,
                    {vkprims::reads(count),
                     vkprims::writes(buffers_.scratch.address, VKP_GROUP_BY_GRIDS_OFFSET)});
  }

  // The place where a column of keys is found by sorted rows.
  BufferView sorted_key(std::uint32_t i) const {
    return sorted_keys_ ? part(plan_.keys, plan_.rows * size_of(desc_.keys[i].type)) : key(i);
  }

  Status heads(std::uint32_t i) {
    static constexpr const Spirv* kHeads[] = {&spirv::group_by_heads_word,
                                              &spirv::group_by_heads_pair};
    if (plan_.rows == 0) return {};
    const GroupKey& k = desc_.keys[i];
    const BufferView column = sorted_key(i),
                     heads = part(plan_.heads, VKP_GROUP_BY_TILE / 8 * plan_.tiles);
    const BufferView counts = part(plan_.counts, 4 * plan_.tiles);
    // If rows are dropped, those that are kept have no null keys.
    const BufferView validity =
        bits(buffers_.key_validity, i, k.nullable && !plan_.drops, plan_.rows);
    const abi::GroupByColumnPush push{.column = push_u64(column.address),
                                      .validity = push_u64(validity.address),
                                      .order = push_u64(order_.address),
                                      .result = push_u64(heads.address),
                                      .counts = push_u64(counts.address),
                                      .rows = push_count(rows_)};
    const std::uint32_t flags = (validity.bytes ? VKP_GROUP_BY_NULLABLE : 0) |
                                (sorted_keys_ ? 0 : VKP_GROUP_BY_ORDERED) |
                                (i ? VKP_GROUP_BY_FURTHER : 0);
    return dispatch_tiles(kHeads, k.type, flags, push,
                          {reads_header(), reads(column), reads(validity), reads(order_),
                           writes(heads), writes(counts)});
  }

  Status groups(std::uint32_t i) {
    static constexpr const Spirv* kGroups[] = {&spirv::group_by_groups_word,
                                               &spirv::group_by_groups_pair};
    const GroupKey& k = desc_.keys[i];
    const BufferView out = view_at(buffers_.out_keys, i), column = sorted_key(i);
    if (i && !out.address) return {};
    const abi::GroupByGroupsPush push{.column = push_u64(column.address),
                                      .order = push_u64(order_.address),
                                      .heads = push_u64(buffers_.scratch.address + plan_.heads),
                                      .counts = push_u64(buffers_.scratch.address + plan_.counts),
                                      .out_keys = push_u64(out.address),
                                      .offsets = push_u64(offsets_.address),
                                      .group_count = push_u64(buffers_.group_count.address),
                                      .report = push_u64(buffers_.report.address),
                                      .header = push_u64(buffers_.scratch.address),
                                      .capacity = push_u64(plan_.capacity),
                                      .rows = push_count(rows_)};
    const std::uint32_t flags = (sorted_keys_ ? 0 : VKP_GROUP_BY_ORDERED) |
                                (i ? VKP_GROUP_BY_FURTHER : 0) | (tries_ ? VKP_GROUP_BY_TRIED : 0);
    return dispatch_tiles(
        kGroups, k.type, flags, push,
        {reads(column), reads(order_),
         reads(part(plan_.heads, VKP_GROUP_BY_TILE / 8 * plan_.tiles)),
         reads(part(plan_.counts, 4 * plan_.tiles)),
         vkprims::writes(out.address, wanted(out, plan_.capacity * size_of(k.type))),
         writes(i ? BufferView() : offsets_),
         vkprims::writes(buffers_.group_count.address, i ? 0 : 8),
         vkprims::writes(buffers_.report.address,
                         i ? 0 : wanted(buffers_.report, sizeof(DeviceReport))),
         vkprims::writes(buffers_.scratch.address, VKP_GROUP_BY_GRIDS_OFFSET)});
  }

  Status rows_of_groups(const Spirv& spirv, const BufferView& validity, const BufferView& out,
                        std::uint32_t groups_each) {
    const Count groups = in_header(plan_.capacity, VKP_GROUP_BY_GROUPS_OFFSET);
    const abi::GroupByRowsPush push{.offsets = push_u64(offsets_.address),
                                    .order = push_u64(order_.address),
                                    .validity = push_u64(validity.address),
                                    .result = push_u64(out.address),
                                    .groups = push_count(groups)};
    return dispatch(spirv, Type::u32, 0, push, groups, VKP_GROUP_BY_WORKGROUP * groups_each,
                    {reads_header(), reads(offsets_), reads(order_), reads(validity), writes(out)});
  }

  Status key_validity(std::uint32_t i) {
    const BufferView out = view_at(buffers_.out_key_validity, i);
    if (!desc_.keys[i].nullable || !out.address || plan_.rows == 0) return {};
    return rows_of_groups(spirv::group_by_validity,
                          bits(buffers_.key_validity, i, true, plan_.rows),
                          {out.address, validity_bytes(plan_.capacity)}, 32);
  }

  // Computes counts that follow from where groups begin.
  Status sizes(std::uint32_t i) {
    const GroupAggregation& a = desc_.aggregations[i];
    const bool all = a.op == Aggregate::count_rows ||
                     (a.op == Aggregate::count && !desc_.values[a.value].nullable);
    if (!all || plan_.rows == 0) return {};
    return rows_of_groups(spirv::group_by_sizes, {},
                          {view_at(buffers_.out, i).address, 4 * plan_.capacity}, 1);
  }

  // ---- Which groups have a result.

  BufferView result_bits(std::uint32_t number) const {
    const BufferView view = view_at(buffers_.out_validity, number);
    return {view.address, wanted(view, validity_bytes(plan_.capacity))};
  }

  // Writes bits as in `from`, or all set, if the caller wants them.
  Status result_validity(const Count& groups, const BufferView& from, const BufferView& out) {
    if (!out.address || out.address == from.address) return {};
    const abi::GroupByRowsPush push{.offsets = {},
                                    .order = {},
                                    .validity = push_u64(from.address),
                                    .result = push_u64(out.address),
                                    .groups = push_count(groups)};
    return dispatch(spirv::group_by_result_validity, Type::u32, 0, push, groups,
                    VKP_GROUP_BY_WORKGROUP * 32,
                    {reads(part(0, VKP_GROUP_BY_HEADER_BYTES)), reads(from), writes(out)});
  }

  // Writes the validity of results that every group has.
  Status certain_results(std::uint32_t i) {
    const Aggregate op = desc_.aggregations[i].op;
    const bool certain = op == Aggregate::sum || op == Aggregate::count ||
                         op == Aggregate::count_rows || op == Aggregate::distinct;
    if (!certain || plan_.rows == 0) return {};
    return result_validity(in_header(plan_.capacity, VKP_GROUP_BY_GROUPS_OFFSET), {},
                           result_bits(i));
  }

  Status reduce(const GroupPass& pass) {
    if (plan_.rows == 0) return {};
    BufferView order = order_;
    if (pass.family == GroupFamily::distinct) {
      order = part(plan_.value_order, 4 * plan_.rows);
      VKPRIMS_TRY(sort_rows(order.address, pass.value));
    }
    const GroupValue& v = desc_.values[pass.value];
    BufferView column = value(pass.value);
    if (carries_) column.address = order.address;
    const BufferView validity = bits(buffers_.value_validity, pass.value, v.nullable, plan_.rows);
    BufferView out[4];
    abi::GroupByReducePush push{.column = push_u64(column.address),
                                .validity = push_u64(validity.address),
                                .order = push_u64(order.address),
                                .heads = push_u64(buffers_.scratch.address + plan_.heads),
                                .counts = push_u64(buffers_.scratch.address + plan_.counts),
                                .scratch = push_u64(buffers_.scratch.address + plan_.work),
                                .rows = push_count(rows_),
                                .capacity = static_cast<std::uint32_t>(plan_.capacity),
                                .max_tiles = static_cast<std::uint32_t>(plan_.tiles)};
    abi::VkpU64* const results[] = {&push.result0, &push.result1, &push.result2, &push.result3};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint32_t number = pass.results[i];
      if (number == kNoAggregation) continue;
      const Type type = group_result_type(desc_.aggregations[number].op, v.type);
      out[i] = {view_at(buffers_.out, number).address, plan_.capacity * size_of(type)};
      *results[i] = push_u64(out[i].address);
    }
    // Results that exist for the same groups share bits, which are those of the first one that is
    // wanted.
    const Count groups = in_header(plan_.capacity, VKP_GROUP_BY_GROUPS_OFFSET);
    BufferView shared[kNoBits + 1];
    for (std::size_t i = 0; i < 4; ++i) {
      BufferView& bits = shared[group_pass_bits(pass.family, i)];
      if (!bits.address) bits = result_bits(pass.results[i]);
    }
    shared[kNoBits] = {};
    for (const BufferView& bits : shared) VKPRIMS_TRY(result_validity(groups, {}, bits));
    push.valid0 = push_u64(shared[0].address);
    push.valid1 = push_u64(shared[1].address);
    const BufferView work = part(plan_.work, plan_.need.bytes - plan_.work);
    const auto family = static_cast<std::uint32_t>(pass.family);
    const std::initializer_list<Access> accesses = {
        reads_header(),
        reads(column),
        reads(validity),
        reads(order),
        reads(part(plan_.heads, VKP_GROUP_BY_TILE / 8 * plan_.tiles)),
        reads(part(plan_.counts, 4 * plan_.tiles)),
        writes(out[0]),
        writes(out[1]),
        writes(out[2]),
        writes(out[3]),
        writes(shared[0]),
        writes(shared[1]),
        writes(work)};
    const std::uint32_t flags = pass.flags | (carries_ ? 0 : VKP_GROUP_BY_ORDERED);
    VKPRIMS_TRY(dispatch_tiles(kReduce[family], v.type, flags, push, accesses));
    VKPRIMS_TRY(dispatch(*kFixUp[family][size_of(v.type) == 8], v.type, flags, push, tiles_,
                         VKP_GROUP_BY_WORKGROUP, accesses));
    for (std::size_t i = 0; i < 4; ++i) {
      const BufferView& bits = shared[group_pass_bits(pass.family, i)];
      if (bits.address) VKPRIMS_TRY(result_validity(groups, bits, result_bits(pass.results[i])));
    }
    return {};
  }

  const Device& device_;
  DeviceState& state_;
  const GroupByDesc& desc_;
  const GroupByBuffers& buffers_;
  const GroupPlan plan_;
  const bool may_compile_;
  VkCommandBuffer cmd_ = VK_NULL_HANDLE;
  bool begun_ = false;
  bool computed_[2] =
      {};  // sizes of grids: of tiles, and of so many tiles as a workgroup of fix_up.comp has
  BufferView order_, offsets_;  // of rows, or of values carried with keys; where groups begin
  bool tries_ = false;          // whether a window of keys is tried
  bool carries_ = false;        // whether values are sorted with the keys
  Count count_;                 // rows to be sorted
  Count rows_, tiles_;          // rows that belong to groups, and tiles of them
  bool sorted_keys_ = false;
};

}  // namespace

ScratchNeed group_by_scratch(const Device& device, const GroupByDesc& desc) {
  if (!device || !check_group_by_desc(*device.state(), desc)) return {};
  return plan_group_by(*device.state(), device, desc).need;
}

Status record_group_by(VkCommandBuffer cmd, const Device& device, const GroupByDesc& desc,
                       const GroupByBuffers& buffers) {
  VKPRIMS_RECORD_CALL("group_by", cmd, device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_group_by_desc(state, desc));
  const GroupPlan plan = plan_group_by(state, device, desc);
  VKPRIMS_TRY(check_group_by_buffers(desc, plan, buffers));
  const bool may_compile = state.info.pipelines == PipelinePolicy::lazy;
  {
    const Rehearsal rehearsal;
    VKPRIMS_TRY(Recording(device, desc, buffers, may_compile).run(cmd));
  }
  const CommandStream label(state, cmd);
  return Recording(device, desc, buffers, may_compile).run(cmd);
}

Status warm_up(const Device& device, const GroupByDesc& desc) {
  VKPRIMS_WARM_UP_CALL("group_by", device);
  DeviceState& state = *device.state();
  VKPRIMS_TRY(check_group_by_desc(state, desc));
  GroupByDesc any = desc;
  any.count = {kMaxGroupRows, 8, CountWidth::u64};
  any.capacity = {};
  // All outputs are wanted, with and without the order, which takes a sort. The addresses, which
  // are never used, have two alignments.
  std::array<BufferView, kMaxGroupAggregations> outputs;
  outputs.fill({16, 16});
  for (const VkDeviceAddress address : {16, 4}) {
    const BufferView column{address, 16};
    for (const BufferView& order : {BufferView(), column}) {
      const GroupByBuffers buffers{.keys = {&column, 1},
                                   .out_keys = outputs,
                                   .out_key_validity = outputs,
                                   .out_validity = outputs,
                                   .order = order,
                                   .scratch = {.address = 16}};
      VKPRIMS_TRY(Recording(device, any, buffers, true).run(VK_NULL_HANDLE));
    }
  }
  for (const GroupKey& key : desc.keys) {
    for (const bool first : {true, false}) {
      VKPRIMS_TRY(warm_up_sort(
          state, group_sort_job(any, any.count, key.type, group_key_bits(key), first, true)));
    }
  }
  for (const GroupValue& v : desc.values) {
    VKPRIMS_TRY(warm_up_sort(state, group_carry_job(any, any.count, v.type)));
    VKPRIMS_TRY(warm_up_sort(state, group_sort_job(any, any.count, v.type, 0, true, true)));
  }
  VKPRIMS_TRY(warm_up_sort(state, group_sort_job(any, any.count, Type::u32, 1, false, true)));
  return warm_up(device, group_count_scan(any.count));
}

}  // namespace vkprims

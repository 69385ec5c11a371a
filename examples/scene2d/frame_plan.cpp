// The calls of a frame, stage by stage. docs/embedding.md shows parts of this file.
#include "frame_plan.hpp"

#include <bit>
#include <cstddef>
#include <initializer_list>

#include "scene2d/bounds.hpp"
#include "scene2d/cell_edges.hpp"
#include "scene2d/classify.hpp"
#include "scene2d/clip_values.hpp"
#include "scene2d/crossings.hpp"
#include "scene2d/decode.hpp"
#include "scene2d/drawn.hpp"
#include "scene2d/edge_counts.hpp"
#include "scene2d/edges.hpp"
#include "scene2d/fine.hpp"
#include "scene2d/items.hpp"
#include "scene2d/line_counts.hpp"
#include "scene2d/lines.hpp"
#include "scene2d/pair_counts.hpp"
#include "scene2d/pairs.hpp"
#include "scene2d/path.hpp"
#include "scene2d/places.hpp"
#include "scene2d/segment_boxes.hpp"
#include "scene2d/visible.hpp"

namespace scene2d {
namespace {

using vkprims::BufferView;
using Arrays = std::initializer_list<std::uint64_t Frame::*>;
using F = Frame;

// Offsets are written behind the first one, which is 0.
BufferView behind_first(BufferView view) {
  return {view.address + 4, view.bytes - 4, view.buffer, view.offset + 4};
}

}  // namespace

// Records steps, with a barrier behind each.
class FramePlan::Recording {
 public:
  Recording(const FramePlan& plan, VkCommandBuffer cmd, const vkprims::Scratch& scratch)
      : plan_(plan), cmd_(cmd), scratch_(scratch) {}

  VkCommandBuffer cmd() const { return cmd_; }
  const vkprims::Device& device() const { return plan_.device_; }
  const vkprims::Scratch& scratch() const { return scratch_; }

  // A call of the library has done its part; what follows sees its results.
  void operator()(const vkprims::Status& recorded) const {
    check(recorded);
    check(vkprims::record_barrier(cmd_, plan_.device_));
  }

  // The next step uses nothing of this one, nor does it write what this one uses. The barrier
  // behind that one is for both.
  void beside(const vkprims::Status& recorded) const { check(recorded); }

  // One invocation for each of `items`, at least one. The arrays are for tools that look for
  // hazards; 15 that are read can be named, those that were written last.
  template <class Push>
  void kernel(vkprims::Status (*record)(VkCommandBuffer, const vkprims::Device&,
                                        vkprims::KernelDesc, const Push&),
              std::uint64_t items, Arrays reads, Arrays writes) const {
    groups(record, items == 0 ? 1 : (items + 127) / 128, reads, writes);
  }

  template <class Push>
  void groups(vkprims::Status (*record)(VkCommandBuffer, const vkprims::Device&,
                                        vkprims::KernelDesc, const Push&),
              std::uint64_t workgroups, Arrays reads, Arrays writes) const {
    vkprims::KernelDesc desc{.groups = workgroups};
    desc.reads[0] = plan_.arrays_.frame_view();
    std::size_t i = 1, k = 0;
    for (const auto array : reads) desc.reads[i++] = plan_.arrays_[array];
    for (const auto array : writes) desc.writes[k++] = plan_.arrays_[array];
    (*this)(record(cmd_, plan_.device_, desc, Push{.frame = plan_.arrays_.frame_view()}));
  }

 private:
  const FramePlan& plan_;
  VkCommandBuffer cmd_;
  vkprims::Scratch scratch_;
};

// A number of Results, 64 bits wide, as a count.
vkprims::Count FramePlan::count_at(std::size_t offset, std::uint64_t max) const {
  return {max, arrays_.frame().results + offset, vkprims::CountWidth::u64};
}

BufferView FramePlan::result(std::size_t offset, VkDeviceSize bytes) const {
  const BufferView all = arrays_[&F::results];
  return {all.address + offset, bytes, all.buffer, all.offset + offset};
}

FramePlan::FramePlan(const vkprims::Device& device, const FrameArrays& arrays)
    : device_(device), arrays_(arrays) {
  using vkprims::Count, vkprims::Op, vkprims::ScanKind, vkprims::StackInput, vkprims::Type;
  const Frame& f = arrays.frame();
  const Room& room = arrays.room();
  const std::uint64_t tiles = std::uint64_t{f.tiles_across} * f.tiles_down;
  const Count items = count_at(offsetof(Results, items), f.ops_in_all);
  const Count pairs = count_at(offsetof(Results, pairs), room.pairs);
  const Count lines = count_at(offsetof(Results, lines), room.lines);
  const Count edges = count_at(offsetof(Results, edges), room.edges);

  count_tags_ = {.kind = ScanKind::exclusive, .count = f.words};
  multiply_transforms_ = {
      .input = StackInput::tags_u32, .monoid = vkprims::StackMonoid::affine, .count = f.ops_in_all};
  unite_boxes_ = {.count = f.ops_in_all, .value_count = f.segments_in_all};
  intersect_clips_ = {.input = StackInput::tags_u32,
                      .monoid = vkprims::StackMonoid::rectangle_intersection,
                      .count = f.ops_in_all};
  select_visible_ = {.count = f.ops_in_all};

  const auto begins_of = [](const Count& count) {
    return vkprims::ScanDesc{
        .type = Type::u32, .op = Op::add, .kind = ScanKind::inclusive, .count = count};
  };
  const auto expansion = [&](const Count& count, std::uint64_t capacity,
                             Expansion arrays_and_results) {
    arrays_and_results.begin = begins_of(count);
    arrays_and_results.expand = {
        .input = vkprims::ExpandInput::offsets, .count = count, .capacity = capacity};
    return arrays_and_results;
  };
  pairs_ = expansion(items, room.pairs,
                     {.counts = &F::pair_counts,
                      .begins = &F::pair_begins,
                      .indices = &F::pair_items,
                      .ranks = &F::pair_ranks,
                      .total = offsetof(Results, pairs),
                      .report = offsetof(Results, pair_report)});
  lines_ = expansion(f.segments_in_all, room.lines,
                     {.counts = &F::line_counts,
                      .begins = &F::line_begins,
                      .indices = &F::line_segments,
                      .ranks = &F::line_ranks,
                      .total = offsetof(Results, lines),
                      .report = offsetof(Results, line_report)});
  edges_ = expansion(lines, room.edges,
                     {.counts = &F::edge_counts,
                      .begins = &F::edge_begins,
                      .indices = &F::edge_lines,
                      .ranks = &F::edge_ranks,
                      .total = offsetof(Results, edges),
                      .report = offsetof(Results, edge_report)});
  crossings_ = expansion(edges, room.crossings,
                         {.counts = &F::crossing_counts,
                          .begins = &F::crossing_begins,
                          .indices = &F::crossing_edges,
                          .ranks = &F::crossing_ranks,
                          .total = offsetof(Results, crossings),
                          .report = offsetof(Results, crossing_report)});
  begin_cells_ = begins_of(pairs);
  begin_cells_.kind = ScanKind::exclusive;
  sum_backdrops_ = begins_of(pairs);
  sum_backdrops_.type = Type::i32;

  sort_pairs_ = {.value_bytes = 4,
                 .end_bit = static_cast<std::uint32_t>(std::bit_width(tiles)),
                 .count = pairs};
  find_tiles_ = {.ranges = tiles, .count = pairs};
  select_drawn_ = {.count = tiles};
  draw_tiles_ = {.count = count_at(offsetof(Results, tiles), tiles), .other_number = 6};
}

vkprims::ScratchNeed FramePlan::scratch() const {
  return vkprims::scratch_max({
      path::scan_scratch(device_, count_tags_),
      stack_fold_scratch(device_, multiply_transforms_),
      bounds::segmented_reduce_scratch(device_, unite_boxes_),
      stack_fold_scratch(device_, intersect_clips_),
      visible::select_scratch(device_, select_visible_),
      scan_scratch(device_, pairs_.begin),
      expand_scratch(device_, pairs_.expand),
      radix_sort_scratch(device_, sort_pairs_),
      scan_scratch(device_, lines_.begin),
      expand_scratch(device_, lines_.expand),
      scan_scratch(device_, edges_.begin),
      expand_scratch(device_, edges_.expand),
      scan_scratch(device_, crossings_.begin),
      expand_scratch(device_, crossings_.expand),
      scan_scratch(device_, begin_cells_),
      scan_scratch(device_, sum_backdrops_),
      drawn::select_scratch(device_, select_drawn_),
  });
}

void FramePlan::record_expansion(Recording& r, const Expansion& x) const {
  const auto& a = arrays_;
  r(record_scan(r.cmd(), r.device(), x.begin,
                {.in = a[x.counts], .out = behind_first(a[x.begins]), .scratch = r.scratch()}));
  r(record_expand(r.cmd(), r.device(), x.expand,
                  {.in = a[x.begins],
                   .indices = a[x.indices],
                   .ranks = a[x.ranks],
                   .total = result(x.total, 8),
                   .report = result(x.report, sizeof(Report)),
                   .scratch = r.scratch()}));
}

void FramePlan::record_paths(Recording& r) const {
  const Frame& f = arrays_.frame();
  const auto& a = arrays_;
  r(path::record_scan(r.cmd(), r.device(), count_tags_,
                      {.in = a[&F::tags], .out = a[&F::counts_before], .scratch = r.scratch()}));
  r.kernel(decode::record, f.words, {&F::tags, &F::ops, &F::counts_before},
           {&F::segments, &F::subpaths, &F::op_segments, &F::transform_symbols, &F::transforms,
            &F::clip_symbols});
}

void FramePlan::record_bounds(Recording& r) const {
  const Frame& f = arrays_.frame();
  const auto& a = arrays_;
  r(record_stack_fold(r.cmd(), r.device(), multiply_transforms_,
                      {.symbols = a[&F::transform_symbols],
                       .values = a[&F::transforms],
                       .out = a[&F::matrices],
                       .scratch = r.scratch()}));
  r.kernel(segment_boxes::record, f.segments_in_all,
           {&F::segments, &F::subpaths, &F::points, &F::ops, &F::matrices}, {&F::segment_boxes});
  r(bounds::record_segmented_reduce(r.cmd(), r.device(), unite_boxes_,
                                    {.values = a[&F::segment_boxes],
                                     .offsets = a[&F::op_segments],
                                     .out = a[&F::op_boxes],
                                     .scratch = r.scratch()}));
}

void FramePlan::record_clips(Recording& r) const {
  const Frame& f = arrays_.frame();
  const auto& a = arrays_;
  r.kernel(clip_values::record, f.ops_in_all, {&F::ops, &F::op_boxes}, {&F::clip_values});
  r(record_stack_fold(r.cmd(), r.device(), intersect_clips_,
                      {.symbols = a[&F::clip_symbols],
                       .values = a[&F::clip_values],
                       .out = a[&F::clip_boxes],
                       .match = a[&F::clip_match],
                       .header = result(offsetof(Results, brackets), sizeof(Results::brackets)),
                       .scratch = r.scratch()}));
}

void FramePlan::record_items(Recording& r) const {
  const Frame& f = arrays_.frame();
  const auto& a = arrays_;
  r.kernel(items::record, f.ops_in_all,
           {&F::ops, &F::paints, &F::matrices, &F::op_boxes, &F::clip_values, &F::clip_boxes,
            &F::clip_match},
           {&F::op_items, &F::brushes, &F::item_of_op});
  r(visible::record_select(r.cmd(), r.device(), select_visible_,
                           {.in = a[&F::op_items],
                            .out = a[&F::items],
                            .selected_count = result(offsetof(Results, items), 8),
                            .scratch = r.scratch()}));
  r.kernel(pair_counts::record, f.ops_in_all, {&F::items, &F::results},
           {&F::pair_begins, &F::pair_counts, &F::item_of_op});
}

void FramePlan::record_tiles(Recording& r) const {
  const auto& a = arrays_;
  record_expansion(r, pairs_);
  r.kernel(pairs::record, a.room().pairs, {&F::items, &F::pair_items, &F::pair_ranks, &F::results},
           {&F::pair_tiles, &F::pair_numbers, &F::backdrops});
  r(record_radix_sort(r.cmd(), r.device(), sort_pairs_,
                      {.in = a[&F::pair_tiles],
                       .out = a[&F::sorted_tiles],
                       .values_in = a[&F::pair_numbers],
                       .values_out = a[&F::sorted_pairs],
                       .scratch = r.scratch()}));
  r.beside(record_key_ranges(r.cmd(), r.device(), find_tiles_,
                             {.in = a[&F::sorted_tiles], .out = a[&F::tile_begins]}));
  r.kernel(places::record, a.room().pairs, {&F::sorted_pairs, &F::results},
           {&F::places, &F::cell_counts});
}

void FramePlan::record_lines(Recording& r) const {
  const Frame& f = arrays_.frame();
  const auto& a = arrays_;
  r.kernel(line_counts::record, f.segments_in_all,
           {&F::segments, &F::subpaths, &F::points, &F::ops, &F::matrices, &F::item_of_op},
           {&F::line_counts, &F::line_begins});
  record_expansion(r, lines_);
  r.kernel(lines::record, a.room().lines,
           {&F::segments, &F::subpaths, &F::points, &F::line_segments, &F::line_ranks,
            &F::line_counts, &F::results},
           {&F::lines, &F::edge_begins});
}

void FramePlan::record_edges(Recording& r) const {
  const auto& a = arrays_;
  r.kernel(edge_counts::record, a.room().lines,
           {&F::lines, &F::line_segments, &F::line_begins, &F::segments, &F::subpaths, &F::ops,
            &F::matrices, &F::results},
           {&F::edge_counts});
  record_expansion(r, edges_);
  r.kernel(edges::record, a.room().edges,
           {&F::lines, &F::line_segments, &F::line_begins, &F::segments, &F::subpaths, &F::ops,
            &F::matrices, &F::edge_lines, &F::edge_ranks, &F::item_of_op, &F::items, &F::results},
           {&F::edges, &F::edge_items, &F::crossing_counts, &F::crossing_begins});
}

void FramePlan::record_coverage(Recording& r) const {
  const auto& a = arrays_;
  record_expansion(r, crossings_);
  r.kernel(crossings::record, a.room().crossings,
           {&F::crossing_edges, &F::crossing_ranks, &F::edges, &F::edge_items, &F::items,
            &F::pair_begins, &F::places, &F::op_segments, &F::line_begins, &F::edge_begins,
            &F::crossing_begins, &F::results},
           {&F::crossing_cells, &F::crossing_slots, &F::cell_counts, &F::backdrops});
  r(record_scan(r.cmd(), r.device(), begin_cells_,
                {.in = a[&F::cell_counts], .out = a[&F::cell_begins], .scratch = r.scratch()}));
  r.beside(record_scan(r.cmd(), r.device(), sum_backdrops_,
                       {.in = a[&F::backdrops], .out = a[&F::backdrops], .scratch = r.scratch()}));
  r.kernel(
      cell_edges::record, a.room().crossings,
      {&F::crossing_cells, &F::crossing_slots, &F::crossing_edges, &F::cell_begins, &F::results},
      {&F::cell_edges});
}

void FramePlan::record_picture(Recording& r) const {
  const auto& a = arrays_;
  const Frame& f = a.frame();
  r.kernel(classify::record, a.room().pairs,
           {&F::sorted_pairs, &F::pair_items, &F::pair_ranks, &F::items, &F::ops, &F::brushes,
            &F::pair_begins, &F::item_of_op, &F::places, &F::cell_counts, &F::cell_begins,
            &F::backdrops, &F::edge_begins, &F::crossing_begins, &F::results},
           {&F::entries});
  r.groups(fine::record, std::uint64_t{f.tiles_across} * f.tiles_down,
           {&F::tile_begins, &F::entries, &F::ops, &F::brushes, &F::paints, &F::stops,
            &F::cell_begins, &F::cell_counts, &F::cell_edges, &F::edges},
           {&F::saved, &F::picture, &F::tile_sizes, &F::results});
  r(drawn::record_select(r.cmd(), r.device(), select_drawn_,
                         {.in = a[&F::tile_sizes],
                          .indices = a[&F::drawn_tiles],
                          .selected_count = result(offsetof(Results, tiles), 8),
                          .scratch = r.scratch()}));
  check(record_draw_args(r.cmd(), r.device(), draw_tiles_,
                         {.args = result(offsetof(Results, draw), sizeof(Results::draw))}));
}

void FramePlan::record(VkCommandBuffer cmd, const vkprims::Scratch& scratch,
                       const OnStage& on_stage) const {
  Recording r(*this, cmd, scratch);
  const BufferView results = arrays_[&F::results];
  vkCmdFillBuffer(cmd, results.buffer, results.offset, results.bytes / 4 * 4, 0);
  check(vkprims::record_barrier(cmd, device_));
  const std::pair<const char*, void (FramePlan::*)(Recording&) const> stages[] = {
      {"paths", &FramePlan::record_paths},    {"bounds", &FramePlan::record_bounds},
      {"clips", &FramePlan::record_clips},    {"items", &FramePlan::record_items},
      {"tiles", &FramePlan::record_tiles},    {"lines", &FramePlan::record_lines},
      {"edges", &FramePlan::record_edges},    {"coverage", &FramePlan::record_coverage},
      {"picture", &FramePlan::record_picture}};
  for (const auto& [name, record_stage] : stages) {
    if (on_stage) on_stage(name);
    (this->*record_stage)(r);
  }
}

}  // namespace scene2d

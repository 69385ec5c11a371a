// Folds of segments over monoids that do not commute, through the GLSL contract that users have.
#include "oracles/monoids.hpp"
#include "reduce/segmented.hpp"
#include "reduce/segmented_reduce/segmented_reduce.abi.h"
#include "runtime/push.hpp"
#include "spirv/monoid_segmented_fix_up.hpp"
#include "spirv/monoid_segmented_tiles.hpp"
#include "support/run_commands.hpp"
#include "support/segment_lengths.hpp"

namespace vkprims::test {
namespace {

template <class M>
void check_segments(const Spirv& tiles, const Spirv& fix_up, Spread spread, std::uint64_t n) {
  CAPTURE(std::string(tiles.name));
  CAPTURE(static_cast<int>(spread));
  CAPTURE(n);
  using Element = typename M::Element;
  const Device& d = device(kTinyTiles);
  constexpr std::uint32_t words = std::tuple_size_v<Element>;
  const std::vector<Element> elements = oracle::elements<M>(1, n);
  const auto offsets = offsets_of<std::uint32_t>(lengths(spread, n, 5));
  const std::uint64_t segments = offsets.size() - 1;

  const Guarded values(elements, words == 2 ? 8 : 4);
  const Guarded bounds(offsets, 4);
  const Guarded out(segments * sizeof(Element), 8);
  const SegmentedPlan plan = segmented_plan(*d.state(), words, segments, n);
  const DirtyScratch scratch(plan.need);
  const abi::SegmentedReducePush push{.value_base = push_u64(values.address()),
                                      .offset_base = push_u64(bounds.address()),
                                      .out_base = push_u64(out.address()),
                                      .scratch = push_u64(scratch.get().address),
                                      .count = push_count(segments),
                                      .value_count = push_u64(n),
                                      .max_tiles = static_cast<std::uint32_t>(plan.max_tiles)};
  const Operand offset_operand{"offsets", bounds.view(), bounds.view().bytes};
  run_commands("monoid_segmented", d, [&](Commands& commands) {
    return add_segmented(commands, plan, tiles, fix_up,
                         segmented_specialization(plan, IndexWidth::u32),
                         {offset_operand, segments, n, scratch.get()}, push,
                         {reads(values.view()), offset_operand, writes_header(plan, scratch.get()),
                          writes_records(plan, scratch.get()), writes(out.view())});
  });
  std::vector<Element> expected(segments, M::kIdentity);
  for (std::uint64_t s = 0; s < segments; ++s) {
    for (std::uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      expected[s] = M::combine(expected[s], elements[i]);
    }
  }
  const bool equal = out.read<Element>() == expected;
  CHECK(equal);
}

template <class M>
void check_monoid(const Spirv& tiles, const Spirv& fix_up) {
  for (const Spread spread : {Spread::tens, Spread::one, Spread::empty_runs}) {
    check_segments<M>(tiles, fix_up, spread, 9000);
  }
  // These segments reach from one workgroup of the fix-up to the next.
  check_segments<M>(tiles, fix_up, Spread::power_law, 200'000);
  check_segments<M>(tiles, fix_up, Spread::one, 200'000);
}

}  // namespace

TEST_CASE("segmented_reduce: brackets, which do not commute") {
  check_monoid<oracle::Bicyclic>(spirv::monoid_segmented_tiles_bicyclic,
                                 spirv::monoid_segmented_fix_up_bicyclic);
}

TEST_CASE("segmented_reduce: only neighbours are combined, and each of them") {
  check_monoid<oracle::Illegal>(spirv::monoid_segmented_tiles_illegal,
                                spirv::monoid_segmented_fix_up_illegal);
  check_segments<oracle::Illegal>(spirv::monoid_segmented_tiles_illegal,
                                  spirv::monoid_segmented_fix_up_illegal, Spread::tens, 50);
}

TEST_CASE("segmented_reduce: elements of 32 bytes") {
  check_monoid<oracle::Wide>(spirv::monoid_segmented_tiles_wide,
                             spirv::monoid_segmented_fix_up_wide);
}

}  // namespace vkprims::test

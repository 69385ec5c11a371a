// Tests shaders/vkprims/device/map.glsl by its public contract: its functions are not built in.
#include "elementwise/map.hpp"

#include "blocks/tile.hpp"
#include "elementwise/transform/transform.abi.h"
#include "runtime/push.hpp"
#include "spirv/map_norm.hpp"
#include "spirv/map_triples.hpp"
#include "support/run_commands.hpp"

namespace vkprims::test {

TEST_CASE("map: functions of one's own in the kernel") {
  const Device& d = device(kTinyTiles);
  const Tuning& tuning = d.state()->tuning;
  // Does what record_transform() does, with another shader; elements have `in_words` and
  // `out_words` words.
  const auto map = [&](const Spirv& spirv, bool two, std::uint64_t n, std::uint32_t items,
                       bool aligned, const Guarded& a, const Guarded& b, const Guarded& out) {
    Specialization constants = tile_specialization(tuning, aligned ? 4 : 1);
    constants.set(VKP_MAP_SPEC_INPUTS, two ? 2 : 1);
    const abi::TransformPush push{.a_base = push_u64(a.address()),
                                  .b_base = push_u64(b.address()),
                                  .out_base = push_u64(out.address()),
                                  .count = push_count(n)};
    const std::uint64_t tile = std::uint64_t{tuning.workgroup_size} * items;
    run_commands("map", d, [&](Commands& commands) {
      return commands.dispatch(spirv, constants, push, Grid(ceil_div(n + items - 1, tile)),
                               {reads(a.view()), reads(b.view()), writes(out.view())});
    });
    return out.read<std::uint32_t>();
  };
  for (const std::uint64_t n : {1, 127, 128, 129, 1000}) {
    for (const bool aligned : {false, true}) {
      const auto a = random_values<std::uint32_t>(3 * n, 1);
      auto b = random_values<std::uint32_t>(3 * n, 2);
      for (const bool two : {false, true}) {
        std::vector<std::uint32_t> want;
        for (std::uint64_t i = 0; i < n; ++i) {
          const std::uint32_t* x = &a[3 * i];
          const std::uint32_t scalar[] = {3, 5, 7};
          const std::uint32_t* y = two ? &b[3 * i] : scalar;
          want.push_back(x[0] * y[0] + x[1] * y[1] + x[2] * y[2]);
          want.push_back(x[0] ^ y[2]);
        }
        const Guarded out(8 * n);
        CHECK(difference(
                  map(spirv::map_triples, two, n, 1, aligned, Guarded(a, 12), Guarded(b, 4), out),
                  want) == "");
      }
      std::vector<std::uint32_t> want;
      for (std::uint64_t i = 0; i < 3 * n; ++i) want.push_back(a[i] * a[i] + b[i] * b[i]);
      const Guarded out(12 * n, 4);
      CHECK(difference(
                map(spirv::map_norm, true, 3 * n, 4, aligned, Guarded(a, 4), Guarded(b, 4), out),
                want) == "");
    }
  }
}

}  // namespace vkprims::test

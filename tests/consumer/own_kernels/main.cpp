// The application's own dispatches and the library's primitives in one command buffer.
#include <algorithm>

#include "../shared/app.hpp"
#include "kernels/brackets.abi.h"
#include "spirv/brackets.hpp"
#include "spirv/match.hpp"
#include "vkprims/copy.hpp"
#include "vkprims/iota.hpp"
#include "vkprims/reduce.hpp"
#include "vkprims/spec.h"

namespace {

constexpr std::uint32_t kCount = 100003;
constexpr std::uint32_t kWorkgroup = 128;
constexpr std::uint32_t kGroups = 16;

struct BracketsPush {
  VkDeviceAddress numbers, brackets;
  std::uint32_t count;
};
struct MatchPush {
  VkDeviceAddress brackets, scratch, result;
  std::uint32_t count, groups;
};

void check_variant(App& app, const vkprims::Spirv& brackets_spirv) {
  // The specialization constants are, by number: workgroup size, rows, row words, operator
  // (unused), and whether the operator commutes.
  static_assert(VKP_SPEC_WORKGROUP_SIZE == 0 && VKP_SPEC_ROWS == 1 && VKP_SPEC_ROW_WORDS == 2);
  const Kernel brackets = app.kernel(brackets_spirv, {kWorkgroup});
  const Kernel match = app.kernel(app::match, {kWorkgroup, 4, 4, 0, 0});

  const Memory numbers = app.allocate(4 * kCount);
  const Memory made = app.allocate(8 * kCount);
  const Memory copied = app.allocate(8 * kCount);
  const Memory partial = app.allocate(16 + 8 * kGroups);
  const Memory result = app.allocate(8);
  const Memory largest = app.allocate(4);
  const vkprims::ReduceDesc max{.op = vkprims::Op::max, .count = kCount};
  const vkprims::Scratch scratch = app.scratch(vkprims::reduce_scratch(app.prims, max));

  app.run([&](VkCommandBuffer cmd) {
    check(vkprims::record_iota(cmd, app.prims, {.count = kCount}, {.out = app.view(numbers)}));
    vkCmdFillBuffer(cmd, partial.buffer, 0, 16, 0);
    check(vkprims::record_barrier(cmd, app.prims));
    app.dispatch(brackets, BracketsPush{app.view(numbers).address, app.view(made).address, kCount},
                 (kCount + kWorkgroup - 1) / kWorkgroup);
    check(vkprims::record_barrier(cmd, app.prims));
    check(vkprims::record_copy(cmd, app.prims, {.element_bytes = 8, .count = kCount},
                               {.in = app.view(made), .out = app.view(copied)}));
    check(vkprims::record_barrier(cmd, app.prims));
    app.dispatch(match,
                 MatchPush{app.view(copied).address, app.view(partial).address,
                           app.view(result).address, kCount, kGroups},
                 kGroups);
    check(vkprims::record_reduce(
        cmd, app.prims, max,
        {.in = app.view(numbers), .out = app.view(largest), .scratch = scratch}));
  });

  std::uint32_t closing = 0;
  std::uint32_t opening = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    if (BRACKETS_IS_OPEN(i)) {
      ++opening;
    } else if (opening > 0) {
      --opening;
    } else {
      ++closing;
    }
  }
  check(largest.words[0] == kCount - 1, "wrong maximum");
  check(result.words[0] == closing && result.words[1] == opening, "wrong brackets");
}

}  // namespace

int main() {
  App app;
  check_variant(app, app::brackets_u32);
  check_variant(app, app::brackets_i32);
}

// Tests of shaders/vkprims/subgroup_barrier.glsl.
#include "vkprims/subgroup/subgroup_barrier.h"

#include <map>

#include "all_shaders.hpp"
#include "runtime/push.hpp"
#include "spirv/subgroup_barrier_turns.hpp"
#include "support/run_commands.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint32_t kNone = ~0u;

// Lists the subgroup execution barriers of a module: for each one the specialization constant that
// decides whether its block runs, or kNone.
std::vector<std::uint32_t> subgroup_barriers(const Spirv& spirv) {
  // These numbers are from the SPIR-V specification.
  constexpr std::uint32_t kConstant = 43, kSpecConstantOp = 52, kDecorate = 71, kSpecId = 1,
                          kControlBarrier = 224, kLabel = 248, kBranchConditional = 250,
                          kSubgroupScope = 3;
  std::map<std::uint32_t, std::uint32_t> values;          // values of constants, by id
  std::map<std::uint32_t, std::uint32_t> specialization;  // constant numbers, by id
  std::map<std::uint32_t, std::uint32_t> chosen;          // and by the blocks that they decide on
  std::vector<std::uint32_t> found;
  std::uint32_t block = 0;
  const std::vector<std::uint32_t> words = words_of(spirv);
  for (std::size_t at = 5; at < words.size();) {
    const std::uint32_t length = words[at] >> 16, op = words[at] & 0xffff;
    const std::uint32_t* w = words.data() + at + 1;
    if (op == kConstant) values[w[1]] = w[2];
    if (op == kDecorate && w[1] == kSpecId) specialization[w[0]] = w[2];
    for (std::uint32_t i = 3; op == kSpecConstantOp && i + 1 < length; ++i) {
      if (specialization.count(w[i])) specialization[w[1]] = specialization.at(w[i]);
    }
    if (op == kBranchConditional && specialization.count(w[0])) {
      chosen[w[1]] = chosen[w[2]] = specialization.at(w[0]);
    }
    if (op == kLabel) block = w[0];
    if (op == kControlBarrier && values[w[0]] == kSubgroupScope) {
      found.push_back(chosen.count(block) ? chosen.at(block) : kNone);
    }
    at += length;
  }
  return found;
}

}  // namespace

TEST_CASE("subgroup barrier: a subgroup that calls it in a loop need not wait for others") {
  constexpr std::uint32_t kInvocations = 64, kTurns = 8;
  const Guarded out(4 * kInvocations), turns(std::vector<std::uint32_t>{kTurns});
  struct Push {
    abi::VkpU64 out, turns;
  };
  const Push push{push_u64(out.address()), push_u64(turns.address())};
  run_commands("subgroup barrier", device(), [&](Commands& commands) {
    return commands.dispatch(spirv::subgroup_barrier_turns, {.workgroup_size = kInvocations}, push,
                             Grid(1), {writes(out.view()), reads(turns.view())});
  });
  // The device decides which invocations belong to subgroup 0.
  const std::vector<std::uint32_t> made = out.read<std::uint32_t>();
  const std::ptrdiff_t of_subgroup_0 = std::count(made.begin(), made.end(), kTurns);
  CHECK(of_subgroup_0 > 0);
  CHECK(std::count(made.begin(), made.end(), 0u) == kInvocations - of_subgroup_0);
}

TEST_CASE("subgroup barrier: no shader has one whose form the device does not choose") {
  int found = 0;
  for (const Spirv* spirv : kAllShaders) {
    if (spirv->bytes == 0) continue;
    CAPTURE(std::string(spirv->name));
    for (const std::uint32_t chosen_by : subgroup_barriers(*spirv)) {
      CHECK(chosen_by == VKP_SPEC_LANES_IN_STEP);
      ++found;
    }
  }
  CHECK(found > 0);
}

}  // namespace vkprims::test

// Tests of vkprims/memory/counters.glsl.
#include "spirv/counters.hpp"

#include "runtime/push.hpp"
#include "support/run_commands.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint32_t kCounters = 3, kGroups = 20, kGroupSize = 64;
constexpr std::uint64_t kBefore = std::uint64_t{7} << 32;

struct Push {
  abi::VkpU64 at;
  std::uint32_t counters, number, may_carry;
};

// Returns what counters are that were kBefore, once each invocation has added to them.
std::vector<std::uint64_t> counted(std::uint32_t number, bool may_carry) {
  const Guarded counters(std::vector<std::uint64_t>(kCounters, kBefore));
  const Push push{push_u64(counters.address()), kCounters, number, may_carry};
  run_commands("counters", device(), [&](Commands& commands) {
    return commands.dispatch(spirv::counters, {.workgroup_size = kGroupSize}, push, Grid(kGroups),
                             {writes(counters.view())});
  });
  return counters.read<std::uint64_t>();
}

std::vector<std::uint64_t> expected(std::uint32_t number) {
  constexpr std::uint64_t n = std::uint64_t{kGroups} * kGroupSize;
  return std::vector<std::uint64_t>(kCounters, kBefore + n * number + n * (n - 1) / 2);
}

}  // namespace

TEST_CASE("counters: numbers whose sum passes 2^32 many times carry into the high word") {
  for (const std::uint32_t number : {0u, 1u, 0x7fffffffu, 0xfffff000u}) {
    CAPTURE(number);
    CHECK(counted(number, true) == expected(number));
  }
}

TEST_CASE("counters: without carries the low word is the sum, and the high word is left alone") {
  for (const std::uint32_t number : {0u, 1u, 3'000'000u}) {
    CAPTURE(number);
    CHECK(counted(number, false) == expected(number));
  }
}

}  // namespace vkprims::test

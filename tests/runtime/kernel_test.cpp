// Kernels of an application's own, through vkprims_add_kernel().
#include "vkprims/kernel.hpp"

#include <cstddef>

#include "support/every_primitive.hpp"
#include "support/support.hpp"
#include "vkprims-tests/grid.hpp"
#include "vkprims-tests/layout.hpp"
#include "vkprims-tests/numbered.hpp"

namespace vkprims::test {
namespace {

std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}

}  // namespace

TEST_CASE("kernel: push constants have the layout of GLSL, and constants their values") {
  using own::layout::Push;
  static_assert(offsetof(Push, out_words) == 8);
  static_assert(offsetof(Push, direction) == 16);
  static_assert(offsetof(Push, scale) == 28);
  static_assert(offsetof(Push, in_words) == 32);
  static_assert(offsetof(Push, pairs) == 40);
  static_assert(offsetof(Push, offsets) == 72);
  static_assert(offsetof(Push, last) == 96);
  static_assert(sizeof(Push) == 108);
  const auto values = random_values<std::uint32_t>(300, 1);
  const Guarded in(values), out(4 * 312);
  const Push push{.count = 300,
                  .out_words = out.view(),
                  .direction = {1, 2, 3},
                  .scale = 0.5f,
                  .in_words = in.address(),
                  .pairs = {{{4, 5}, 6}, {{7, 8}, -9}},
                  .offsets = {1, 2, -3},
                  .a = 10,
                  .b = 11,
                  .last = {12, 13, 14}};
  run([&](VkCommandBuffer cmd) {
    throw_if_error(own::layout::record(
        cmd, device(), {.groups = 3, .reads = {in.view()}, .writes = {out.view()}}, push));
  });
  std::vector<std::uint32_t> expected = values;
  for (std::uint32_t& x : expected) ++x;
  for (const std::uint32_t x :
       {128u, 3u, 5u, 77u, bits_of(3), bits_of(0.5f), bits_of(8), ~8u, ~2u, 10u, 11u, 13u}) {
    expected.push_back(x);
  }
  CHECK(difference(out.read<std::uint32_t>(), expected) == "");
}

TEST_CASE("kernel: more than 65,535 workgroups are folded, and a size of workgroups is chosen") {
  CHECK(own::numbered::kernel.workgroup_size[0] == 64);
  const std::uint32_t n = 70'000;
  const auto count = device_count(n - 5);
  const auto out = context().upload(std::vector<std::uint32_t>(n, 0));
  const own::numbered::Push push{
      .out_base = out, .count = {.max = n, .address = count}, .wanted = 2};
  run([&](VkCommandBuffer cmd) {
    for (const std::uint64_t groups : {std::uint64_t{0}, std::uint64_t{n}}) {
      throw_if_error(own::numbered::record(cmd, device(), {.groups = groups}, push));
    }
  });
  std::vector<std::uint32_t> expected(n, 66);
  for (std::uint32_t i = n - 5; i < n; ++i) expected[i] = 0;
  CHECK(difference(context().download(out), expected) == "");
}

TEST_CASE("kernel: a grid of three axes") {
  const auto words = context().upload(std::vector<std::uint32_t>(8 * 16 * 3 + 1, 0));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(own::grid::record(cmd, device(), {.groups = {2, 2, 3}}, {.words = words}));
  });
  std::vector<std::uint32_t> expected(8 * 16 * 3 + 1, 1);
  expected.back() = 0;
  CHECK(difference(context().download(words), expected) == "");
}

TEST_CASE("kernel: steps of a Recorder, the second with a number of workgroups from the GPU") {
  const auto count = device_count(1000u);
  const auto args = context().allocate<VkDispatchIndirectCommand>(1);
  const auto out = context().upload(std::vector<std::uint32_t>(1000, 0));
  const own::numbered::Push push{.out_base = out, .count = {.max = 1000}, .wanted = 1};
  const Scratch groups_at{args.handle(), 0, args.address(), 12};
  context().run([&](Recorder& r) {
    own::numbered::step(r, {.groups = 1000}, push);
    Count n = count_in(count);
    n.max = 1000;
    dispatch_args(r, {.count = n}, args);
    own::numbered::step(r, {.groups_at = groups_at}, push);
  });
  CHECK(difference(context().download(out), std::vector<std::uint32_t>(1000, 130)) == "");
}

TEST_CASE("kernel: a step that is refused throws, and nothing is submitted") {
  const auto words = context().upload(std::vector<std::uint32_t>(32, 0));
  CHECK_THROWS_WITH_AS(context().run([&](Recorder& r) {
    own::grid::step(r, {}, {.words = words});
    kernel(r, {.own = &own::grid::kernel}, {});
  }),
                       "vkprims::test::own::grid: push has 0 bytes, the kernel's push constants "
                       "have 8",
                       Error);
  CHECK(context().download(words)[0] == 0);
}

TEST_CASE("kernel: views that are named are seen by those who look for hazards") {
  const auto out = context().upload(std::vector<std::uint32_t>(1000, 0));
  const own::numbered::Push push{.out_base = out, .count = {.max = 1000}, .wanted = 1};
  const auto hazards = [&](const KernelDesc& desc) {
    spy().clear();
    context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) {
        for (int i = 0; i < 2; ++i) {
          throw_if_error(own::numbered::record(cmd, device(), desc, push));
        }
      });
    });
    return spy().hazards.hazards();
  };
  CHECK(hazards({.groups = 1000, .reads = {out.view()}}) == "");
  CHECK(hazards({.groups = 1000, .writes = {out.view()}}).find("without a barrier") !=
        std::string::npos);
}

TEST_CASE("kernel: what it reads may be an output of the call before") {
  const auto words = context().upload(std::vector<std::uint32_t>(1000, 0));
  const auto out = context().upload(std::vector<std::uint32_t>(1000, 0));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_fill(cmd, device(), {.count = 1000}, {.out = words.view()}));
    throw_if_error(record_barrier(cmd, device()));
    throw_if_error(own::numbered::record(cmd, device(), {.groups = 1, .reads = {words.view()}},
                                         {.out_base = out, .count = {.max = 1000}, .wanted = 1}));
  });
}

TEST_CASE("kernel: wrong input is refused by name, and pipelines can be warmed") {
  const own::grid::Push push{.words = 1 << 20};
  const auto refused = [&](Status::Code code, std::initializer_list<const char*> words,
                           const KernelDesc& desc, const PushConstants& bytes) {
    expect_error(code, words,
                 [&](VkCommandBuffer cmd) { return record_kernel(cmd, device(), desc, bytes); });
  };
  const Kernel& grid = own::grid::kernel;
  refused(Status::invalid_argument, {"kernel: own is null"}, {}, push);
  refused(Status::invalid_argument, {"own::grid: push has 0 bytes", "have 8"}, {.own = &grid}, {});
  refused(Status::invalid_argument, {"own::grid: groups is 65536, 1, 1", "65535"},
          {.own = &grid, .groups = {65536, 1}}, push);
  refused(Status::invalid_argument, {"own::grid: groups is 4294967296", "65535"},
          {.own = &grid, .groups = std::uint64_t{1} << 32}, push);
  refused(Status::invalid_argument, {"groups_at.bytes is 8, a VkDispatchIndirectCommand needs 12"},
          {.own = &grid, .groups_at = {(VkBuffer)1, 0, 64, 8}}, push);
  const auto broken = [&](Status::Code code, std::initializer_list<const char*> words,
                          FunctionRef<void(Kernel&)> change) {
    Kernel kernel = grid;
    change(kernel);
    refused(code, words, {.own = &kernel}, push);
  };
  broken(Status::invalid_argument, {"has no spirv"}, [](Kernel& k) { k.spirv = nullptr; });
  broken(Status::invalid_argument, {"132 bytes of push constants", "at most 128"},
         [](Kernel& k) { k.push_bytes = 132; });
  broken(Status::unsupported, {"a workgroup has 4096 x 8 x 1 invocations"},
         [](Kernel& k) { k.workgroup_size[0] = 4096; });

  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  info.enabled.float64 = false;
  Device warmed;
  throw_if_error(create_device(info, limits(), warmed));
  Kernel kernel = grid;
  kernel.has_float64 = true;
  CHECK(std::string(warm_up(warmed, {.own = &kernel}).message()).find("needs Features::float64") !=
        std::string::npos);
  expect_error(Status::not_warmed, {"own::grid: shader grid_kernel"},
               [&](VkCommandBuffer cmd) { return own::grid::record(cmd, warmed, {}, push); });
  throw_if_error(own::grid::warm_up(warmed));
  const auto words = context().allocate<std::uint32_t>(32);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(own::grid::record(cmd, warmed, {}, {.words = words}));
  });
}

const RegisterPrimitive kKernel([](std::uint64_t n) {
  return any_primitive(own::grid::kernel.name, record_kernel,
                       KernelDesc{.own = &own::grid::kernel, .groups = n},
                       PushConstants(own::grid::Push{.words = view_at(1)}));
});

}  // namespace vkprims::test

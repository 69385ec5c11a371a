// Free kernels from text.
#include <array>

#include "jit/jit_support.hpp"

namespace vkprims::test {
namespace {

constexpr const char* kAverage = R"(
layout(push_constant) uniform Push { VkpFloats x, y; uint window, n; };
void main() {
  const uint i = vkp_item();
  if (i >= n) return;
  float sum = 0.0;
  for (uint k = 0u; k < window; ++k) sum += i + k < n ? x.v[i + k] : 0.0;
  y.v[i] = sum;
}
)";

// Each workgroup reverses its items in shared memory.
constexpr const char* kReverse = R"(
layout(push_constant) uniform Push { VkpUints x; uint n; };
shared uint items[VKP_SHARED_BYTES / 4];
void main() {
  const uint i = gl_LocalInvocationIndex;
  if (vkp_item() < n) items[i] = x.v[vkp_item()];
  barrier();
  if (vkp_item() < n) x.v[vkp_item()] = items[gl_WorkGroupSize.x - 1u - i];
}
)";

jit::Kernel kernel(const std::string& source, const jit::KernelDesc& desc = {.name = "own"}) {
  return compiler().kernel(source, desc);
}

std::string status(const std::string& source, const jit::KernelDesc& desc = {.name = "own"}) {
  return kernel(source, desc).status().message();
}

// What a step says.
template <class... Arguments>
std::string refused(const jit::Kernel& k, const jit::KernelGrid& grid, const Arguments&... x) {
  try {
    context().run([&](Recorder& r) { k(r, grid, x...); });
  } catch (const Error& error) {
    return error.what();
  }
  return "ok";
}

}  // namespace

TEST_CASE("jit kernel: buffers and numbers in order") {
  const jit::Kernel average = kernel(kAverage, {.name = "average"});
  throw_if_error(average.status());
  for (const std::uint32_t n : {1u, 127u, 128u, 1000u}) {
    std::vector<float> values(n), expected(n);
    for (std::uint32_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 17);
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t k = 0; k < 3 && i + k < n; ++k) expected[i] += values[i + k];
    }
    const auto in = context().upload(values);
    const auto out = context().allocate<float>(n);
    const auto by_groups = context().allocate<float>(n);
    // Numbers of any type will do that hold the same number.
    context().run([&](Recorder& r) {
      average(r, {.items = n}, in, out, 3, in.size());
      average(r, {.groups = (n + 127) / 128}, in.view(), by_groups, std::uint8_t{3}, n);
    });
    CHECK(difference(context().download(out), expected) == "");
    CHECK(difference(context().download(by_groups), expected) == "");
  }
}

TEST_CASE("jit kernel: workgroups of any size, and shared memory") {
  for (const std::uint32_t size : {32u, 96u, 128u}) {
    const jit::Kernel reverse =
        kernel(kReverse, {.name = "reverse", .local_size = size, .shared_bytes = 4 * size});
    throw_if_error(reverse.status());
    std::vector<std::uint32_t> values(5 * size), expected(5 * size);
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      values[i] = i;
      expected[i] = i / size * size + (size - 1 - i % size);
    }
    const Guarded x(values, 4);
    run([&](VkCommandBuffer cmd) {
      const std::uint64_t n = values.size();
      const jit::Argument arguments[] = {x.view(), n};
      throw_if_error(reverse.record(cmd, device(), {.groups = 5}, arguments));
    });
    CHECK(difference(x.read<std::uint32_t>(), expected) == "");
  }
}

TEST_CASE("jit kernel: members of every type, and structs") {
  const bool wide = context().device().features().int64;
  const std::string source =
      std::string(wide ? "#extension GL_ARB_gpu_shader_int64 : require\n" : "") + R"(
struct Pair { uint a, b; };
layout(push_constant) uniform Push {
  int i; VkpUints out_; uvec2 also; vec4 v; Pair pair; uint list[3]; float f;
)" + (wide ? "  uint64_t w;\n" : "") +
      R"(
};
void main() {
  if (vkp_item() != 0u) return;
  VkpUints(also).v[0] = uint(i);
  out_.v[1] = uint(v.w);
  out_.v[2] = pair.b;
  out_.v[3] = list[2];
  out_.v[4] = uint(f * 4.0);
)" + (wide ? "  out_.v[5] = uint(w >> 32);\n" : "") +
      "}\n";
  const jit::Kernel k = kernel(source);
  throw_if_error(k.status());
  const auto out = context().upload(std::vector<std::uint32_t>(6));
  const std::array<float, 4> v{1, 2, 3, 4};
  const std::array<std::uint32_t, 3> list{7, 8, 9};
  const struct { std::uint32_t a, b; } pair{5, 6};
  context().run([&](Recorder& r) {
    if (wide) {
      k(r, {.groups = 1}, -3, out, out.span(), v, pair, list, 0.25f, std::uint64_t{3} << 32);
    } else {
      k(r, {.groups = 1}, -3, out, out.span(), v, pair, list, 0.25f);
    }
  });
  CHECK(context().download(out) ==
        std::vector<std::uint32_t>{static_cast<std::uint32_t>(-3), 4, 6, 9, 1, wide ? 3u : 0u});
}

TEST_CASE("jit kernel: grids that are folded, with a count on the GPU") {
  const jit::Kernel last = kernel(R"(
layout(push_constant) uniform Push { VkpUints number, n; };
void main() {
  if (vkp_item() + 1u != n.v[0]) return;
  number.v[0] = vkp_item();
  number.v[1] = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
}
)",
                                  {.name = "last", .local_size = 32});
  throw_if_error(last.status());
  const std::uint32_t large = 32 * 70'000;
  for (const std::uint32_t n : {1u, 5000u, large}) {
    const auto count = context().upload(std::vector<std::uint32_t>{n});
    const auto number = context().upload(std::vector<std::uint32_t>(2));
    context().run([&](Recorder& r) { last(r, {.items = large}, number, count); });
    CHECK(context().download(number)[0] == n - 1);
    CHECK(context().download(number)[1] >= 70'000);
    // The grid of the second is computed by the first.
    const auto args = context().allocate<VkDispatchIndirectCommand>(1);
    context().run([&](Recorder& r) {
      dispatch_args(r, {.count = {large, count.address()}, .items_per_group = 32}, args);
      last(r, {.groups_at = {args.handle(), 0, args.address(), 12}}, number, count);
    });
    CHECK(context().download(number) == std::vector<std::uint32_t>{n - 1, (n + 31) / 32});
  }
}

TEST_CASE("jit kernel: grids of three axes") {
  const jit::Kernel k = kernel(R"(
layout(push_constant) uniform Push { VkpUints x; };
void main() {
  const uvec3 group = gl_WorkGroupID;
  if (gl_LocalInvocationIndex == 0u) x.v[group.x + 2u * (group.y + 3u * group.z)] = group.z + 1u;
}
)");
  const auto x = context().upload(std::vector<std::uint32_t>(30));
  context().run([&](Recorder& r) { k(r, {.groups = 2, .y = 3, .z = 5}, x); });
  for (std::uint32_t i = 0; i < 30; ++i) CHECK(context().download(x)[i] == i / 6 + 1);
}

TEST_CASE("jit kernel: it is compiled once, and its pipeline by warm_up()") {
  const jit::Compiler jit(context().device());
  const jit::Kernel k = jit.kernel(kAverage, {.name = "average"});
  throw_if_error(k.status());
  const jit::Kernel again = jit.kernel(kAverage, {.name = "average"});
  throw_if_error(again.status());
  // Other sizes of workgroups are other pipelines of the same module.
  throw_if_error(jit.kernel(kAverage, {.name = "average", .local_size = 64}).status());
  CHECK(jit.statistics().compiled == 1);

  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device warmed;
  throw_if_error(create_device(info, limits(), warmed));
  const Guarded x(std::vector<float>(1));
  const std::uint32_t one = 1;
  const jit::Argument arguments[] = {x.view(), x.view(), one, one};
  expect_error(Status::not_warmed, {"average"}, [&](VkCommandBuffer cmd) {
    return k.record(cmd, warmed, {.groups = 1}, arguments);
  });
  throw_if_error(k.warm_up(warmed));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(k.record(cmd, warmed, {.groups = 1}, arguments));
  });
}

TEST_CASE("jit kernel: nothing to do, and buffers that are not there") {
  const jit::Kernel average = kernel(kAverage, {.name = "average"});
  const auto none = context().allocate<float>(0);
  CHECK(refused(average, {.items = 0}, none, none, 3, 0) == "ok");
  CHECK(refused(average, {.groups = 0}, none, none, 3, 0) == "ok");
  CHECK(refused(average, {.groups = 1}, not_wanted, not_wanted, 3, 0) == "ok");
  CHECK(refused(average, {.groups = 1}, BufferView(), not_wanted, 3, 0) ==
        "average: argument 1 is a buffer with address 0; not_wanted stands for none");
}

TEST_CASE("jit kernel: wrong arguments are refused by number") {
  const jit::Kernel average = kernel(kAverage, {.name = "average"});
  const auto x = context().allocate<float>(128);
  const jit::KernelGrid grid{.groups = 1};
  CHECK(refused(average, grid, x, x, 3) ==
        "average: there are 3 arguments, but the push constants have 4 members");
  CHECK(refused(average, grid, x, 3, x, 128) ==
        "average: argument 2 is no buffer, but member 2 of the push constants is an address");
  CHECK(refused(average, grid, x, x, x, 128) ==
        "average: argument 3 is a buffer, but member 3 of the push constants is u32");
  CHECK(refused(average, grid, x, x, 2.5, 128) ==
        "average: argument 3 is 2.5, which member 3 of the push constants, u32, cannot hold");
  CHECK(refused(average, grid, x, x, -1, 128) ==
        "average: argument 3 is -1, which member 3 of the push constants, u32, cannot hold");
  CHECK(refused(average, grid, x, x, std::array<float, 2>{}, 128) ==
        "average: argument 3 has 8 bytes, but member 3 of the push constants has 4");
  CHECK(refused(average, {.groups = 1, .items = 5}, x, x, 3, 128) ==
        "average: both groups and items are given");
  CHECK(refused(average, {.groups = std::uint64_t{1} << 33}, x, x, 3, 128) ==
        "average: groups is 8589934592, 0, 0, must be at most 65535 each, or one number up to "
        "65535 * 65535");
  CHECK(refused(average, {.groups = 70000, .y = 2}, x, x, 3, 128) ==
        "average: groups is 70000, 2, 0, must be at most 65535 each, or one number");
  const jit::Kernel by_x = kernel(R"(
layout(push_constant) uniform Push { VkpUints x; };
void main() { x.v[gl_GlobalInvocationID.x] = 1u; }
)");
  CHECK(refused(by_x, {.groups = 65536}, x) ==
        "own: there are 65536 workgroups, and those past 65,535 are folded into y: number "
        "invocations by vkp_item() or vkp_group_index() instead of gl_GlobalInvocationID and "
        "gl_WorkGroupID");
  CHECK(refused(jit::Kernel(), grid, x) ==
        "jit: a Kernel without code is recorded; Compiler::kernel() makes one");
}

TEST_CASE("jit kernel: a source that is wrong, and one that the device cannot run") {
  CHECK(status("void main() {\n  uint i = vkp_itme();\n}\n") ==
        "jit: kernel own does not compile:\n"
        "own:2: 'vkp_itme' : no matching overloaded function found\n"
        "      uint i = vkp_itme();");
  CHECK(status(kAverage, {.name = "own", .local_size = 0}).find("local_size is 0, must be 1 … ") !=
        std::string::npos);
  CHECK(status(kAverage, {.name = "own", .local_size = 4096}).find("local_size is 4096") !=
        std::string::npos);
  CHECK(status(kAverage, {.name = "own", .shared_bytes = 1u << 30})
            .find("shared_bytes is 1073741824, this device has ") != std::string::npos);
  CHECK(status("layout(push_constant) uniform Push { uint x[33]; VkpUints y; };\n"
               "void main() { y.v[0] = x[32]; }\n") ==
        "jit: kernel own has 144 bytes of push constants, at most 128 are allowed");
  CHECK(status(kAverage, {.name = ""}) ==
        "jit: the name of a kernel is \"\", must be letters, digits, blanks, _, - and ., and not "
        "begin with vkprims");
  DeviceInfo info = device().state()->info;
  info.enabled.float64 = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  CHECK(std::string(jit::Compiler(narrow)
                        .kernel("layout(push_constant) uniform Push { VkpFloats x; double y; };\n"
                                "void main() { x.v[0] = float(y * 2.0lf); }\n",
                                {.name = "own"})
                        .status()
                        .message()) ==
        "jit: kernel own needs Features::float64, without which this device was created");
}

TEST_CASE("jit kernel: a whole shader stands for itself") {
  const jit::Kernel k = kernel(R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 16) in;
layout(buffer_reference, std430) buffer Numbers { uint x[]; };
layout(push_constant) uniform Push { Numbers numbers; uint n; };
void main() {
  if (gl_GlobalInvocationID.x < n) numbers.x[gl_GlobalInvocationID.x] = gl_WorkGroupSize.x;
}
)");
  throw_if_error(k.status());
  const auto x = context().allocate<std::uint32_t>(100);
  context().run([&](Recorder& r) { k(r, {.items = 100}, x, 100); });
  CHECK(context().download(x) == std::vector<std::uint32_t>(100, 16));
}

}  // namespace vkprims::test

// Tests of calls of transform: what is refused, what is compiled, and layouts.
#include "vkprims/transform.hpp"

#include "elementwise/transform/transform.abi.h"
#include "spirv/transform_arithmetic.hpp"
#include "spirv/transform_cast.hpp"
#include "spirv/transform_compare.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {

TEST_CASE("transform: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  const TransformDesc desc{.count = 1000};
  const TransformBuffers good{.a = memory.slice(0, 1000).view(),
                              .b = memory.slice(2000, 1000).view(),
                              .out = memory.slice(4000, 1000).view()};
  const WrongInput w(d, &record_transform, desc, good);
  w.anywhere();
  w.desc({"transform: op is 22", "0 … 21"}, [](auto& x) { x.op = MapOp(22); });
  w.desc({"to is 6"}, [](auto& x) { x.op = MapOp::cast, x.to = Type(6); });
  w.desc({"op is shift_left", "f32"},
         [](auto& x) { x.op = MapOp::shift_left, x.type = Type::f32; });
  w.desc({"op is bit_not", "f32"}, [](auto& x) { x.op = MapOp::bit_not, x.type = Type::f32; });
  w.desc({"op is bit_or", "f32"}, [](auto& x) { x.op = MapOp::bit_or, x.type = Type::f32; });
  w.desc({"scalar is given", "neg"}, [](auto& x) { x.op = MapOp::neg, x.scalar = 1u; });
  w.desc({"alpha is given", "scale_add"}, [](auto& x) { x.alpha = 1u; });
  w.desc({"b is given", "abs"}, [](auto& x) { x.op = MapOp::abs; });
  w.desc({"both b and scalar"}, [](auto& x) { x.scalar = 1u; });
  w.buffers({"neither b nor scalar", "add"}, [](auto& x) { x.b = {}; });
  w.desc({"scalar is 4294967296", "u32"}, [](auto& x) { x.scalar = std::uint64_t{1} << 32; });
  w.desc({"alpha.address is 0x1002"},
         [](auto& x) { x.op = MapOp::scale_add, x.alpha = Value::at(0x1002); });
  w.buffers({"a.bytes is 3999", "4000"}, [](auto& x) { x.a.bytes -= 1; });
  w.buffers({"b.bytes is 3999", "4000"}, [](auto& x) { x.b.bytes -= 1; });
  w.buffers({"out.bytes is 3999", "4000"}, [](auto& x) { x.out.bytes -= 1; });
  w.buffers({"a.address", "multiple of 4"}, [](auto& x) { x.a.address += 2; });
  w.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  w.buffers({"a [", "out [", "overlap"}, [](auto& x) { x.out.address = x.a.address + 4; });
  w.buffers({"b [", "out [", "overlap"}, [](auto& x) { x.out.address = x.b.address - 4; });
  w.both(
      {"a [", "out [", "overlap"}, [](auto& x) { x.op = MapOp::cast, x.to = Type::u64; },
      [](auto& x) {
        x.b = {}, x.out = {x.a.address, 8000};
      });
  w.both(
      {"scalar", "out", "overlap"}, [&](auto& x) { x.scalar = Value::at(good.out.address + 8); },
      [](auto& x) { x.b = {}; });
  w.desc({"alpha", "out", "overlap"},
         [&](auto& x) { x.op = MapOp::scale_add, x.alpha = Value::at(good.out.address + 8); });
  w.desc({"count", "out", "overlap"}, [&](auto& x) { x.count = {1000, good.out.address}; });
  w.both(
      {"scratch.bytes is 0", "transform_scratch() asks for 16"},
      [&](auto& x) {
        x.count = {10'000'000, memory.slice(5000, 1).address};
      },
      [](auto& x) { x.a.bytes = x.b.bytes = x.out.bytes = 1 << 30; });
  CHECK(warm_up(Device(), desc) == Status::invalid_argument);
  CHECK(warm_up(d, TransformDesc{.op = MapOp(99)}) == Status::invalid_argument);
}

TEST_CASE("transform: warm_up compiles all that recording needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const auto memory = context().allocate<std::uint32_t>(1 << 16);
  Device cold;
  throw_if_error(create_device(info, limits(), cold));
  const TransformDesc descs[] = {{.op = MapOp::add, .scalar = 7u},
                                 {.op = MapOp::add},
                                 {.op = MapOp::less},
                                 {.op = MapOp::cast, .to = Type::f32}};
  for (TransformDesc desc : descs) {
    desc.count = {1000, memory.slice(60'000, 1).address};
    const bool sequence = desc.op != MapOp::cast && !desc.scalar.given();
    const auto buffers = [&](std::uint64_t shift) {
      return TransformBuffers{.a = memory.slice(shift, 1000).view(),
                              .b = sequence ? memory.slice(2000, 1000).view() : BufferView{},
                              .out = memory.slice(4000, 1000).view()};
    };
    expect_error(Status::not_warmed, {"warm_up"}, [&](VkCommandBuffer cmd) {
      return record_transform(cmd, cold, desc, buffers(0));
    });
    throw_if_error(warm_up(cold, desc));
    for (const std::uint64_t shift : {0, 1}) {
      context().record([&](Recorder& r) {
        r.commands([&](VkCommandBuffer cmd) {
          throw_if_error(record_transform(cmd, cold, desc, buffers(shift)));
        });
      });
    }
  }
}

TEST_CASE("transform: push constants of the shader and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::transform_arithmetic_u32, sizeof(abi::TransformPush)));
  CHECK(push_matches(vkprims::spirv::transform_compare_w32, sizeof(abi::TransformPush)));
  CHECK(push_matches(vkprims::spirv::transform_cast_w32_w64, sizeof(abi::TransformPush)));
}

}  // namespace vkprims::test

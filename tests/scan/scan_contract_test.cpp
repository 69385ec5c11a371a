// Tests of the contract of scan: what it refuses, how much scratch it needs, and what warm_up()
// compiles.
#include "scan/scan/scan.abi.h"
#include "spirv/scan_look_back.hpp"
#include "spirv/scan_multi_pass_fold.hpp"
#include "spirv/scan_multi_pass_scan.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims/scan.hpp"

namespace vkprims::test {

TEST_CASE("scan: the size query is monotone in the count and 0 for an invalid descriptor") {
  check_scratch_query(&scan_scratch);
}

TEST_CASE("scan: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const ScanDesc desc{.count = 100'000};
  const ScratchNeed need = scan_scratch(d, desc);
  const Scratch scratch = scratch_view(d, memory.handle(), 3 << 20, need.bytes);
  const ScanBuffers good{all.slice(0, 100'000).view(), all.slice(200'000, 100'000).view(), scratch};
  const WrongInput wrong(d, &record_scan, desc, good);
  wrong.anywhere();
  wrong.scratch("scan_scratch()");
  wrong.desc({"op", "99"}, [](auto& x) { x.op = Op(99); });
  wrong.desc({"op", "bit_or", "f32"}, [](auto& x) {
    x.type = Type::f32;
    x.op = Op::bit_or;
  });
  wrong.desc({"kind is 5", "1"}, [](auto& x) { x.kind = ScanKind(5); });
  wrong.desc({"input is 3", "2"}, [](auto& x) { x.input = ScanInput(3); });
  wrong.desc({"schedule is 4"}, [](auto& x) { x.schedule = Schedule(4); });
  wrong.desc({"determinism is 2"}, [](auto& x) { x.determinism = Determinism(2); });
  wrong.desc({"input is u8", "integer", "f32"}, [](auto& x) {
    x.type = Type::f32;
    x.input = ScanInput::u8;
  });
  wrong.desc({"look_back", "run_to_run", "f32 add"}, [](auto& x) {
    x.type = Type::f32;
    x.schedule = Schedule::look_back;
    x.determinism = Determinism::run_to_run;
  });
  wrong.desc({"initial is 4294967296", "u32"}, [](auto& x) { x.initial = std::uint64_t{1} << 32; });
  wrong.desc({"initial", "0x1002", "multiple of 4"},
             [](auto& x) { x.initial = Value::at(0x1002); });
  wrong.desc({"initial [", "out [", "overlap"},
             [&](auto& x) { x.initial = Value::at(good.out.address + 8); });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"in.address is 0"}, [](auto& x) { x.in.address = 0; });
  wrong.buffers({"in.bytes is 399999", "400000"}, [](auto& x) { x.in.bytes -= 1; });
  wrong.buffers({"in.bytes is 399999", "400000"}, [](auto& x) {
    x.in.bytes -= 1;
    x.out.address = x.in.address;
  });
  wrong.both(
      {"in.bytes is 99999", "100000"}, [](auto& x) { x.input = ScanInput::u8; },
      [](auto& x) { x.in.bytes = 99'999; });
  wrong.buffers({"out.bytes is 399999", "400000"}, [](auto& x) { x.out.bytes -= 1; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 4; });
  wrong.both(
      {"in [", "out [", "overlap"}, [](auto& x) { x.input = ScanInput::u8; },
      [](auto& x) { x.out.address = x.in.address; });
  wrong.buffers({"in [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.in.address; });
  wrong.buffers({"out [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.out.address; });
  wrong.desc({"count [", "overlap"}, [&](auto& x) { x.count = {100'000, good.out.address}; });
  wrong.buffers({"total.bytes is 3", "4", "one element"}, [&](auto& x) {
    x.total = {memory.address(), 3};
  });
  wrong.buffers({"total.address", "multiple of 4"}, [&](auto& x) {
    x.total = {memory.address() + 2, 4};
  });
  wrong.buffers({"out [", "total [", "overlap"}, [](auto& x) { x.total = x.out; });
  wrong.buffers({"in [", "total [", "overlap"}, [](auto& x) { x.total = x.in; });
  wrong.both(
      {"initial [", "total [", "overlap"},
      [&](auto& x) { x.initial = Value::at(memory.address() + 4 * 150'000); },
      [&](auto& x) {
        x.total = {memory.address() + 4 * 150'000, 4};
      });
}

TEST_CASE("scan: a type that the device lacks is refused by name") {
  check_refused_types([](VkCommandBuffer cmd, const Device& narrow, Type type) {
    return record_scan(cmd, narrow, {.type = type}, {});
  });
}

TEST_CASE("scan: warm_up compiles all that recording needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass, Schedule::automatic}) {
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    ScanDesc desc{.count = {3'000'000, 8}, .schedule = schedule};
    const ScanBuffers buffers{{0x10000, 1u << 30},
                              {0x80000000, 1u << 30},
                              scratch_view(cold, memory.handle(), 0, memory.size() * 4)};
    expect_error(Status::not_warmed, {"warm_up"},
                 [&](VkCommandBuffer cmd) { return record_scan(cmd, cold, desc, buffers); });
    throw_if_error(warm_up(cold, desc));
    for (const std::uint64_t n : {1, 50'000}) {
      for (const std::uint64_t offset : {0, 1}) {
        desc.count = n;
        context().run([&](Recorder& r) {
          r.commands([&](VkCommandBuffer cmd) {
            const Scratch scratch = scratch_view(cold, memory.handle(), 1 << 20, 1 << 20);
            const BufferView in = all.slice(offset, n).view();
            for (const BufferView& total : {BufferView{}, all.slice(200'000, 1).view()}) {
              for (const BufferView& out : {all.slice(100'000, n).view(), in}) {
                throw_if_error(record_scan(cmd, cold, desc, {in, out, scratch, total}));
                throw_if_error(record_barrier(cmd, cold));
              }
            }
            ScanDesc none = desc;
            none.count = 0;
            throw_if_error(record_scan(cmd, cold, none, {.total = all.slice(200'000, 1).view()}));
          });
        });
      }
    }
  }
}

TEST_CASE("scan: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::scan_look_back_u32_word32, sizeof(abi::ScanPush), 8));
  CHECK(push_matches(vkprims::spirv::scan_multi_pass_scan_u32, sizeof(abi::ScanPush), 8));
  CHECK(push_matches(vkprims::spirv::scan_multi_pass_fold_u32, sizeof(abi::ScanPush), 8));
}

}  // namespace vkprims::test

// Tests of segmented_scan.
#include "vkprims/segmented_scan.hpp"

#include "oracles/segmented_scan.hpp"
#include "scan/segmented_scan/segmented_scan.abi.h"
#include "spirv/segmented_scan_look_back.hpp"
#include "spirv/segmented_scan_multi_pass_fold.hpp"
#include "spirv/segmented_scan_multi_pass_scan.hpp"
#include "spirv/segmented_scan_offsets.hpp"
#include "support/segment_heads.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

struct Options {
  const Device* device;
  SegmentedScanDesc desc = {};  // type follows from the elements; counts not given mean all
  std::uint64_t in_offset = 0, out_offset = 0, segments_offset = 0;  // elements past 256 bytes
  bool in_place = false;
};

// Scans with `segments` in the form that desc.form names.
template <class T, class Segment>
std::vector<T> scan_on_device(const std::vector<T>& values, const std::vector<Segment>& segments,
                              Options o) {
  o.desc.type = type_of<T>();
  o.desc.offset_width = sizeof(Segment) == 8 ? IndexWidth::u64 : IndexWidth::u32;
  o.desc.count = o.desc.count.or_all(values.size());
  if (o.desc.form == SegmentForm::offsets) {
    o.desc.segments = o.desc.segments.or_all(segments.size() - 1);
  }
  const Guarded in(values, o.in_offset * sizeof(T));
  const Guarded segment_memory(segments, o.segments_offset * sizeof(Segment));
  const Guarded out(o.in_place ? 0 : values.size() * sizeof(T), o.out_offset * sizeof(T));
  const DirtyScratch scratch(segmented_scan_scratch(*o.device, o.desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_segmented_scan(
        cmd, *o.device, o.desc,
        {in.view(), segment_memory.view(), o.in_place ? in.view() : out.view(), scratch.get()}));
  });
  CHECK(segment_memory.read<Segment>().size() == segments.size());
  if (o.in_place) return in.read<T>();
  CHECK(in.read<T>().size() == values.size());
  return out.read<T>();
}

// Scans `n` exact values in segments of a mean length and compares them with the oracle.
template <class T>
void check(std::uint64_t n, std::uint64_t mean_length, Options o, std::optional<T> initial = {}) {
  CAPTURE(n);
  CAPTURE(mean_length);
  CAPTURE(static_cast<int>(o.desc.form));
  CAPTURE(static_cast<int>(o.desc.schedule));
  const auto seed = static_cast<std::uint32_t>(n + mean_length);
  const auto heads = random_heads(n, mean_length, seed);
  const auto values = exact_values<T>(o.desc.op, n, seed);
  std::vector<T> result;
  if (o.desc.form == SegmentForm::flags) {
    result = scan_on_device(values, flags_of(heads), o);
  } else if (o.desc.form == SegmentForm::bits) {
    result = scan_on_device(values, bits_of(heads), o);
  } else if (n % 2 == 0) {
    result = scan_on_device(values, offsets_of<std::uint32_t>(heads), o);
  } else {
    result = scan_on_device(values, offsets_of<std::uint64_t>(heads), o);
  }
  CHECK(difference(result, oracle::segmented_scan<T>(values, heads, o.desc.op, o.desc.kind,
                                                     initial)) == "");
}

constexpr auto kLookBack = Schedule::look_back, kMultiPass = Schedule::multi_pass;
constexpr SegmentForm kForms[] = {SegmentForm::offsets, SegmentForm::flags, SegmentForm::bits};
constexpr std::uint64_t kTile = 512;  // elements of a tiny tile of u32

}  // namespace

TEST_CASE("segmented_scan: every form, both kinds, all schedules, around subgroup and tile edges") {
  // The kernels are those of scan_by_key, whose tests cover all types and operators.
  const Device& d = device(kTinyTiles);
  for (const SegmentForm form : kForms) {
    for (const Schedule schedule : {kLookBack, kMultiPass}) {
      if (subset() && schedule == kMultiPass && form != SegmentForm::flags) continue;
      for (const std::uint64_t n : edge_counts(kTile)) {
        for (const std::uint64_t mean : kSegmentLengths) {
          check<std::uint32_t>(n, mean, {&d, {.form = form, .schedule = schedule}});
        }
      }
    }
  }
  const Device& large = device();
  for (const SegmentForm form : kForms) {
    const SegmentedScanDesc desc{.kind = ScanKind::inclusive, .form = form};
    for (const std::uint64_t n : {std::uint64_t{1000}, std::uint64_t{40'001}}) {
      for (const std::uint64_t mean : kSegmentLengths)
        check<std::uint32_t>(n, mean, {&large, desc});
    }
  }
}

TEST_CASE("segmented_scan: types of 8 bytes, and floats") {
  const Device& d = device(kTinyTiles);
  for (const Type type : types()) {
    if (type == Type::u32 || type == Type::i32 || type == Type::i64) continue;
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      const SegmentForm form = type == Type::u64 ? SegmentForm::flags : SegmentForm::bits;
      const Op op = type == Type::f64 ? Op::add : Op::max;
      for (const std::uint64_t n : {1'000, 10'001}) {
        for (const std::uint64_t in_offset : {0, 1}) {
          for (const std::uint64_t mean : kSegmentLengths) {
            check<T>(n, mean,
                     {.device = &d,
                      .desc = {.op = op, .form = form, .schedule = kLookBack},
                      .in_offset = in_offset,
                      .segments_offset = in_offset});
          }
        }
      }
    });
  }
}

TEST_CASE("segmented_scan: all views may start at any element") {
  const Device& d = device(kTinyTiles);
  for (const SegmentForm form : kForms) {
    for (const std::uint64_t in_offset : {0, 1, 2, 3}) {
      for (const std::uint64_t segments_offset : {0, 1, 2, 3}) {
        CAPTURE(in_offset);
        CAPTURE(segments_offset);
        for (const std::uint64_t n : {700, 3'001}) {
          check<std::uint32_t>(n, 9,
                               {.device = &d,
                                .desc = {.form = form, .schedule = kLookBack},
                                .in_offset = in_offset,
                                .out_offset = in_offset,
                                .segments_offset = segments_offset});
        }
      }
    }
  }
}

TEST_CASE("segmented_scan: in place, with an initial value") {
  const Device& d = device(kTinyTiles);
  for (const SegmentForm form : {SegmentForm::flags, SegmentForm::bits}) {
    for (const std::uint64_t n : {kTile - 1, 40 * kTile}) {
      for (const std::uint64_t mean : {5, 3'000}) {
        check<std::uint32_t>(n, mean,
                             {.device = &d,
                              .desc = {.initial = 1000u, .form = form, .schedule = kLookBack},
                              .in_place = true},
                             1000u);
      }
    }
  }
}

TEST_CASE("segmented_scan: offsets may be unordered, equal, or out of range") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 5'000;
  const auto values = random_values<std::uint32_t>(n, 3);
  const auto expect = [&](const std::vector<std::uint64_t>& offsets, Count segments = {}) {
    std::vector<bool> heads(n);
    const std::uint64_t used = segments.max ? segments.max : offsets.size() - 1;
    if (used) {
      for (const std::uint64_t o : std::span(offsets).first(used + 1)) {
        if (o < n) heads[o] = true;
      }
    }
    const auto expected =
        oracle::segmented_scan<std::uint32_t>(values, heads, Op::add, ScanKind::exclusive);
    const SegmentedScanDesc desc{.segments = segments, .schedule = kLookBack};
    CHECK(difference(scan_on_device(values, offsets, {&d, desc}), expected) == "");
    const bool fits = std::all_of(offsets.begin(), offsets.end(),
                                  [](std::uint64_t o) { return o < std::uint64_t{1} << 32; });
    if (!fits) return;
    const std::vector<std::uint32_t> narrow(offsets.begin(), offsets.end());
    CHECK(difference(scan_on_device(values, narrow, {&d, desc}), expected) == "");
  };
  expect({0, n});
  expect({n, 4'000, 17, 17, 17, 600, 0, 599, n});
  expect({3, 4, 5, n - 1, n, n + 1, 0xffffffff});
  expect({10, std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 20, ~std::uint64_t{0}});
  expect({10});  // There is no segment, so no offset is read.
  expect({10, 20, 30, 40, 50}, 2);
}

TEST_CASE("segmented_scan: both counts may be read on the GPU, and are clamped to their maxima") {
  const Device& d = device(kTinyTiles);
  const auto heads = random_heads(10'000, 3, 5);
  const auto offsets = offsets_of<std::uint32_t>(heads);
  const auto values = random_values<std::uint32_t>(heads.size(), 3);
  // With the second maximum the grid over the offsets is indirect.
  for (const std::uint64_t max : {offsets.size() - 1, std::size_t{2'200'000}}) {
    auto padded = offsets;
    padded.resize(max + 1, 5);  // nothing may read these offsets
    for (const std::uint64_t segments : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{600},
                                         std::uint64_t{offsets.size() - 1}}) {
      for (const std::uint64_t count : {1, 7'777, 20'000}) {
        CAPTURE(max);
        CAPTURE(segments);
        CAPTURE(count);
        const std::uint64_t used = std::min<std::uint64_t>(count, values.size());
        std::vector<bool> expected_heads(used);
        for (std::uint64_t i = 0; segments && i <= segments; ++i) {
          if (offsets[i] < used) expected_heads[offsets[i]] = true;
        }
        auto expected = oracle::segmented_scan<std::uint32_t>(
            std::span(values).first(used), expected_heads, Op::add, ScanKind::exclusive);
        expected.resize(values.size(), 0xcdcdcdcd);
        const auto segment_count = device_count(segments);
        const auto element_count = device_count(static_cast<std::uint32_t>(count));
        const SegmentedScanDesc desc{.count = {values.size(), element_count.address()},
                                     .segments = {max, segment_count.address(), CountWidth::u64},
                                     .schedule = kLookBack};
        CHECK(difference(scan_on_device(values, padded, {&d, desc}), expected) == "");
      }
    }
  }
}

TEST_CASE("segmented_scan: a count on the GPU whose largest grid is indirect, in every form") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t max = 4'200 * kTile;
  const auto heads = random_heads(max, 20, 5);
  const auto values = random_values<std::uint32_t>(max, 3);
  const std::uint64_t n = 100'003;
  auto expected = oracle::segmented_scan<std::uint32_t>(
      std::span(values).first(n), std::vector<bool>(heads.begin(), heads.begin() + n), Op::add,
      ScanKind::exclusive);
  expected.resize(max, 0xcdcdcdcd);
  const auto count = device_count(n);
  for (const SegmentForm form : kForms) {
    const SegmentedScanDesc desc{
        .count = {max, count.address(), CountWidth::u64}, .form = form, .schedule = kLookBack};
    const Options o{&d, desc};
    const auto result = form == SegmentForm::flags ? scan_on_device(values, flags_of(heads), o)
                        : form == SegmentForm::bits
                            ? scan_on_device(values, bits_of(heads), o)
                            : scan_on_device(values, offsets_of<std::uint32_t>(heads), o);
    CHECK(difference(result, expected) == "");
  }
}

TEST_CASE(
    "segmented_scan: recorded twice in one command buffer, and replayed 100 times, with one dirty "
    "scratch") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 20'000;
  const auto heads = random_heads(n, 300, 3);
  const auto values = random_values<std::uint32_t>(n, 4);
  const auto in = context().upload(values);
  const auto offsets = context().upload(offsets_of<std::uint32_t>(heads));
  const auto out = context().allocate<std::uint32_t>(2 * n);
  const SegmentedScanDesc desc{.count = n, .segments = offsets.size() - 1, .schedule = kLookBack};
  const DirtyScratch scratch(segmented_scan_scratch(d, desc));
  auto expected =
      oracle::segmented_scan<std::uint32_t>(values, heads, Op::add, ScanKind::exclusive);
  expected.insert(expected.end(), expected.begin(), expected.end());
  const std::vector<std::uint32_t> sevens(expected.size(), 7);
  replay(
      d, [&] { context().write(out, sevens); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_segmented_scan(
            cmd, d, desc, {in.view(), offsets.view(), out.slice(i * n, n).view(), scratch.get()});
      },
      [&] { CHECK(difference(context().download(out), expected) == ""); });
}

TEST_CASE("segmented_scan: the size query is monotone in the counts and 0 where nothing is done") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const SegmentForm form : kForms) {
      for (const VkDeviceAddress count_address : {0, 8}) {
        check_monotone([&](std::uint64_t n) {
          const Count count{n, count_address};
          return segmented_scan_scratch(d, {.count = count, .form = form, .segments = count}).bytes;
        });
      }
      CHECK(segmented_scan_scratch(d, {.count = 0, .form = form, .segments = 100}).bytes == 0);
    }
    CHECK(segmented_scan_scratch(d, {.count = kMaxCount + 1}).bytes == 0);
  }
  CHECK(segmented_scan_scratch(Device(), {.count = 1 << 20}).bytes == 0);
}

TEST_CASE("segmented_scan: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const DeviceSpan<std::uint32_t> all = memory.span();
  const SegmentedScanDesc desc{.count = 100'000, .segments = 999};
  const ScratchNeed need = segmented_scan_scratch(d, desc);
  const SegmentedScanBuffers good{all.slice(0, 100'000).view(), all.slice(200'000, 1'000).view(),
                                  all.slice(400'000, 100'000).view(),
                                  scratch_view(d, memory.handle(), 3 << 20, need.bytes)};
  const WrongInput wrong(d, &record_segmented_scan, desc, good);
  wrong.anywhere();
  wrong.scratch("segmented_scan_scratch()");
  wrong.desc({"op", "bit_or", "f32"}, [](auto& x) {
    x.type = Type::f32;
    x.op = Op::bit_or;
  });
  wrong.desc({"kind is 5", "1"}, [](auto& x) { x.kind = ScanKind(5); });
  wrong.desc({"form is 3", "2"}, [](auto& x) { x.form = SegmentForm(3); });
  wrong.desc({"offset_width is 2", "1"}, [](auto& x) { x.offset_width = IndexWidth(2); });
  wrong.desc({"schedule is 4"}, [](auto& x) { x.schedule = Schedule(4); });
  wrong.desc({"segments is 274877906945", "274877906944"},
             [](auto& x) { x.segments = kMaxCount + 1; });
  wrong.desc({"segments.width", "9"}, [](auto& x) { x.segments.width = CountWidth(9); });
  wrong.desc({"segments.address", "multiple of 8"}, [](auto& x) {
    x.segments = {999, 0x1004, CountWidth::u64};
  });
  wrong.desc({"initial is 4294967296", "u32"}, [](auto& x) { x.initial = std::uint64_t{1} << 32; });
  wrong.buffers({"in.address", "multiple of 4"}, [](auto& x) { x.in.address += 2; });
  wrong.buffers({"out.bytes is 399999", "400000"}, [](auto& x) { x.out.bytes -= 1; });
  wrong.buffers({"segments.bytes is 3999", "4000"}, [](auto& x) { x.segments.bytes = 3'999; });
  wrong.buffers({"segments.address", "multiple of 4"}, [](auto& x) { x.segments.address += 2; });
  wrong.both(
      {"segments.bytes is 99999", "100000"}, [](auto& x) { x.form = SegmentForm::flags; },
      [](auto& x) { x.segments.bytes = 99'999; });
  wrong.both(
      {"segments.bytes is 12496", "12500"}, [](auto& x) { x.form = SegmentForm::bits; },
      [](auto& x) { x.segments.bytes = 12'496; });
  wrong.both(
      {"segments.address", "multiple of 4"}, [](auto& x) { x.form = SegmentForm::bits; },
      [](auto& x) {
        x.segments = {x.segments.address + 1, 100'000};
      });
  wrong.buffers({"segments [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.segments.address; });
  wrong.buffers({"in [", "out [", "overlap"}, [](auto& x) { x.out.address = x.in.address + 4; });
  wrong.buffers({"segments [", "scratch [", "overlap"},
                [](auto& x) { x.scratch.address = x.segments.address; });
  wrong.desc({"count [", "overlap"}, [&](auto& x) { x.count = {100'000, good.out.address}; });
  wrong.desc({"segments [", "overlap"}, [&](auto& x) { x.segments = {999, good.out.address}; });
}

TEST_CASE("segmented_scan: a type that the device lacks is refused by name") {
  check_refused_types([](VkCommandBuffer cmd, const Device& narrow, Type type) {
    return record_segmented_scan(cmd, narrow, {.type = type}, {});
  });
}

TEST_CASE("segmented_scan: warm_up compiles all that recording needs") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  for (const SegmentForm form : kForms) {
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    const Count large{3'000'000, 8};
    SegmentedScanDesc desc{.count = large, .form = form, .segments = large, .schedule = kLookBack};
    SegmentedScanBuffers buffers{{0x10000, 1u << 24},
                                 {0x8000000, 1u << 24},
                                 {0x80000000, 1u << 24},
                                 scratch_view(cold, memory.handle(), 0, memory.size() * 4)};
    const auto record = [&](VkCommandBuffer cmd) {
      return record_segmented_scan(cmd, cold, desc, buffers);
    };
    expect_error(Status::not_warmed, {"warm_up"}, record);
    throw_if_error(warm_up(cold, desc));
    for (const Count& count : {large, Count(1)}) {
      for (const VkDeviceAddress offset : {0, 4}) {
        for (const bool in_place : {false, true}) {
          desc.count = desc.segments = count;
          buffers.out.address = 0x80000000 + offset;
          buffers.in.address = in_place ? buffers.out.address : 0x10000;
          context().record([&](Recorder& r) {  // This plan is never run.
            r.commands([&](VkCommandBuffer cmd) { throw_if_error(record(cmd)); });
          });
        }
      }
    }
  }
}

TEST_CASE("segmented_scan: smoke" * doctest::test_suite("smoke")) {
  for (const SegmentForm form : kForms) {
    check<std::uint32_t>(1500, 20, {&device(kTinyTiles), {.form = form, .schedule = kLookBack}});
  }
}

TEST_CASE("segmented_scan: push constants of the shaders and of C++ have the same layout") {
  CHECK(push_matches(vkprims::spirv::segmented_scan_look_back_u32_word32,
                     sizeof(abi::SegmentedScanPush), 8));
  CHECK(push_matches(vkprims::spirv::segmented_scan_multi_pass_scan_u32,
                     sizeof(abi::SegmentedScanPush), 8));
  CHECK(push_matches(vkprims::spirv::segmented_scan_multi_pass_fold_u32,
                     sizeof(abi::SegmentedScanPush), 8));
  CHECK(
      push_matches(vkprims::spirv::segmented_scan_offsets, sizeof(abi::SegmentedScanOffsetsPush)));
}

}  // namespace vkprims::test

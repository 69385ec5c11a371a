// String kernels that are not part of the library, through vkprims_add_string_kernel().
#include "oracles/strings/pieces.hpp"
#include "strings/layouts.hpp"
#include "support/spirv_reader.hpp"
#include "support/wrong_input.hpp"
#include "vkprims-tests/digits.hpp"
#include "vkprims-tests/stairs.hpp"
#include "vkprims-tests/swap.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

constexpr std::uint32_t kNull = 3;  // rows with this number are null

strings::RopeDesc swap(std::uint64_t rows, Schedule schedule) {
  return {.rows = rows, .text = ", ", .more_text = ".", .constant = kNull, .schedule = schedule};
}

HostStrings swapped(const HostStrings& a, const HostStrings& b,
                    const std::vector<std::uint32_t>& numbers) {
  HostStrings rows = oracle::strings::concatenate(
      {b, HostStrings(a.size(), ", "), a, HostStrings(a.size(), ".")}, {});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (numbers[i] == kNull) rows[i].reset();
  }
  return rows;
}

}  // namespace

TEST_CASE("strings own rope: rows of two columns, texts and numbers, by both schedules") {
  const Device& d = device();
  const LayoutCheck check = [&](const HostStrings& a, const Layout& layout) {
    const HostStrings b = random_strings(a.size(), 77, {.nulls = 10});
    std::vector<std::uint32_t> numbers(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) numbers[i] = static_cast<std::uint32_t>(i % 7);
    const PlacedColumn first(a, layout.in), second(b, {.chars_at = 1});
    const Guarded indices(numbers);
    const strings::RopeDesc desc = swap(a.size(), layout.schedule);
    check_rows(swapped(a, b, numbers), layout.to, own::swap::scratch(d, desc),
               [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                 return own::swap::record(cmd, d, desc,
                                          {.a = first.view(),
                                           .b = second.view(),
                                           .indices = indices.view(),
                                           .out = out,
                                           .scratch = scratch});
               });
  };
  for_each_count(kRopeSchedules, check);
  for_each_shape(kRopeSchedules, check);
}

TEST_CASE("strings own rope: more pieces than a lane makes at once") {
  const Device& d = device();
  const LayoutCheck check = [&](const HostStrings& a, const Layout& layout) {
    const PlacedColumn column(a, layout.in);
    const strings::RopeDesc desc{.rows = a.size(), .schedule = layout.schedule};
    check_rows(oracle::strings::stairs(a, 6), layout.to, own::stairs::scratch(d, desc),
               [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                 return own::stairs::record(cmd, d, desc,
                                            {.a = column.view(), .out = out, .scratch = scratch});
               });
  };
  for_each_count(kRopeSchedules, check);
}

TEST_CASE("strings own rope: rows of numbers, without a column") {
  const std::vector<std::uint32_t> numbers{7, 42, 100, 99, 0};
  const auto indices = context().upload(numbers);
  StringColumn result;
  context().run([&](Recorder& r) {
    result = own::digits::make(r, {.rows = 5, .text = "0123456789"}, {}, 8, true, indices.view());
  });
  CHECK(download_strings(context(), result) == HostStrings{"07", "42", std::nullopt, "99", "00"});
}

TEST_CASE("strings own rope: as a step of a Recorder") {
  const StringColumn a = upload_strings(context(), HostStrings{"a", "", "c"});
  const StringColumn b = upload_strings(context(), HostStrings{"x", "yy", "z"});
  const auto numbers = context().upload(std::vector<std::uint32_t>{0, 1, kNull});
  StringColumn result;
  context().run([&](Recorder& r) {
    // The number of rows is that of a.
    result = own::swap::make(r, swap(0, Schedule::automatic), {a, b}, 13, true, numbers.view());
  });
  CHECK(download_strings(context(), result) == HostStrings{"x, a.", "yy, .", std::nullopt});
}

TEST_CASE("strings own rope: wrong input is refused by name before anything is recorded") {
  const Device& d = device();
  const std::uint64_t n = 100;
  const PlacedColumn a(HostStrings(n, "a"), {}), b(HostStrings(n, "b"), {});
  const Guarded numbers(std::vector<std::uint32_t>(n, 0)), report(64);
  const PlacedResult result(HostStrings(n, "b, a."), IndexWidth::u32, 0);
  const strings::RopeDesc good = own::swap::described(swap(n, Schedule::look_back));
  const ScratchNeed need = strings::rope_scratch(d, good);
  const DirtyScratch scratch(need);
  const WrongInput wrong(d, &strings::record_rope, good,
                         strings::RopeBuffers{.a = a.view(),
                                              .b = b.view(),
                                              .indices = numbers.view(),
                                              .out = result.out(false),
                                              .report = report.view(),
                                              .scratch = scratch.get()});
  wrong.anywhere();
  wrong.scratch("rope_scratch()");
  wrong.desc({"kernel.pieces is 0", "512"}, [](auto& x) { x.kernel.pieces = 0; });
  wrong.desc({"kernel.pieces is 513", "512"}, [](auto& x) { x.kernel.pieces = 513; });
  wrong.desc({"kernel.word64 is null"}, [](auto& x) { x.kernel.word64 = nullptr; });
  wrong.desc({"kernel.word32 is null"}, [](auto& x) { x.kernel.word32 = nullptr; });
  wrong.desc({"kernel.attempt64 is null"}, [](auto& x) { x.kernel.attempt32 = x.kernel.word32; });
  wrong.desc({"kernel.attempt32 is null"}, [](auto& x) { x.kernel.attempt64 = x.kernel.word64; });
  wrong.desc({"schedule is 3"}, [](auto& x) { x.schedule = Schedule(3); });
  wrong.desc({"columns is 3", "0 … 2"}, [](auto& x) { x.columns = 3; });
  wrong.desc({"rows is 2147483648", "2147483647"}, [](auto& x) { x.rows = kMaxStringRows + 1; });
  wrong.desc({"a.rows is 100", "101"}, [](auto& x) { x.rows = 101; });
  const std::string long_text(66'000, 'x');
  wrong.desc({"scalars", "65536"}, [&](auto& x) { x.text = long_text; });
  wrong.buffers({"b.rows is 99", "100"}, [](auto& x) { x.b.rows = 99; });
  wrong.buffers({"a.offsets.address is 0"}, [](auto& x) { x.a.offsets.address = 0; });
  wrong.buffers({"indices.address", "multiple of 4"}, [](auto& x) { x.indices.address += 2; });
  wrong.buffers({"indices [", "out.chars [", "overlap"},
                [](auto& x) { x.out.chars.address = x.indices.address; });
  wrong.buffers({"out.offsets.address is 0"}, [](auto& x) { x.out.offsets.address = 0; });

  CHECK(strings::rope_scratch(Device(), good).bytes == 0);
  strings::RopeDesc bad = good;
  bad.kernel.lane_words = 0xffffffff;
  expect_error(Status::unsupported, {"kernel.lane_words is 4294967295", "shared memory"},
               [&](VkCommandBuffer cmd) {
                 return strings::record_rope(cmd, d, bad,
                                             {.a = a.view(),
                                              .b = b.view(),
                                              .indices = numbers.view(),
                                              .out = result.out(false),
                                              .scratch = scratch.get()});
               });
  bad = good;
  bad.rows = kMaxStringRows + 1;
  CHECK(strings::rope_scratch(d, bad).bytes == 0);
  bad.rows = n;
  bad.text = long_text;
  CHECK(strings::rope_scratch(d, bad).bytes == 0);
  CHECK(push_matches(*own::swap::kernel.word32, sizeof(abi::VkpStringsPush)));
}

TEST_CASE("strings own rope: warm_up compiles all that recording needs") {
  const HostStrings rows{"a", "b"};
  const PlacedColumn column(rows, {});
  const Guarded numbers(std::vector<std::uint32_t>(2, 0));
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  for (const Schedule schedule : kRopeSchedules) {
    const strings::RopeDesc desc = swap(2, schedule);
    Device cold;
    throw_if_error(create_device(info, limits(), cold));
    // Without nulls another pipeline runs.
    const PlacedResult result({"a, a.", "b, b."}, IndexWidth::u32, 0);
    const PlacedResult nullable({"a, a.", "b, b."}, IndexWidth::u32, 0);
    const DirtyScratch scratch(own::swap::scratch(cold, desc));
    const auto record_to = [&](VkCommandBuffer cmd, const StringColumnOut& out) {
      return own::swap::record(cmd, cold, desc,
                               {.a = column.view(),
                                .b = column.view(),
                                .indices = numbers.view(),
                                .out = out,
                                .scratch = scratch.get()});
    };
    const auto record = [&](VkCommandBuffer cmd) { return record_to(cmd, result.out(false)); };
    expect_error(Status::not_warmed, {"warm_up"}, record);
    throw_if_error(own::swap::warm_up(cold, desc));
    context().run([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) { throw_if_error(record(cmd)); });
    });
    context().run([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) { throw_if_error(record_to(cmd, nullable.out(true))); });
    });
    result.check(false);
    nullable.check(true);
    CHECK(own::swap::warm_up(Device(), desc).code() == Status::invalid_argument);
  }
}

}  // namespace vkprims::test

// Tests of argsort.
#include "oracles/argsort.hpp"

#include "support/keys_to_sort.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

struct Options {
  const Device* device;
  ArgsortDesc desc = {};
  bool keys_out = false;
  Count count = {};            // all if it is not given
  std::uint64_t used = ~0ull;  // how many of them count
  std::uint64_t misalign = 0;  // elements
};

template <class Index, class T>
void check_argsort(const std::vector<T>& keys, Options o) {
  ArgsortDesc desc = o.desc;
  desc.type = type_of<T>();
  desc.index_width = sizeof(Index) == 8 ? IndexWidth::u64 : IndexWidth::u32;
  desc.count = o.count.max ? o.count : Count(keys.size());
  const std::uint64_t n = keys.size(), used = std::min<std::uint64_t>(o.used, n);
  const Guarded in(keys, o.misalign * sizeof(T));
  const Guarded out(n * sizeof(Index), o.misalign * sizeof(Index));
  const Guarded keys_out(o.keys_out ? n * sizeof(T) : 0, o.misalign * sizeof(T));
  const DirtyScratch scratch(argsort_scratch(*o.device, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_argsort(cmd, *o.device, desc,
                                  {.in = in.view(),
                                   .out = out.view(),
                                   .keys_out = o.keys_out ? keys_out.view() : BufferView{},
                                   .scratch = scratch.get()}));
  });
  const std::vector<T> counted(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(used));
  const auto want =
      oracle::argsort(counted, desc.order, desc.float_order, desc.begin_bit, desc.end_bit);
  const auto got = out.template read<Index>();
  const auto sorted = keys_out.template read<T>();
  CHECK(same_bits(in.template read<T>(), keys));
  std::uint64_t wrong = 0, wrong_keys = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Index kept = static_cast<Index>(0xcdcdcdcdcdcdcdcdu);
    wrong += got[i] != (i < used ? static_cast<Index>(want[i]) : kept);
    if (o.keys_out && i < used) wrong_keys += !same_bits(sorted[i], keys[want[i]]);
  }
  CHECK(wrong == 0);
  CHECK(wrong_keys == 0);
}

std::vector<Type> all_types() {
  if (subset()) return {Type::f32, Type::i64};
  return {Type::u32, Type::i32, Type::f32, Type::u64, Type::i64, Type::f64};
}

}  // namespace

TEST_CASE("argsort: every type, indices of both widths, with and without the keys") {
  for (const Tuning& tuning : tunings({kTinySorts, Tuning{}})) {
    const Device& d = device(tuning);
    for (const Type type : all_types()) {
      const bool is_tiny = &d != &device();
      if (subset() && !is_tiny && type != Type::f32) continue;
      CAPTURE(std::string(name_of(type)));
      with_type(type, [&](auto zero) {
        using T = decltype(zero);
        for (const std::uint64_t n : {0, 1, 9, 511, 513, 3000}) {
          CAPTURE(n);
          const auto keys = sort_keys<T>(n % 2 ? Keys::random : Keys::few, n, 1);
          const bool descending = n == 3000;
          const ArgsortDesc desc{.order =
                                     descending ? SortOrder::descending : SortOrder::ascending};
          for (const bool keys_out : {false, true}) {
            if (!paired(static_cast<std::size_t>(type) + is_tiny + keys_out)) continue;
            check_argsort<std::uint32_t>(
                keys,
                {.device = &d, .desc = desc, .keys_out = keys_out, .misalign = keys_out ? 1u : 0u});
          }
          if (type == Type::f32)
            check_argsort<std::uint64_t>(keys, {.device = &d, .desc = desc, .misalign = 1});
        }
      });
    }
  }
}

TEST_CASE("argsort: all kinds of keys, ranges of bits and schedules") {
  for (const Keys kind :
       {Keys::one, Keys::ascending, Keys::descending, Keys::low_bits, Keys::special}) {
    const auto keys = sort_keys<float>(kind, 5 * kTile + 3, 2);
    for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
      for (const std::uint32_t begin : {0, 9}) {
        for (const std::optional<std::uint32_t> end :
             {std::optional<std::uint32_t>(), std::optional(9u), std::optional(17u)}) {
          for (const bool keys_out : {false, true}) {
            const std::uint32_t sum = end.value_or(0) / 8 + (begin == 0) + keys_out;
            if (!paired(sum + (schedule == Schedule::look_back))) continue;
            if (subset() && (begin == 0) != (end == 17)) continue;
            const ArgsortDesc desc{
                .float_order = keys_out ? FloatOrder::by_value : FloatOrder::by_bits,
                .begin_bit = begin,
                .end_bit = end,
                .schedule = schedule};
            check_argsort<std::uint32_t>(
                keys, {.device = &device(kTinySorts), .desc = desc, .keys_out = keys_out});
          }
        }
      }
    }
  }
}

TEST_CASE("argsort: the count is read on the GPU and clamped") {
  const auto keys = sort_keys<std::uint32_t>(Keys::random, 3000, 3);
  for (const Tuning& tuning : tunings({kTinySorts, Tuning{}})) {
    for (const std::uint64_t used : {0, 1, 513, 3000, 5000}) {
      const auto count = device_count(static_cast<std::uint32_t>(used));
      check_argsort<std::uint32_t>(
          keys, {.device = &device(tuning), .count = {3000, count.address()}, .used = used});
    }
  }
}

TEST_CASE("argsort: bad input is refused") {
  const Device& d = device();
  const std::uint64_t n = 50'000;
  const auto in = context().allocate<std::uint32_t>(n), out = context().allocate<std::uint32_t>(n);
  const auto keys_out = context().allocate<std::uint32_t>(n);
  const ArgsortDesc good{.count = n};
  const DirtyScratch scratch(argsort_scratch(d, good));
  const WrongInput<ArgsortDesc, ArgsortBuffers> wrong(
      d, record_argsort, good,
      {.in = in.view(), .out = out.view(), .keys_out = keys_out.view(), .scratch = scratch.get()});
  wrong.anywhere();
  wrong.desc({"index_width is 5"}, [](auto& x) { x.index_width = IndexWidth(5); });
  wrong.desc({"end_bit is 40"}, [](auto& x) { x.end_bit = 40; });
  wrong.desc({"count is 4294967297", "index_width"}, [](auto& x) { x.count = (1ull << 32) + 1; });
  wrong.buffers({"in", "199996"}, [](auto& x) { x.in.bytes -= 4; });
  wrong.buffers({"out", "overlap"}, [](auto& x) { x.out.address = x.in.address; });
  wrong.buffers({"keys_out", "overlap"}, [](auto& x) { x.keys_out.address = x.in.address; });
  wrong.buffers({"scratch"}, [](auto& x) { x.scratch.bytes -= 1; });
  CHECK(argsort_scratch(d, {.count = 0}).bytes == 0);
  CHECK(argsort_scratch(Device(), good).bytes == 0);
  check_monotone([&](std::uint64_t count) {
    return argsort_scratch(d, {.index_width = IndexWidth::u64, .count = count}).bytes;
  });
}

TEST_CASE("argsort: warm_up builds what any count needs") {
  DeviceInfo info = device(kTinySorts).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const auto memory = context().allocate<std::uint32_t>(9'000'000);
  const auto count = device_count(3u);
  const auto record = [&](VkCommandBuffer cmd, std::uint64_t n, bool keys_out) {
    const ArgsortDesc desc{.count = {n, count.address()}};
    const DirtyScratch scratch(argsort_scratch(d, desc));
    return record_argsort(cmd, d, desc,
                          {.in = memory.slice(1, n).view(),
                           .out = memory.slice(3'000'000, n).view(),
                           .keys_out = keys_out ? memory.slice(6'000'000, n).view() : BufferView{},
                           .scratch = scratch.get()});
  };
  expect_error(Status::not_warmed, {"warm_up"},
               [&](VkCommandBuffer cmd) { return record(cmd, 100, false); });
  throw_if_error(warm_up(d, ArgsortDesc{.count = {100, count.address()}}));
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      for (const std::uint64_t n : {1, 4000, 2'500'000}) {
        for (const bool keys_out : {false, true}) throw_if_error(record(cmd, n, keys_out));
      }
    });
  });
}

TEST_CASE("argsort: as a step of a Recorder" * doctest::test_suite("smoke")) {
  const auto keys = sort_keys<std::int64_t>(Keys::random, 700, 4);
  const auto in = context().upload(keys);
  const auto out = context().allocate<std::uint32_t>(keys.size());
  context().run([&](Recorder& r) { argsort(r, {}, in, out); });
  const auto want = oracle::argsort(keys, SortOrder::ascending);
  const auto got = context().download(out);
  CHECK(std::equal(want.begin(), want.end(), got.begin(), got.end()));
}

}  // namespace vkprims::test

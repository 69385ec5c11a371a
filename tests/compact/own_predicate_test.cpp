// Select and partition by predicates of an application's own, through
// vkprims_add_predicate().
#include <array>
#include <bit>

#include "blocks/stage.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"
#include "vkprims-tests/between.hpp"
#include "vkprims-tests/box.hpp"
#include "vkprims-tests/edge.hpp"

namespace vkprims::test {
namespace {

using own::between::Bounds;
using own::box::Box;
using own::edge::Edge;

constexpr Bounds kBounds{.low = 1u << 29, .high = 3u << 30, .step = 7, .unused = {}, .parity = 1};

// What a test knows of a predicate: what the GPU has, and the same on the host.
template <class T>
struct Case {
  const OwnPredicate& own;
  bool (*chooses)(const T& x, std::uint64_t index);
  Value arguments = {};
};

const Case<std::uint32_t> kBetween{own::between::predicate,
                                   [](const std::uint32_t& x, std::uint64_t i) {
                                     return x >= kBounds.low && x <= kBounds.high &&
                                            i % kBounds.step != 0 && std::popcount(x) % 2 == 1;
                                   },
                                   Value::bits(kBounds)};
const Case<Edge> kEdge{own::edge::predicate,
                       [](const Edge& x, std::uint64_t) { return x.from < x.to; }};
const Case<Box> kBox{own::box::predicate,
                     [](const Box& x, std::uint64_t i) {
                       return (x.low[0] < x.high[0] && x.low[1] < x.high[1]) != ((i & 4) != 0);
                     },
                     Value::bits(4)};

template <class T>
std::vector<T> random_elements(std::uint64_t n) {
  const auto words = random_values<std::uint32_t>(n * sizeof(T) / 4, 3);
  std::vector<T> elements(n);
  std::memcpy(elements.data(), words.data(), n * sizeof(T));
  return elements;
}

template <class T>
std::vector<std::uint32_t> words_of(const std::vector<T>& elements) {
  std::vector<std::uint32_t> words(elements.size() * sizeof(T) / 4);
  std::memcpy(words.data(), elements.data(), words.size() * 4);
  return words;
}

std::vector<std::uint64_t> counts_for(const Device& d, std::uint32_t bytes) {
  const Tuning& t = d.state()->tuning;
  const std::uint64_t tile =
      stage_tile(*d.state(), bytes, t.scan_workgroup_size, t.compact_rows, t.compact_batches).items;
  return {0, 1, 31, tile - 1, tile, tile + 1, 5 * tile + 3};
}

// The words of a buffer, of which the first are `first` and the others have not changed.
template <class T>
void check_front(const Guarded& out, const std::vector<T>& first) {
  std::vector<std::uint32_t> words = out.read<std::uint32_t>(), expected = words_of(first);
  for (std::size_t i = expected.size(); i < words.size(); ++i) CHECK(words[i] == 0xcdcdcdcd);
  words.resize(expected.size());
  CHECK(difference(words, expected) == "");
}

template <class T>
void check_select(const Device& d, const Case<T>& c, std::uint64_t n, std::uint64_t shift,
                  Schedule schedule, const Count& count, std::uint64_t valid) {
  const auto values = random_elements<T>(n);
  std::vector<T> chosen, others;
  std::vector<std::uint32_t> indices;
  for (std::uint64_t i = 0; i < valid; ++i) {
    (c.chooses(values[i], i) ? chosen : others).push_back(values[i]);
    if (c.chooses(values[i], i)) indices.push_back(static_cast<std::uint32_t>(i));
  }
  const Guarded in(values, shift * sizeof(T));
  const auto run_with = [&](const auto& desc, const Guarded& selected, auto record,
                            const ScratchNeed& need) {
    const DirtyScratch scratch(need);
    run([&](VkCommandBuffer cmd) { throw_if_error(record(cmd, desc, scratch.get())); });
    CHECK(selected.read<std::uint64_t>()[0] == chosen.size());
  };
  {
    const Guarded out(n * sizeof(T), (3 - shift) * sizeof(T)), numbers(n * 4, 4), selected(8);
    const SelectDesc desc{
        .own = &c.own, .arguments = c.arguments, .count = count, .schedule = schedule};
    run_with(
        desc, selected,
        [&](VkCommandBuffer cmd, const SelectDesc& x, const Scratch& scratch) {
          return record_select(cmd, d, x,
                               {.in = in.view(),
                                .out = out.view(),
                                .indices = numbers.view(),
                                .selected_count = selected.view(),
                                .scratch = scratch});
        },
        select_scratch(d, desc));
    check_front(out, chosen);
    check_front(numbers, indices);
  }
  for (const bool one_output : {false, true}) {
    if (one_output && schedule == Schedule::look_back) continue;
    const Guarded out(n * sizeof(T)), rejected(n * sizeof(T), sizeof(T)), selected(8);
    const PartitionDesc desc{.own = &c.own,
                             .arguments = c.arguments,
                             .one_output = one_output,
                             .count = count,
                             .schedule = schedule};
    run_with(
        desc, selected,
        [&](VkCommandBuffer cmd, const PartitionDesc& x, const Scratch& scratch) {
          return record_partition(cmd, d, x,
                                  {.in = in.view(),
                                   .out = out.view(),
                                   .rejected = rejected.view(),
                                   .selected_count = selected.view(),
                                   .scratch = scratch});
        },
        partition_scratch(d, desc));
    std::vector<T> both = chosen;
    both.insert(both.end(), others.begin(), others.end());
    check_front(out, one_output ? both : chosen);
    if (!one_output) check_front(rejected, others);
  }
}

template <class T>
void check_predicate(const Case<T>& c) {
  CAPTURE(std::string(c.own.name));
  CHECK(c.own.bytes == sizeof(T));
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : counts_for(d, sizeof(T))) {
      for (const Schedule schedule :
           {Schedule::look_back, Schedule::multi_pass, Schedule::automatic}) {
        CAPTURE(n);
        CAPTURE(static_cast<int>(schedule));
        const std::uint64_t shift = n % 4;
        check_select(d, c, n, shift, schedule, n, n);
      }
    }
    const auto count = device_count(700u);
    check_select(d, c, 1000, 0, Schedule::automatic, {1000, count.address()}, 700);
    check_select(d, c, 5000, 1, Schedule::look_back, {5000, count.address()}, 700);
    check_select(d, c, 600, 2, Schedule::multi_pass, {600, count.address()}, 600);
  }
}

}  // namespace

TEST_CASE("own predicate: elements of 4 bytes, with 32 bytes of arguments") {
  check_predicate(kBetween);
}

TEST_CASE("own predicate: elements of 8 bytes") { check_predicate(kEdge); }

TEST_CASE("own predicate: elements of 16 bytes, by their numbers too") { check_predicate(kBox); }

TEST_CASE("own predicate: arguments at a device address") {
  const auto bounds = context().upload(std::vector{kBounds});
  const Case<std::uint32_t> c{own::between::predicate, kBetween.chooses,
                              Value::at(bounds.address())};
  check_select(device(), c, 1000, 1, Schedule::look_back, 1000, 1000);
}

TEST_CASE("own predicate: through a Recorder, with typed sequences, and after warm_up()") {
  const auto edges = random_elements<Edge>(1000);
  const auto numbers = random_values<std::uint32_t>(1000, 4);
  const auto in = context().upload(edges);
  const auto out = context().allocate<Edge>(1000), rejected = context().allocate<Edge>(1000);
  const auto x = context().upload(numbers), y = context().allocate<std::uint32_t>(1000);
  const auto selected = context().allocate<std::uint64_t>(3);
  context().run([&](Recorder& r) {
    own::edge::select(r, {}, in, out, selected.slice(0, 1));
    own::edge::partition(r, {}, in, out, rejected, selected.slice(1, 1));
    own::between::select(r, {}, kBounds, x, y, selected.slice(2, 1));
  });
  std::uint64_t up = 0, between = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    if (kEdge.chooses(edges[i], i)) ++up;
    if (kBetween.chooses(numbers[i], i)) ++between;
  }
  CHECK(difference(context().download(selected), {up, up, between}) == "");

  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device warmed;
  throw_if_error(create_device(info, limits(), warmed));
  throw_if_error(own::between::warm_up(warmed, SelectDesc{}));
  throw_if_error(own::edge::warm_up(warmed, PartitionDesc{}));
  const Guarded values(4000), result(4000), count(8);
  const SelectDesc desc{.count = 1000};
  const DirtyScratch scratch(own::between::select_scratch(warmed, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(own::between::record_select(cmd, warmed, desc, kBounds,
                                               {.in = values.view(),
                                                .out = result.view(),
                                                .selected_count = count.view(),
                                                .scratch = scratch.get()}));
  });
}

TEST_CASE("own predicate: wrong input is refused by name") {
  const Guarded in(400), out(400), count(8);
  const WrongInput wrong(
      device(), record_select,
      SelectDesc{.own = &own::between::predicate, .arguments = kBetween.arguments, .count = 100},
      SelectBuffers{.in = in.view(), .out = out.view(), .selected_count = count.view()});
  wrong.desc({"arguments have 4 bytes", "own::between have 32"},
             [](SelectDesc& d) { d.arguments = Value::bits(1u); });
  wrong.desc({"own::edge have 0"}, [](SelectDesc& d) { d.own = &own::edge::predicate; });
  wrong.buffers({"in.bytes is 396"}, [](SelectBuffers& b) { b.in.bytes = 396; });
  const auto broken = [&](std::initializer_list<const char*> words,
                          FunctionRef<void(OwnPredicate&)> change) {
    OwnPredicate own = own::between::predicate;
    change(own);
    wrong.desc(words, [&](SelectDesc& d) { d.own = &own; });
  };
  broken({"own::between is for elements of 12 bytes, must be 4, 8 or 16"},
         [](OwnPredicate& own) { own.bytes = 12; });
  broken({"36 bytes of arguments"}, [](OwnPredicate& own) { own.argument_bytes = 36; });
  broken({"has no find_module"}, [](OwnPredicate& own) { own.find_module = nullptr; });
  broken({"has no kernels for it", "FORMS"}, [](OwnPredicate& own) {
    own.find_module = [](const OwnPredicate&, PredicateKernel, const Spirv*& spirv) {
      spirv = nullptr;
      return Status();
    };
  });
  DeviceInfo info = device().state()->info;
  info.enabled.float64 = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  OwnPredicate own = own::edge::predicate;
  own.has_float64 = true;
  CHECK(std::string(warm_up(narrow, SelectDesc{.own = &own}).message())
            .find("needs Features::float64") != std::string::npos);
}

}  // namespace vkprims::test

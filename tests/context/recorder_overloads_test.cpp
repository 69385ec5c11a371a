// What the overloads that take a Recorder promise of all primitives: types, counts, outputs.
#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>

#include "compiler.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

using Sentences = std::map<std::string, int>;

#ifndef _MSC_VER
TEST_CASE("recorder overloads: wrong types are refused by the compiler, each with one sentence") {
  if (subset()) return;  // the compiler is the same in every configuration
  Sentences want, got;
  const std::string mark = "  REFUSES(\"";
  std::ostringstream command;
  command << kSyntaxOnly;
  for (const char* file : kRefusedCalls) {
    command << ' ' << file;
    std::ifstream calls(file);
    for (std::string line; std::getline(calls, line);) {
      if (line.compare(0, mark.size(), mark) != 0) continue;
      ++want[line.substr(mark.size(), line.find('"', mark.size()) - mark.size())];
    }
  }
  REQUIRE(want.size() > 80);
  command << " 2>&1";
  FILE* output = popen(command.str().c_str(), "r");
  REQUIRE(output);
  char text[4096];
  while (std::fgets(text, sizeof(text), output)) {
    std::string line = text;
    if (line.find("error:") == std::string::npos) continue;
    const std::size_t at = line.find("vkprims: ");
    line = at == std::string::npos ? line : line.substr(at + 9);
    while (!line.empty() && (line.back() == '\n' || line.back() == '"')) line.pop_back();
    ++got[line];
  }
  CHECK(pclose(output) != 0);
  for (const auto& [sentence, times] : want) {
    CAPTURE(sentence);
    CHECK(got[sentence] == times);
  }
  for (const auto& [sentence, times] : got) {
    CAPTURE(sentence);
    CHECK(want[sentence] == times);
  }
}
#endif

template <class T>
Buffer<T> marked(std::uint64_t n) {
  return context().upload(std::vector<T>(n, T(77)));
}
template <class T>
Buffer<T> list(std::vector<T> values) {
  return context().upload(values);
}
template <class T>
using List = std::vector<T>;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

std::string refusal(const std::function<void(Recorder&)>& steps) {
  try {
    context().run(steps);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("recorder overloads: a count of 0 is no elements, and writes none") {
  const auto x = list<u32>({5, 3, 9}), y = list<u32>({1, 2, 4});
  const auto out = marked<u32>(6), other = marked<u32>(6);
  const auto number = marked<u64>(1), more = marked<u64>(1);
  const auto bytes = list<std::uint8_t>({1, 1, 1});
  const auto offsets = list<u32>({0, 3});
  const auto floats = list<float>({1, 2, 3}), float_out = marked<float>(3);
  const std::function<void(Recorder&)> calls[] = {
      [&](Recorder& r) { adjacent_difference(r, {.count = 0}, x, out); },
      [&](Recorder& r) { argsort(r, {.count = 0}, x, out, other); },
      [&](Recorder& r) { copy(r, {.count = 0}, x, out); },
      [&](Recorder& r) { fill(r, {.count = 0, .value = 1}, out); },
      [&](Recorder& r) { gather(r, {.count = 0}, x, offsets, out); },
      [&](Recorder& r) { scatter(r, {.count = 0}, x, offsets, out); },
      [&](Recorder& r) { iota(r, {.count = 0}, out); },
      [&](Recorder& r) { merge(r, {.a_count = 0, .b_count = 0}, x, y, out); },
      [&](Recorder& r) { nearest_smaller(r, {.count = 0}, x, out); },
      [&](Recorder& r) { radix_sort(r, {.count = 0}, x, out); },
      [&](Recorder& r) { radix_sort(r, {.count = 0}, x, out, y, other); },
      [&](Recorder& r) { random(r, {.count = 0}, out); },
      [&](Recorder& r) { rolling(r, {.count = 0}, x, out); },
      [&](Recorder& r) { scan(r, {.count = 0}, x, out); },
      [&](Recorder& r) { scan_by_key(r, {.count = 0}, x, y, out); },
      [&](Recorder& r) { search(r, {.count = 0}, x, y, out); },
      [&](Recorder& r) { segmented_reduce(r, {.count = 0}, x, offsets, out); },
      [&](Recorder& r) { segmented_scan(r, {.count = 0}, x, offsets, out); },
      [&](Recorder& r) { segmented_sort(r, {.count = 0}, x, offsets, out); },
      [&](Recorder& r) { spmv(r, {.count = 0}, floats, x, offsets, floats, float_out); },
      [&](Recorder& r) { stack_fold(r, {.count = 0}, bytes, x, out); },
      [&](Recorder& r) { stack_match(r, {.count = 0}, bytes, out); },
      [&](Recorder& r) { transform(r, {.count = 0, .scalar = 1}, x, out); },
      [&](Recorder& r) { top_k(r, {.k = 0}, x, out, other); },
      [&](Recorder& r) { dropout(r, {.count = 0}, floats, float_out); },
      [&](Recorder& r) { dropout_backward(r, {.count = 0}, floats, float_out); },
  };
  for (const auto& call : calls) {
    CAPTURE(&call - calls);
    context().run(call);
    CHECK(context().download(out) == List<u32>(6, 77));
    CHECK(context().download(other) == List<u32>(6, 77));
    CHECK(context().download(float_out) == List<float>(3, 77));
  }
  // These calls write a count of 0.
  const std::function<void(Recorder&)> counting[] = {
      [&](Recorder& r) { select(r, {.count = 0}, x, bytes, out, number); },
      [&](Recorder& r) { select(r, {.operand = 10, .count = 0}, x, out, number); },
      [&](Recorder& r) { partition(r, {.count = 0}, x, bytes, out, other, number); },
      [&](Recorder& r) { scan_by_key(r, {.count = 0}, x, y, out, number); },
      [&](Recorder& r) { unique(r, {.count = 0}, x, out, number); },
      [&](Recorder& r) { run_length_encode(r, {.count = 0}, x, out, other, number); },
      [&](Recorder& r) { reduce_by_key(r, {.count = 0}, x, y, out, other, number); },
      [&](Recorder& r) { top_k(r, {.k = 2, .count = 0}, x, out, {.count_out = number}); },
  };
  for (const auto& call : counting) {
    CAPTURE(&call - counting);
    context().run([&](Recorder& r) {
      fill(r, {.value = 77}, number);
      call(r);
    });
    CHECK(context().download(out) == List<u32>(6, 77));
    CHECK(context().download(number)[0] == 0);
  }
  context().run([&](Recorder& r) {
    reduce(r, {.count = 0}, x, out.slice(0, 1));
    arg_reduce(r, {.count = 0}, x, number);
    histogram(r, {.bins = 2, .count = 0}, bytes, other.slice(0, 2));
    merge(r, {.b_count = 0}, y, x, out.slice(1, 3), {.count_out = more});
    search(r, {.haystack_count = 0}, x, y, other.slice(2, 3));
  });
  CHECK(context().download(out) == List<u32>{0, 1, 2, 4, 77, 77});
  CHECK(context().download(number)[0] == kNoIndex);
  CHECK(context().download(more)[0] == 3);
  CHECK(context().download(other) == List<u32>{0, 0, 0, 0, 0, 77});
}

TEST_CASE("recorder overloads: a count of the GPU without a max has that of the buffer") {
  const auto x = list<u32>({5, 3, 9, 2});
  const auto three = list<u64>({3});
  const auto many = list<u32>({9});
  const auto a = marked<u32>(1), b = marked<u32>(1);
  context().run([&](Recorder& r) {
    reduce(r, {.count = count_in(three)}, x, a);
    reduce(r, {.count = count_in(many)}, x, b);
  });
  CHECK(context().download(a)[0] == 17);
  CHECK(context().download(b)[0] == 19);
}

TEST_CASE("record functions: a count that is not given is refused, one of 0 is none") {
  const auto x = marked<u32>(4), y = marked<u32>(4);
  const Device& d = context().device();
  std::string message;
  const auto record = [&](auto&& call) {
    context().run([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) { message = call(cmd).message(); });
    });
    return message;
  };
  const auto copied = [&](const Count& count) {
    return record([&](VkCommandBuffer cmd) {
      return record_copy(cmd, d, {.count = count}, {x.view(), y.view()});
    });
  };
  CHECK(copied({}) == "copy: count is not given; 0 must be said");
  CHECK(copied(Count::at(x.address())) == "copy: count.max is not given; 0 must be said");
  CHECK(copied(0) == "ok");
  CHECK(copied({0, x.address()}) == "ok");
  CHECK(record([&](VkCommandBuffer cmd) {
          return record_merge(cmd, d, {.a_count = 4}, {x.view(), x.view(), y.view()});
        }) == "merge: b_count is not given; 0 must be said");
  CHECK(record([&](VkCommandBuffer cmd) {
          return record_search(cmd, d, {.count = 0}, {x.view(), x.view(), y.view()});
        }) == "search: haystack_count is not given; 0 must be said");
  CHECK(record([&](VkCommandBuffer cmd) {
          return record_top_k(cmd, d, {.count = 4}, {x.view(), y.view()});
        }) == "top_k: k is not given; 0 must be said");
  CHECK(record([&](VkCommandBuffer cmd) { return record_dispatch_args(cmd, d, {}, {y.view()}); }) ==
        "dispatch_args: count is not given; 0 must be said");
  CHECK(copy_scratch(d, {}).bytes == 0);
}

TEST_CASE("recorder overloads: numbers are those of the element type") {
  const auto x = list<float>({0.5f, 0.25f});
  const auto total = marked<float>(1), scanned = marked<float>(2), filled = marked<float>(2),
             drawn = marked<float>(2), by_key = marked<float>(2);
  const auto runs = marked<u64>(1);
  const auto bytes = marked<std::uint8_t>(4), gathered = marked<std::uint8_t>(2);
  const auto indices = list<u32>({0, 9});
  context().run([&](Recorder& r) {
    scan(r, {.kind = ScanKind::inclusive, .initial = 1}, x, scanned, total);
    scan_by_key(r, {.kind = ScanKind::inclusive, .initial = 1}, x, x, by_key, runs);
    fill(r, {.value = -3}, filled);
    fill(r, {.value = 200}, bytes);
    iota(r, {.start = 1, .step = 0.5}, drawn);
    gather(r, {.out_of_range = OutOfRange::fill, .fill = 7}, bytes, indices, gathered);
  });
  CHECK(context().download(scanned) == List<float>{1.5f, 1.75f});
  CHECK(context().download(total) == List<float>{1.75f});
  CHECK(context().download(by_key) == List<float>{1.5f, 1.25f});
  CHECK(context().download(runs) == List<u64>{2});
  CHECK(context().download(filled) == List<float>{-3, -3});
  CHECK(context().download(bytes) == List<std::uint8_t>(4, 200));
  CHECK(context().download(drawn) == List<float>{1, 1.5f});
  CHECK(context().download(gathered) == List<std::uint8_t>{200, 7});
  CHECK(refusal([&](Recorder& r) { fill(r, {.value = 256}, bytes); }) ==
        "fill: value is 256, which u8 does not hold exactly");
  CHECK(refusal([&](Recorder& r) { fill(r, {.value = 0.1}, filled); }) ==
        "fill: value is 0.10000000000000001, which f32 does not hold exactly");
  CHECK(refusal([&](Recorder& r) {
          select(r, {.operand = 0.5}, indices, indices, marked<u64>(1));
        }) == "select: operand is 0.5, which u32 does not hold exactly");
}

TEST_CASE("recorder overloads: what only the descriptor knows of types is refused, too") {
  const auto x = marked<u32>(4), out = marked<u32>(4);
  const auto f = marked<float>(4);
  const auto bytes = marked<std::uint8_t>(4);
  CHECK(refusal([&](Recorder& r) { transform(r, {.op = MapOp::less, .scalar = 1}, f, f); }) ==
        "transform: out holds f32, but results of less are u32");
  CHECK(refusal([&](Recorder& r) { rolling(r, {.op = RollingOp::mean}, x, out); }) ==
        "rolling: out holds u32, but results of mean are f64");
  CHECK(refusal([&](Recorder& r) { random(r, {}, bytes); }) ==
        "random: bytes are for bernoulli only");
  CHECK(refusal([&](Recorder& r) {
          stack_fold(r, {.monoid = StackMonoid::f32_add}, bytes, x, out);
        }) == "stack_fold: monoid is of another type than values");
  CHECK(refusal([&](Recorder& r) { segmented_scan(r, {.form = SegmentForm::flags}, x, x, out); }) ==
        "segmented_scan: flags are bytes, and bits lie in words of u32");
  CHECK(refusal([&](Recorder& r) {
          scatter(r, {.mode = ScatterMode::add}, bytes, x, marked<std::uint8_t>(4));
        }).find("scatter: mode is not assign") == 0);
}

TEST_CASE("recorder overloads: every output of compaction, sorts and merge can be asked for") {
  const auto x = list<u32>({5, 5, 9, 2, 2, 7});
  const auto words = list<u64>({0, 1, 2, 3, 4, 5});
  const auto flags = list<std::uint8_t>({1, 0, 1, 0, 0, 1});
  const auto bits = list<u32>({0b100101});
  const auto n = marked<u64>(6);
  std::vector<Buffer<u32>> out;
  for (int i = 0; i < 12; ++i) out.push_back(marked<u32>(6));
  const auto wide = marked<u64>(6), values = marked<u64>(6);
  context().run([&](Recorder& r) {
    select(r, {}, x, flags, out[0], n.slice(0, 1), {.indices = out[1]});
    select(r, {.count = 6}, not_wanted, bits, not_wanted, n.slice(1, 1), {.indices = wide});
    partition(r, {}, x, flags, out[2], out[3], n.slice(2, 1));
    partition(r, {}, x, bits, out[4], not_wanted, n.slice(3, 1));
    unique(r, {}, x, out[5], words, values, n.slice(4, 1), {.indices = out[6]});
    argsort(r, {}, x, out[7], out[8]);
    top_k(r, {.sorted = true}, x, out[9].slice(0, 2), out[10].slice(0, 2),
          {.count_out = n.slice(5, 1)});
  });
  const auto is = [&](int i, List<u32> want) {
    want.resize(6, 77);
    return context().download(out[static_cast<std::size_t>(i)]) == want;
  };
  CHECK(is(0, {5, 9, 7}));
  CHECK(is(1, {0, 2, 5}));
  CHECK(is(2, {5, 9, 7}));
  CHECK(is(3, {5, 2, 2}));
  CHECK(is(4, {5, 9, 7, 5, 2, 2}));
  CHECK(is(5, {5, 9, 2, 7}));
  CHECK(is(6, {0, 2, 3, 5}));
  CHECK(is(7, {3, 4, 0, 1, 5, 2}));
  CHECK(is(8, {2, 2, 5, 5, 7, 9}));
  CHECK(is(9, {9, 7}));
  CHECK(is(10, {2, 5}));
  const List<u64> chosen = context().download(wide, 0, 3);
  CHECK(chosen == List<u64>{0, 2, 5});
  CHECK(context().download(values, 0, 4) == List<u64>{0, 2, 3, 5});
  CHECK(context().download(n) == List<u64>{3, 3, 3, 3, 4, 2});
}

TEST_CASE("recorder overloads: every output of stack_match and dispatch_args can be asked for") {
  const auto tag = [](StackTag t) { return static_cast<std::uint8_t>(t); };
  const auto symbols = list<std::uint8_t>(
      {tag(StackTag::open), tag(StackTag::open), tag(StackTag::close), tag(StackTag::close)});
  const auto match = marked<u32>(4), close_of = marked<u32>(4), depth = marked<u32>(4);
  const auto again = marked<u32>(4);
  const auto header = context().allocate<StackHeader>(1);
  const auto opens = list<u32>({0b0011}), closes = list<u32>({0b1100});
  const auto args = context().allocate<VkDispatchIndirectCommand>(1);
  const auto count = list<u32>({1000});
  context().run([&](Recorder& r) {
    stack_match(r, {}, symbols, match, {.close_of = close_of, .depth = depth, .header = header});
    stack_match(r, {}, opens, again, {.closes = closes});
    dispatch_args(r, {.count = {5000, count.address()}, .items_per_group = 64}, args);
  });
  const u32 none = ~0u;
  CHECK(context().download(match) == List<u32>{none, 0, 1, 0});
  CHECK(context().download(again) == List<u32>{none, 0, 1, 0});
  CHECK(context().download(close_of) == List<u32>{3, 2, none, none});
  CHECK(context().download(depth) == List<u32>{0, 1, 2, 1});
  CHECK(context().download(header)[0].deepest == 2);
  CHECK(context().download(args)[0].x == 16);
}

TEST_CASE("recorder overloads: rolling reads and writes nulls and groups") {
  const auto x = list<u32>({1, 2, 3, 4});
  const auto validity = list<u32>({0b1011});
  const auto offsets = list<u64>({0, 2, 4});
  const auto out = marked<u32>(4), out_validity = marked<u32>(1);
  context().run([&](Recorder& r) {
    rolling(r, {.preceding = 2, .min_periods = 2}, x, out,
            {.validity = validity, .out_validity = out_validity, .offsets = offsets});
  });
  CHECK(context().download(out_validity)[0] == 0b0010);
  CHECK(context().download(out)[1] == 3);
}

}  // namespace
}  // namespace vkprims::test

// Benchmark rows of select.
#include "harness.hpp"
#include "oracles/select.hpp"
#include "vkprims-bench/below.hpp"
#include "vkprims/select.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  SelectBy by = SelectBy::predicate;
  std::uint32_t percent = 50;   // of the elements, chosen by a predicate
  std::uint64_t in_offset = 0;  // bytes from a multiple of 16
  std::uint64_t count_percent =
      0;  // 0: the count is known on the host; else this much of n, on the GPU
  bool out = true, indices = false;
  Schedule schedule = Schedule::automatic;
  bool own = false;  // by a predicate of the program's own, which does the same
};

template <class T>
struct Select {
  Buffer<T> in, out;
  Buffer<std::uint32_t> flags, indices, count;
  Buffer<std::uint64_t> selected;
  Session::ScratchBlock scratch;
  SelectDesc desc;
  SelectBuffers buffers;
};

// The operand below which `percent` of random bits lie.
template <class T>
T threshold(std::uint32_t percent) {
  return static_cast<T>(static_cast<long double>(static_cast<T>(~T{0})) * percent / 100);
}

template <class T>
Case make_select(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  const std::uint64_t items = shape.count_percent ? n * shape.count_percent / 100 : n;
  const bool by_bytes = shape.by == SelectBy::bytes, by_bits = shape.by == SelectBy::bits;
  const std::uint64_t flag_words = by_bytes ? (n + 3) / 4 : by_bits ? (n + 31) / 32 : 0;
  const Data flag_data = by_bytes ? Data::flag_bytes : Data::bits;
  auto c = std::make_shared<Select<T>>();
  c->in = session.allocate<T>(n + 4);
  c->out = session.allocate<T>(shape.out ? n + 4 : 0);
  c->indices = session.allocate<std::uint32_t>(shape.indices ? n : 0);
  c->flags = session.allocate<std::uint32_t>(flag_words);
  c->selected = session.allocate<std::uint64_t>(1);
  session.generate(c->in.address() + shape.in_offset, n * sizeof(T) / 4, Data::bits);
  session.generate(c->flags.address(), flag_words, flag_data);
  c->desc = {.type = type_of<T>(),
             .by = shape.by,
             .predicate = Predicate::less,
             .operand = threshold<T>(shape.percent),
             .count = n,
             .schedule = shape.schedule};
  if (shape.own) {
    c->desc.own = &own::below::predicate;
    c->desc.arguments = Value::bits(static_cast<std::uint32_t>(threshold<T>(shape.percent)));
  }
  if (shape.count_percent) {
    c->count = context.upload(std::vector<std::uint32_t>{static_cast<std::uint32_t>(items)});
    c->desc.count = Count(n, c->count.address());
  }
  c->scratch = session.allocate_scratch(select_scratch(session.device(), c->desc));
  c->buffers = {.in = {c->in.address() + shape.in_offset, n * sizeof(T)},
                .flags = c->flags.view(),
                .out = shape.out ? c->out.view() : BufferView{},
                .indices = shape.indices ? c->indices.view() : BufferView{},
                .selected_count = c->selected.view(),
                .scratch = c->scratch.scratch};

  const std::uint32_t percent = flag_words ? 50 : shape.percent;
  Case result;
  result.items = items;
  result.ideal_bytes = items * sizeof(T) * (shape.out ? 100 + percent : 100) / 100 +
                       (shape.indices ? items * 4 * percent / 100 : 0) +
                       (n ? flag_words * 4 * items / n : 0);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_select(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const std::vector<T> in = host_data<T>(Data::bits, items);
    const auto flags = host_data<std::uint8_t>(flag_data, flag_words * 4);
    std::vector<bool> chosen(items);
    for (std::size_t i = 0; i < items; ++i) {
      chosen[i] = by_bytes  ? flags[i] != 0
                  : by_bits ? (flags[i / 8] >> i % 8 & 1) != 0
                            : in[i] < threshold<T>(shape.percent);
    }
    const oracle::Selected<T> want = oracle::select(in, chosen);
    const std::uint64_t selected = session.context().download(c->selected)[0];
    if (selected != want.elements.size()) return "count is " + std::to_string(selected);
    if (shape.indices) {
      const auto numbers = session.context().download(c->indices, 0, selected);
      const std::string wrong = first_difference(
          std::vector<std::uint64_t>(numbers.begin(), numbers.end()), want.indices);
      if (!wrong.empty()) return "indices: " + wrong;
    }
    if (!shape.out) return std::string();
    return first_difference(session.context().download(c->out, 0, selected), want.elements);
  };
  return result;
}

template <class T>
Row select_row(const char* name, bool main, Shape shape) {
  const auto bytes = static_cast<std::uint32_t>((shape.out ? 2 : 1) * sizeof(T) +
                                                4 * shape.indices + (shape.by == SelectBy::bytes));
  return {.name = name,
          .bytes_per_item = bytes,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_select<T>(s, n, shape); }};
}

using u32 = std::uint32_t;
using u64 = std::uint64_t;

const Register kRows({
    headline("compact", select_row<u32>("select/u32_50_percent", true, {})),
    select_row<u32>("select/u32_1_percent", true, {.percent = 1}),
    select_row<u32>("select/u32_99_percent", true, {.percent = 99}),
    select_row<u64>("select/u64_50_percent", false, {}),
    select_row<u32>("select/u32_by_bytes", true, {.by = SelectBy::bytes}),
    select_row<u32>("select/u32_by_bits", false, {.by = SelectBy::bits}),
    select_row<u32>("select/u32_indices", false, {.out = false, .indices = true}),
    select_row<u32>("select/u32_unaligned4", false, {.in_offset = 4}),
    select_row<u32>("select/u32_multi_pass", false, {.schedule = Schedule::multi_pass}),
    select_row<u32>("select/u32_own_predicate", false, {.own = true}),
    select_row<u32>("select/u32_count_1_percent", false, {.count_percent = 1}),
});

}  // namespace
}  // namespace vkprims::bench

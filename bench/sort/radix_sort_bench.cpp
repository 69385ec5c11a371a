// Benchmark rows of radix_sort.
#include "harness.hpp"
#include "vkprims/argsort.hpp"
#include "vkprims/iota.hpp"
#include "vkprims/radix_sort.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Data data = Data::bits;
  std::uint32_t value_bytes = 0;
  bool argsort = false;  // and no values
  bool in_place = false;
  std::uint64_t offset = 0;  // of the input, elements from a multiple of 16 bytes
  Schedule schedule = Schedule::automatic;
};

template <class T>
struct Sort {
  Buffer<T> in, out;
  Buffer<std::uint32_t> values_in, values_out;
  Session::ScratchBlock scratch;
  RadixSortDesc desc;
  RadixSortBuffers buffers;
  ArgsortDesc order;
};

// Empty if `keys` are in order and are otherwise the same as `input`.
template <class T>
std::string not_sorted(const std::vector<T>& keys, const std::vector<T>& input) {
  std::uint64_t sum = 0;
  const auto hash = [](T key) {
    std::uint64_t x = 0;
    std::memcpy(&x, &key, sizeof(T));
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  };
  for (std::uint64_t i = 0; i < keys.size(); ++i) {
    if (i && keys[i] < keys[i - 1]) return "element " + std::to_string(i) + " is too small";
    sum += hash(keys[i]) - hash(input[i]);
  }
  return sum == 0 ? "" : "other keys than those of the input";
}

// Empty if indices[i] says where keys[i] comes from, in the order of the input among equal keys.
template <class T>
std::string not_stable(const std::vector<std::uint32_t>& indices, const std::vector<T>& input) {
  for (std::uint64_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= input.size()) return "index " + std::to_string(i) + " is too large";
    if (i == 0) continue;
    const T before = input[indices[i - 1]], key = input[indices[i]];
    if (key < before || (key == before && indices[i] <= indices[i - 1])) {
      return "index " + std::to_string(i) + " is out of order";
    }
  }
  return "";
}

template <class T>
Case make_sort(Session& session, std::uint64_t n, const Shape& shape) {
  auto c = std::make_shared<Sort<T>>();
  Context& context = session.context();
  c->in = session.allocate<T>(n + 4);
  const auto in = c->in.slice(shape.offset, n);
  const auto generate = [=, &session] {
    session.generate(in.view().address, n * sizeof(T) / 4, shape.data);
  };
  generate();
  c->desc = {.type = type_of<T>(),
             .value_bytes = shape.value_bytes,
             .count = n,
             .schedule = shape.schedule};
  c->order = {.type = type_of<T>(), .count = n, .schedule = shape.schedule};
  c->buffers = {.in = in.view(), .out = in.view()};
  if (!shape.in_place && !shape.argsort) {
    c->out = session.allocate<T>(n);
    c->buffers.out = c->out.view();
  }
  const bool indices = shape.argsort || shape.value_bytes == 4;
  if (shape.value_bytes || shape.argsort) {
    const std::uint64_t words = n * (shape.argsort ? 4 : shape.value_bytes) / 4;
    c->values_out = session.allocate<std::uint32_t>(words);
    c->buffers.values_out = c->values_out.view();
    if (!shape.argsort) {
      c->values_in = context.allocate<std::uint32_t>(words);
      c->buffers.values_in = c->values_in.view();
      context.run([&](Recorder& r) { iota(r, {}, c->values_in); });
    }
  }
  c->scratch =
      session.allocate_scratch(shape.argsort ? argsort_scratch(session.device(), c->order)
                                             : radix_sort_scratch(session.device(), c->desc));
  c->buffers.scratch = c->scratch.scratch;

  Case result;
  result.items = n;
  const std::uint32_t payload = shape.argsort ? 4 : 2 * shape.value_bytes;
  result.ideal_bytes = n * ((shape.argsort ? 1 : 2) * sizeof(T) + payload);
  if (shape.in_place) result.prepare = generate;
  result.record = [&session, c, shape](VkCommandBuffer cmd) {
    if (!shape.argsort) return record_radix_sort(cmd, session.device(), c->desc, c->buffers);
    return record_argsort(
        cmd, session.device(), c->order,
        {.in = c->buffers.in, .out = c->buffers.values_out, .scratch = c->buffers.scratch});
  };
  result.mismatch = [=, &session] {
    const std::vector<T> input = host_data<T>(shape.data, n);
    std::string difference;
    if (!shape.argsort) {
      const auto keys = shape.in_place ? session.context().download(c->in, shape.offset, n)
                                       : session.context().download(c->out);
      difference = not_sorted(keys, input);
    }
    if (!difference.empty() || !indices) return difference;
    return not_stable(session.context().download(c->values_out), input);
  };
  return result;
}

template <class T>
Row sort_row(const char* name, bool main, Shape shape) {
  const std::uint32_t values = shape.argsort ? 8 : 3 * shape.value_bytes;
  return {.name = name,
          .bytes_per_item = static_cast<std::uint32_t>(3 * sizeof(T) + values + 1),
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_sort<T>(s, n, shape); }};
}

const Register kRows({
    headline("sort", sort_row<std::uint32_t>("radix_sort/u32", true, {})),
    sort_row<std::uint32_t>("radix_sort/u32_entropy_54", false, {.data = Data::entropy_54}),
    sort_row<std::uint32_t>("radix_sort/u32_entropy_20", false, {.data = Data::entropy_20}),
    sort_row<std::uint32_t>("radix_sort/u32_sorted", false, {.data = Data::ascending}),
    sort_row<std::uint32_t>("radix_sort/u32_reversed", false, {.data = Data::descending}),
    sort_row<std::uint32_t>("radix_sort/u32_constant", false, {.data = Data::zeros}),
    sort_row<std::uint32_t>("radix_sort/u32_16_distinct", false, {.data = Data::distinct_16}),
    sort_row<std::uint32_t>("radix_sort/u32_256_distinct", false, {.data = Data::distinct_256}),
    sort_row<std::uint32_t>("radix_sort/u32_zipf", false, {.data = Data::zipf}),
    sort_row<std::uint32_t>("radix_sort/u32_in_place", false, {.in_place = true}),
    sort_row<std::uint32_t>("radix_sort/u32_unaligned4", false, {.offset = 1}),
    sort_row<std::uint32_t>("radix_sort/u32_multi_pass", false, {.schedule = Schedule::multi_pass}),
    sort_row<float>("radix_sort/f32", false, {.data = Data::uniform_f32}),
    sort_row<std::uint32_t>("radix_sort/u32_values_u32", true, {.value_bytes = 4}),
    sort_row<std::uint32_t>("radix_sort/u32_values_u64", false, {.value_bytes = 8}),
    sort_row<std::uint32_t>("radix_sort/u32_values_16_bytes", false, {.value_bytes = 16}),
    sort_row<std::uint64_t>("radix_sort/u64", true, {}),
    sort_row<std::uint64_t>("radix_sort/u64_values_u32", false, {.value_bytes = 4}),
});

const Register kArgsortRows({
    headline("sort", sort_row<std::uint32_t>("argsort/u32", true, {.argsort = true})),
    sort_row<std::uint32_t>("argsort/u32_1m", false, {.data = Data::below_1m, .argsort = true}),
    sort_row<std::uint64_t>("argsort/u64", false, {.argsort = true}),
});

}  // namespace
}  // namespace vkprims::bench

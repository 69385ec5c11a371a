// Sorts of string columns, with rows that their first bytes tell apart and with others. Beside them
// is a sort of as many 64-bit numbers, which is the least that they can take.
#include <memory>
#include <random>

#include "harness.hpp"
#include "oracles/strings/order.hpp"
#include "registry.hpp"
#include "vkprims/argsort.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::bench {
namespace {

namespace oracle = vkprims::oracle::strings;

enum class Rows { random, prefix, distinct };  // prefix: eight bytes; distinct: 1,000 rows

HostStrings rows_of(std::uint64_t n, std::uint32_t width, Rows kind) {
  std::mt19937_64 random(1);
  const auto row = [&] {
    std::string text(random() % (2 * width + 1), 'a');
    for (char& c : text) c = static_cast<char>('a' + random() % 26);
    if (kind == Rows::prefix) text.replace(0, std::min<std::size_t>(text.size(), 8), "https://");
    return text;
  };
  HostStrings rows(n);
  std::vector<std::string> distinct;
  while (kind == Rows::distinct && distinct.size() < 1000) distinct.push_back(row());
  for (auto& text : rows) text = distinct.empty() ? row() : distinct[random() % 1000];
  return rows;
}

struct Sort {
  HostStrings rows;
  StringColumn in;
  Buffer<std::uint32_t> indices, offsets;
  Buffer<std::uint8_t> chars;
  Session::ScratchBlock order, gather;

  Status record(VkCommandBuffer cmd, const Device& d, bool gathers) const {
    const Status status = strings::record_argsort(
        cmd, d, {}, {.in = in.view(), .indices = indices.view(), .scratch = order.scratch});
    if (!status || !gathers) return status;
    if (const Status barrier = record_barrier(cmd, d); !barrier) return barrier;
    return strings::record_gather(cmd, d, {},
                                  {.in = in.view(),
                                   .indices = indices.view(),
                                   .out = {.offsets = offsets.view(), .chars = chars.view()},
                                   .scratch = gather.scratch});
  }

  std::string difference(Context& context, bool gathers) const {
    const auto want = oracle::argsort(rows);
    if (const auto got = context.download(indices); got != want) return "indices are wrong";
    if (!gathers) return "";
    const auto ends = context.download(offsets);
    const auto bytes = context.download(chars);
    for (std::size_t i = 0; i < want.size(); ++i) {
      const std::string row(bytes.begin() + ends[i], bytes.begin() + ends[i + 1]);
      if (row != rows[want[i]]) return "row " + std::to_string(i) + " is wrong";
    }
    return "";
  }
};

Case make_sort(Session& session, std::uint64_t n, std::uint32_t width, Rows kind, bool gathers) {
  auto c = std::make_shared<Sort>();
  c->rows = rows_of(n, width, kind);
  c->in = upload_strings(session.context(), c->rows);
  c->indices = session.allocate<std::uint32_t>(n);
  c->order = session.allocate_scratch(
      strings::argsort_scratch(session.device(), {}, n, c->in.byte_bound()));
  if (gathers) {
    c->offsets = session.allocate<std::uint32_t>(n + 1);
    c->chars = session.allocate<std::uint8_t>(c->in.byte_bound());
    c->gather = session.allocate_scratch(strings::gather_scratch(session.device(), {}, n));
  }
  Case result;
  result.items = n;
  const std::uint64_t column = c->in.byte_bound() + 4 * (n + 1);
  result.ideal_bytes = column + (gathers ? column : 4 * n);
  result.record = [=, &session](VkCommandBuffer cmd) {
    return c->record(cmd, session.device(), gathers);
  };
  result.mismatch = [=, &session] { return c->difference(session.context(), gathers); };
  return result;
}

struct Numbers {
  Buffer<std::uint64_t> in;
  Buffer<std::uint32_t> indices;
  Session::ScratchBlock scratch;
};

Case make_numbers(Session& session, std::uint64_t n) {
  auto c = std::make_shared<Numbers>();
  c->in = session.allocate<std::uint64_t>(n);
  session.generate(c->in.address(), 2 * n, Data::bits);
  c->indices = session.allocate<std::uint32_t>(n);
  const ArgsortDesc desc{.type = Type::u64, .count = n};
  c->scratch = session.allocate_scratch(argsort_scratch(session.device(), desc));
  Case result;
  result.items = n;
  result.ideal_bytes = 12 * n;
  result.record = [=, &session](VkCommandBuffer cmd) {
    return record_argsort(
        cmd, session.device(), desc,
        {.in = c->in.view(), .out = c->indices.view(), .scratch = c->scratch.scratch});
  };
  result.mismatch = [=, &session] {
    const auto keys = host_data<std::uint64_t>(Data::bits, n);
    std::vector<std::uint32_t> want(n);
    std::iota(want.begin(), want.end(), 0u);
    std::stable_sort(want.begin(), want.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
    return first_difference(session.context().download(c->indices), want);
  };
  return result;
}

Row row(const char* name, bool main, std::uint32_t width, Rows kind, bool gathers = true) {
  return {
      .name = name,
      .bytes_per_item = 2 * width + 64,
      .main = main,
      .sizes = {1 << 15, 1 << 21},
      .make = [=](Session& s, std::uint64_t n) { return make_sort(s, n, width, kind, gathers); }};
}

const Register kRows({
    {.name = "strings/sort/as_u64",
     .bytes_per_item = 48,
     .sizes = {1 << 15, 1 << 21},
     .make = make_numbers},
    headline("strings", row("strings/sort/random_32", true, 32, Rows::random)),
    row("strings/sort/random_128", false, 128, Rows::random),
    row("strings/sort/random_32_argsort", false, 32, Rows::random, false),
    row("strings/sort/prefix_32", false, 32, Rows::prefix),
    row("strings/sort/prefix_128", false, 128, Rows::prefix),
    row("strings/sort/distinct_32", false, 32, Rows::distinct),
    row("strings/sort/distinct_128", false, 128, Rows::distinct),
});

}  // namespace
}  // namespace vkprims::bench

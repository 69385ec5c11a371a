// Codes for ten million rows of a column of strings, and rows that a mask selects.
#include <memory>

#include "harness.hpp"
#include "registry.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::bench {
namespace {

// Word `number`, which has `width` bytes on average and which no other word equals: eight digits
// with letters around them.
std::string word_of(std::uint64_t number, std::uint32_t width) {
  constexpr char kDigits[] = "0123456789abcdef";
  const std::uint32_t noise = mix_bits(number + 77);
  std::string word(8 + noise % (2 * (width - 8) + 1), static_cast<char>('g' + noise % 16));
  const std::size_t at = (word.size() - 8) / 2;
  for (std::uint32_t k = 0; k < 8; ++k) word[at + k] = kDigits[number >> (4 * k) & 15];
  return word;
}

// Row i is word number_of(i).
template <class NumberOf>
StringColumn make_column(Context& context, std::uint64_t n, std::uint32_t width,
                         NumberOf&& number_of) {
  std::vector<std::uint32_t> offsets(n + 1);
  std::vector<std::uint8_t> chars;
  chars.reserve(n * (width + 1));
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::string word = word_of(number_of(i), width);
    chars.insert(chars.end(), word.begin(), word.end());
    offsets[i + 1] = static_cast<std::uint32_t>(chars.size());
  }
  return {context.upload(offsets), context.upload(chars), {}, chars.size()};
}

struct Dictionary {
  StringColumn in;
  Buffer<std::uint32_t> codes, rows;
  Buffer<std::uint64_t> count;
  Session::ScratchBlock scratch;
};

// If `distinct` is 0, all rows are distinct.
std::uint64_t number_of(std::uint64_t i, std::uint64_t distinct) {
  return distinct ? mix_bits(i) % distinct : i;
}

std::string mismatch(Session& session, const Dictionary& c, std::uint64_t distinct) {
  const std::uint64_t n = c.in.rows();
  constexpr std::uint32_t kNone = 0xffffffff;
  std::vector<std::uint32_t> code_of(distinct ? distinct : n, kNone), codes(n), rows;
  for (std::uint64_t i = 0; i < n; ++i) {
    std::uint32_t& code = code_of[number_of(i, distinct)];
    if (code == kNone) {
      code = static_cast<std::uint32_t>(rows.size());
      rows.push_back(static_cast<std::uint32_t>(i));
    }
    codes[i] = code;
  }
  Context& context = session.context();
  if (context.download(c.count)[0] != rows.size()) return "the number of codes is wrong";
  std::string text = first_difference(context.download(c.codes), codes);
  if (text.empty()) text = first_difference(context.download(c.rows, 0, rows.size()), rows);
  return text;
}

Case make_dictionary(Session& session, std::uint64_t n, std::uint64_t distinct) {
  auto c = std::make_shared<Dictionary>();
  c->in = make_column(session.context(), n, 16,
                      [&](std::uint64_t i) { return number_of(i, distinct); });
  c->codes = session.allocate<std::uint32_t>(n);
  c->rows = session.allocate<std::uint32_t>(n);
  c->count = session.allocate<std::uint64_t>(1);
  c->scratch = session.allocate_scratch(
      strings::dictionary_encode_scratch(session.device(), {}, n, c->in.byte_bound()));
  Case result;
  result.items = n;
  result.ideal_bytes = c->in.byte_bound() + 8 * n + 4 * (distinct ? std::min(distinct, n) : n);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return strings::record_dictionary_encode(cmd, session.device(), {},
                                             {.in = c->in.view(),
                                              .codes = c->codes.view(),
                                              .rows = c->rows.view(),
                                              .distinct_count = c->count.view(),
                                              .scratch = c->scratch.scratch});
  };
  result.mismatch = [&session, c, distinct] { return mismatch(session, *c, distinct); };
  return result;
}

struct Selection {
  StringColumn in;
  std::vector<std::uint32_t> words;
  BitColumn mask;
  Buffer<std::uint32_t> offsets;
  Buffer<std::uint8_t> chars;
  Buffer<std::uint64_t> count;
  Session::ScratchBlock scratch;
};

// Checks that the selected rows lie one behind the other, with none behind them.
std::string mismatch(Session& session, const Selection& c, std::uint32_t width) {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint8_t> chars;
  for (std::uint64_t i = 0; i < c.in.rows(); ++i) {
    if ((c.words[i / 32] >> (i % 32) & 1) == 0) continue;
    const std::string word = word_of(i, width);
    chars.insert(chars.end(), word.begin(), word.end());
    offsets.push_back(static_cast<std::uint32_t>(chars.size()));
  }
  Context& context = session.context();
  if (context.download(c.count)[0] != offsets.size() - 1) return "the number of rows is wrong";
  offsets.resize(c.in.rows() + 1, static_cast<std::uint32_t>(chars.size()));
  std::string text = first_difference(context.download(c.offsets), offsets);
  if (text.empty()) text = first_difference(context.download(c.chars, 0, chars.size()), chars);
  return text;
}

// Selects half of the rows.
Case make_select(Session& session, std::uint64_t n, std::uint32_t width) {
  Context& context = session.context();
  auto c = std::make_shared<Selection>();
  c->in = make_column(context, n, width, [](std::uint64_t i) { return i; });
  c->words.resize((n + 31) / 32);
  for (std::size_t i = 0; i < c->words.size(); ++i) c->words[i] = mix_bits(i);
  c->mask = {.bits = context.upload(c->words), .validity = {}, .rows = n};
  c->offsets = session.allocate<std::uint32_t>(n + 1);
  c->chars = session.allocate<std::uint8_t>(c->in.byte_bound());
  c->count = session.allocate<std::uint64_t>(1);
  c->scratch = session.allocate_scratch(strings::select_scratch(session.device(), {}, n));
  Case result;
  result.items = n;
  result.record = [&session, c, width](VkCommandBuffer cmd) {
    return strings::record_select(cmd, session.device(), {.longest_row_bytes = width},
                                  {.in = c->in.view(),
                                   .mask = c->mask.view(),
                                   .out = {.offsets = c->offsets.view(), .chars = c->chars.view()},
                                   .selected_count = c->count.view(),
                                   .scratch = c->scratch.scratch});
  };
  session.run(result);
  const std::uint64_t bytes = context.download(c->offsets, n, 1)[0];
  result.ideal_bytes = 2 * bytes + n / 8 + 4 * (n / 2) + 4 * (n + 1);
  result.mismatch = [&session, c, width] { return mismatch(session, *c, width); };
  return result;
}

Row dictionary_row(const char* name, bool main, std::uint64_t largest, std::uint64_t distinct) {
  return {.name = name,
          .bytes_per_item = 72,
          .main = main,
          .sizes = {1 << 15, largest},
          .make = [=](Session& s, std::uint64_t n) { return make_dictionary(s, n, distinct); }};
}

Row select_row(const char* name, std::uint32_t width) {
  return {.name = name,
          .bytes_per_item = 2 * width + 32,
          .sizes = {1 << 15, 1 << 21},
          .make = [=](Session& s, std::uint64_t n) { return make_select(s, n, width); }};
}

const Register kRows({
    headline("strings", dictionary_row("strings/dictionary_encode_1k", true, 10'000'000, 1000)),
    dictionary_row("strings/dictionary_encode_1m", false, 10'000'000, 1'000'000),
    dictionary_row("strings/dictionary_encode_distinct", false, 1 << 21, 0),
    select_row("strings/select_32", 32),
    select_row("strings/select_128", 128),
});

}  // namespace
}  // namespace vkprims::bench

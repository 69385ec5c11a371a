// Operations on columns of strings, with two million rows of 32 and of 128 bytes on average and
// with skewed ones.
#include <memory>
#include <random>

#include "harness.hpp"
#include "oracles/strings/case.hpp"
#include "oracles/strings/copying.hpp"
#include "oracles/strings/pieces.hpp"
#include "oracles/strings/search.hpp"
#include "registry.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::bench {
namespace {

namespace oracle = vkprims::oracle::strings;

enum class Lengths {
  even,
  with_nulls,  // every sixteenth row is null
  skewed,      // most short, few of 16 KiB
  same         // all of the same length
};

// Rows are two words, mostly of letters: a space in the middle, and "needle" in every fourth row.
HostStrings rows_of(std::uint64_t n, std::uint32_t width, Lengths lengths, std::uint32_t seed) {
  std::mt19937 random(seed);
  HostStrings rows(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    std::size_t length = random() % (2 * width + 1);
    // Skewed rows have as many bytes in all as even ones.
    if (lengths == Lengths::skewed) length = random() % 1024 < width / 32 ? 16384 : width / 2;
    if (lengths == Lengths::same) length = width;
    std::string& row = rows[i].emplace(length, 'a');
    for (std::size_t k = 0; k < length; k += 4) row[k] = static_cast<char>('a' + random() % 26);
    if (length > 8) row[length / 2] = ' ';
    if (length > 16 && i % 4 == 0) row.replace(length - 8, 6, "needle");
    if (lengths == Lengths::with_nulls && i % 16 == 5) rows[i].reset();
  }
  return rows;
}

// The length of the view at a random place.
std::uint32_t view_length(std::uint32_t offset) { return offset % 64; }

struct Strings {
  HostStrings a, b;
  StringColumn in, other;
  std::vector<std::uint32_t> words_of_mask, numbers;
  Buffer<std::uint32_t> indices, lengths;  // of rows, and as views
  BitColumn bits;
  // The results follow.
  Buffer<std::uint32_t> offsets, words;
  Buffer<std::uint8_t> chars;
  Buffer<std::uint32_t> validity;  // empty: not wanted
  Session::ScratchBlock scratch;
  StringColumnOut out() const {
    return {.offsets = offsets.view(),
            .chars = chars.view(),
            .validity = validity.size() ? validity.view() : BufferView{}};
  }
};

std::string difference(Session& session, const Strings& c, const HostStrings& want) {
  const auto offsets = session.context().download(c.offsets);
  const auto chars = session.context().download(c.chars);
  for (std::size_t i = 0; i < want.size(); ++i) {
    const std::string row(chars.begin() + offsets[i], chars.begin() + offsets[i + 1]);
    if (row != want[i].value_or("")) return "row " + std::to_string(i) + " is wrong";
  }
  return "";
}

struct Operation {
  // The number of bytes that the result may have.
  std::function<std::uint64_t(const Strings&)> bound;
  std::function<ScratchNeed(const Device&, std::uint64_t rows)> scratch;
  std::function<Status(VkCommandBuffer, const Device&, const Strings&)> record;
  std::function<HostStrings(const Strings&)> expected;
  int columns = 1;          // how many columns are read
  std::uint64_t words = 0;  // of a map's result for 32 rows; 0: it makes strings
  std::function<std::vector<std::uint32_t>(const Strings&)> expected_words;
};

std::uint64_t as_input(const Strings& c) { return c.in.byte_bound(); }

// The longest rows here have up to twice 128 bytes; this determines the size of scratch.
constexpr std::uint64_t kMostRowBytes = 256;

Case make_strings(Session& session, std::uint64_t n, std::uint32_t width, Lengths lengths,
                  const Operation& op) {
  Context& context = session.context();
  auto c = std::make_shared<Strings>();
  c->a = rows_of(n, width, lengths, 1);
  c->in = upload_strings(context, c->a);
  std::uint64_t read = c->in.byte_bound() + 4 * (n + 1);
  std::mt19937 random(3);
  std::vector<std::uint32_t> words((n + 31) / 32), indices(n);
  for (auto& word : words) word = random();
  for (auto& index : indices) index = static_cast<std::uint32_t>(random() % n);
  c->words_of_mask = words;
  c->numbers = indices;
  c->bits = {.bits = context.upload(words), .validity = {}, .rows = n};
  c->indices = context.upload(indices);
  for (auto& index : indices) index = view_length(index);
  c->lengths = context.upload(indices);
  if (op.columns == 2) {
    c->b = rows_of(n, width, lengths, 2);
    c->other = upload_strings(context, c->b);
    read += c->other.byte_bound() + 4 * (n + 1);
  }
  Case result;
  result.items = n;
  result.record = [&session, c, op](VkCommandBuffer cmd) {
    return op.record(cmd, session.device(), *c);
  };
  const std::uint64_t rows_of_scratch = std::max(n, c->in.byte_bound() / kMostRowBytes + 1);
  c->scratch = session.allocate_scratch(op.scratch(session.device(), rows_of_scratch));
  if (op.words) {
    c->words = session.allocate<std::uint32_t>(op.words == 32 ? n : (n + 31) / 32 * op.words);
    result.ideal_bytes = read + c->words.size_bytes();
    result.mismatch = [c, op, &session] {
      const auto got = session.context().download(c->words);
      return got == op.expected_words(*c) ? "" : "results are wrong";
    };
    return result;
  }
  if (lengths == Lengths::with_nulls) c->validity = session.allocate<std::uint32_t>((n + 31) / 32);
  c->offsets = session.allocate<std::uint32_t>(n + 1);
  c->chars = session.allocate<std::uint8_t>(op.bound(*c));
  session.run(result);
  const std::uint64_t written = context.download(c->offsets, n, 1)[0];
  // For rows that are gathered, the bytes of the source are those that are gathered.
  const std::uint64_t source = op.bound(*c) != as_input(*c) && op.columns == 1 ? written : 0;
  result.ideal_bytes = (source ? source + 8 * n : read) + written + 4 * (n + 1);
  result.mismatch = [c, op, &session] { return difference(session, *c, op.expected(*c)); };
  return result;
}

const strings::MatchDesc kContains{.match = strings::Match::contains, .text = "needle"};
const strings::FindDesc kFind{.number = strings::StringNumber::find, .text = "needle"};
const strings::FindDesc kCount{.number = strings::StringNumber::count_characters};
const strings::SliceDesc kSlice{.start = 1, .stop = 12};
const strings::CopyIfElseDesc kChoose{.b_is_scalar = true, .b_text = "X X"};
const strings::ConcatenateDesc kJoin{.separator = " "};
const strings::StripDesc kStrip{};

// Adds the length of the longest row to a descriptor; a column that came from the host knows it.
template <class Desc>
Desc hinted(Desc desc, const Strings& c) {
  desc.longest_row_bytes = c.in.longest_row_bytes();
  return desc;
}

Operation contains() {
  return {.scratch =
              [](const Device& d, std::uint64_t n) {
                return strings::match_scratch(d, kContains, kMostRowBytes * n);
              },
          .record =
              [](VkCommandBuffer cmd, const Device& d, const Strings& c) {
                return strings::record_match(
                    cmd, d, hinted(kContains, c),
                    {.in = c.in.view(), .out = c.words.view(), .scratch = c.scratch.scratch});
              },
          .words = 1,
          .expected_words =
              [](const Strings& c) {
                const auto found = oracle::contains(c.a, kContains.text);
                std::vector<std::uint32_t> words((found.size() + 31) / 32);
                for (std::size_t i = 0; i < found.size(); ++i) {
                  words[i / 32] |= static_cast<std::uint32_t>(found[i].value_or(false)) << (i % 32);
                }
                return words;
              }};
}

Operation numbers(const strings::FindDesc& desc) {
  return {.scratch =
              [desc](const Device& d, std::uint64_t n) {
                return strings::find_scratch(d, desc, kMostRowBytes * n);
              },
          .record =
              [desc](VkCommandBuffer cmd, const Device& d, const Strings& c) {
                return strings::record_find(
                    cmd, d, hinted(desc, c),
                    {.in = c.in.view(), .out = c.words.view(), .scratch = c.scratch.scratch});
              },
          .words = 32,
          .expected_words =
              [desc](const Strings& c) {
                const bool counts = desc.number == strings::StringNumber::count_characters;
                const auto numbers =
                    counts ? oracle::count_characters(c.a) : oracle::find(c.a, desc.text);
                std::vector<std::uint32_t> words(numbers.size());
                for (std::size_t i = 0; i < words.size(); ++i) {
                  words[i] = static_cast<std::uint32_t>(numbers[i].value_or(0));
                }
                return words;
              }};
}

Operation slice() {
  return {.bound = as_input,
          .scratch =
              [](const Device& d, std::uint64_t n) {
                return strings::slice_scratch(d, kSlice, n, kMostRowBytes * n);
              },
          .record =
              [](VkCommandBuffer cmd, const Device& d, const Strings& c) {
                return strings::record_slice(
                    cmd, d, hinted(kSlice, c),
                    {.in = c.in.view(), .out = c.out(), .scratch = c.scratch.scratch});
              },
          .expected =
              [](const Strings& c) {
                return oracle::slice(c.a, {.start = kSlice.start, .stop = kSlice.stop});
              }};
}

Operation slice_step(std::int32_t step) {
  const strings::SliceDesc desc{.step = step};
  return {.bound = as_input,
          .scratch =
              [desc](const Device& d, std::uint64_t n) {
                return strings::slice_scratch(d, desc, n, kMostRowBytes * n);
              },
          .record =
              [desc](VkCommandBuffer cmd, const Device& d, const Strings& c) {
                return strings::record_slice(
                    cmd, d, hinted(desc, c),
                    {.in = c.in.view(), .out = c.out(), .scratch = c.scratch.scratch});
              },
          .expected = [step](const Strings& c) { return oracle::slice(c.a, {.step = step}); }};
}

Operation strip() {
  return {.bound = as_input,
          .scratch =
              [](const Device& d, std::uint64_t n) {
                return strings::strip_scratch(d, kStrip, n, kMostRowBytes * n);
              },
          .record =
              [](VkCommandBuffer cmd, const Device& d, const Strings& c) {
                return strings::record_strip(
                    cmd, d, hinted(kStrip, c),
                    {.in = c.in.view(), .out = c.out(), .scratch = c.scratch.scratch});
              },
          .expected = [](const Strings& c) { return oracle::strip(c.a); }};
}

Operation upper() {
  const strings::ChangeCaseDesc desc{.to = strings::Case::upper};
  return {.bound = [](const Strings& c) { return 3 * c.in.byte_bound(); },
          .scratch =
              [desc](const Device& d, std::uint64_t n) {
                return strings::change_case_scratch(d, desc, n, kMostRowBytes * n);
              },
          .record =
              [desc](VkCommandBuffer cmd, const Device& d, const Strings& c) {
                return strings::record_change_case(
                    cmd, d, hinted(desc, c),
                    {.in = c.in.view(), .out = c.out(), .scratch = c.scratch.scratch});
              },
          .expected = [](const Strings& c) { return oracle::to_upper(c.a); }};
}

Operation split(std::uint32_t token) {
  const strings::SplitDesc desc{.token = token};
  return {
      .bound = as_input,
      .scratch =
          [desc](const Device& d, std::uint64_t n) {
            return strings::split_scratch(d, desc, n, kMostRowBytes * n);
          },
      .record =
          [desc](VkCommandBuffer cmd, const Device& d, const Strings& c) {
            return strings::record_split(
                cmd, d, hinted(desc, c),
                {.in = c.in.view(), .out = c.out(), .scratch = c.scratch.scratch});
          },
      .expected = [token](const Strings& c) { return oracle::split(c.a, "", 2, false)[token]; }};
}

Operation copy_if_else() {
  return {.bound = [](const Strings& c) { return c.in.byte_bound() + 3 * c.in.rows(); },
          .scratch = [](const Device& d,
                        std::uint64_t n) { return strings::copy_if_else_scratch(d, kChoose, n); },
          .record =
              [](VkCommandBuffer cmd, const Device& d, const Strings& c) {
                return strings::record_copy_if_else(cmd, d, hinted(kChoose, c),
                                                    {.a = c.in.view(),
                                                     .mask = c.bits.view(),
                                                     .out = c.out(),
                                                     .scratch = c.scratch.scratch});
              },
          .expected =
              [](const Strings& c) {
                HostStrings rows = c.a;
                for (std::uint64_t i = 0; i < rows.size(); ++i) {
                  if ((c.words_of_mask[i / 32] >> (i % 32) & 1) == 0) rows[i] = "X X";
                }
                return rows;
              }};
}

Operation concatenate() {
  return {
      .bound =
          [](const Strings& c) { return c.in.byte_bound() + c.other.byte_bound() + c.in.rows(); },
      .scratch = [](const Device& d,
                    std::uint64_t n) { return strings::concatenate_scratch(d, kJoin, 2, n); },
      .record =
          [](VkCommandBuffer cmd, const Device& d, const Strings& c) {
            const StringColumnView views[] = {c.in.view(), c.other.view()};
            return strings::record_concatenate(
                cmd, d, hinted(kJoin, c),
                {.columns = views, .out = c.out(), .scratch = c.scratch.scratch});
          },
      .expected =
          [](const Strings& c) {
            return oracle::concatenate({c.a, c.b}, {.separator = " "});
          },
      .columns = 2};
}

Operation gather() {
  return {
      .bound = [](const Strings& c) { return 2 * c.in.byte_bound(); },
      .scratch = [](const Device& d, std::uint64_t n) { return strings::gather_scratch(d, {}, n); },
      .record =
          [](VkCommandBuffer cmd, const Device& d, const Strings& c) {
            return strings::record_gather(cmd, d, hinted(strings::GatherStringsDesc{}, c),
                                          {.in = c.in.view(),
                                           .indices = c.indices.view(),
                                           .out = c.out(),
                                           .scratch = c.scratch.scratch});
          },
      .expected = [](const Strings& c) { return oracle::gather(c.a, c.numbers); }};
}

Operation from_views() {
  const strings::FromViewsDesc desc{.longest_row_bytes = 64};
  return {.bound =
              [](const Strings& c) {
                std::uint64_t bytes = 0;
                for (const std::uint32_t index : c.numbers) bytes += view_length(index);
                return bytes;
              },
          .scratch = [desc](const Device& d,
                            std::uint64_t n) { return strings::from_views_scratch(d, desc, n); },
          .record =
              [desc](VkCommandBuffer cmd, const Device& d, const Strings& c) {
                return strings::record_from_views(cmd, d, desc,
                                                  {.chars = c.in.chars().view(),
                                                   .offsets = c.indices.view(),
                                                   .lengths = c.lengths.view(),
                                                   .out = c.out(),
                                                   .scratch = c.scratch.scratch});
              },
          .expected =
              [](const Strings& c) {
                std::string chars;
                for (const auto& row : c.a) chars += *row;
                const std::vector<std::uint64_t> offsets(c.numbers.begin(), c.numbers.end());
                std::vector<std::uint32_t> lengths(c.numbers);
                for (auto& x : lengths) x = view_length(x);
                return oracle::from_views(chars, offsets, lengths);
              }};
}

Row row(const char* name, bool main, std::uint32_t width, Lengths lengths, const Operation& op) {
  return {
      .name = name,
      .bytes_per_item = 8 * width + 64,
      .main = main,
      .sizes = {1 << 15, 1 << 21},
      .make = [=](Session& s, std::uint64_t n) { return make_strings(s, n, width, lengths, op); }};
}

// A row of the benchmark on one string with as many bytes as n strings of 32.
Row one_row(const char* name, const Operation& op) {
  return {.name = name,
          .bytes_per_item = 8 * 32 + 64,
          .main = false,
          .sizes = {1 << 21, 1 << 23},
          .make = [=](Session& s, std::uint64_t n) {
            return make_strings(s, 1, static_cast<std::uint32_t>(32 * n), Lengths::same, op);
          }};
}

const Register kRows({
    headline("strings", row("strings/contains_32", true, 32, Lengths::even, contains())),
    row("strings/contains_128", false, 128, Lengths::even, contains()),
    row("strings/contains_32_skewed", false, 32, Lengths::skewed, contains()),
    row("strings/find_32", false, 32, Lengths::even, numbers(kFind)),
    row("strings/find_128", false, 128, Lengths::even, numbers(kFind)),
    row("strings/count_characters_32", false, 32, Lengths::even, numbers(kCount)),
    row("strings/count_characters_128", false, 128, Lengths::even, numbers(kCount)),
    headline("strings", row("strings/slice_32", true, 32, Lengths::even, slice())),
    row("strings/slice_128", false, 128, Lengths::even, slice()),
    row("strings/slice_reverse_32", false, 32, Lengths::even, slice_step(-1)),
    row("strings/slice_reverse_128", false, 128, Lengths::even, slice_step(-1)),
    row("strings/slice_step_2_32", false, 32, Lengths::even, slice_step(2)),
    row("strings/slice_step_2_128", false, 128, Lengths::even, slice_step(2)),
    row("strings/strip_32", false, 32, Lengths::even, strip()),
    row("strings/strip_128", false, 128, Lengths::even, strip()),
    row("strings/strip_32_skewed", false, 32, Lengths::skewed, strip()),
    row("strings/to_upper_32", false, 32, Lengths::even, upper()),
    row("strings/to_upper_128", false, 128, Lengths::even, upper()),
    row("strings/split_first_32", false, 32, Lengths::even, split(0)),
    headline("strings", row("strings/split_second_32", false, 32, Lengths::even, split(1))),
    row("strings/split_second_128", false, 128, Lengths::even, split(1)),
    headline("strings", row("strings/copy_if_else_32", false, 32, Lengths::even, copy_if_else())),
    row("strings/copy_if_else_128", false, 128, Lengths::even, copy_if_else()),
    headline("strings", row("strings/concatenate_32", true, 32, Lengths::even, concatenate())),
    row("strings/concatenate_128", false, 128, Lengths::even, concatenate()),
    row("strings/concatenate_32_skewed", false, 32, Lengths::skewed, concatenate()),
    headline("strings", row("strings/gather_32", true, 32, Lengths::even, gather())),
    row("strings/gather_128", false, 128, Lengths::even, gather()),
    one_row("strings/contains_one_row", contains()),
    one_row("strings/find_one_row", numbers(kFind)),
    one_row("strings/count_characters_one_row", numbers(kCount)),
    one_row("strings/slice_one_row", slice()),
    one_row("strings/slice_reverse_one_row", slice_step(-1)),
    one_row("strings/slice_step_2_one_row", slice_step(2)),
    one_row("strings/strip_one_row", strip()),
    one_row("strings/to_upper_one_row", upper()),
    one_row("strings/split_second_one_row", split(1)),
    one_row("strings/copy_if_else_one_row", copy_if_else()),
    one_row("strings/concatenate_one_row", concatenate()),
    one_row("strings/gather_one_row", gather()),
    row("strings/from_views_32", false, 32, Lengths::even, from_views()),
    // These rows are short; some operations have other kernels for them.
    row("strings/slice_6", false, 6, Lengths::even, slice()),
    row("strings/split_second_6", false, 6, Lengths::even, split(1)),
    row("strings/copy_if_else_6", false, 6, Lengths::even, copy_if_else()),
    row("strings/concatenate_6", false, 6, Lengths::even, concatenate()),
    row("strings/gather_6", false, 6, Lengths::even, gather()),
    row("strings/slice_6_nulls", false, 6, Lengths::with_nulls, slice()),
    row("strings/split_second_6_nulls", false, 6, Lengths::with_nulls, split(1)),
    row("strings/copy_if_else_6_nulls", false, 6, Lengths::with_nulls, copy_if_else()),
    row("strings/concatenate_6_nulls", false, 6, Lengths::with_nulls, concatenate()),
});

}  // namespace
}  // namespace vkprims::bench

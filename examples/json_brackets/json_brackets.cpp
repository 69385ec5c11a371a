// Checks the brackets of JSON files on the GPU: which of {}[] stand outside of strings, and whether
// they match.
//
//   json_brackets [file…]       without a file: a built-in sample
//
// The exit status is 0 if all are balanced, 1 if some are not, and 2 if a file could not be read or
// there is no device.
//
// What a sequential scanner keeps from byte to byte becomes scans over planes of bits (one bit for
// each byte). Four of the steps (*) are kernels of this program:
//
//   classify *          planes of backslashes, quotes and brackets
//   scan (max)          is the first byte of a word escaped?
//   unescape *          quotes that are escaped do not count
//   scan (add)          quotes up to each word: an odd number opens a string
//   outside *           brackets in strings do not count
//   select              their offsets, one behind the other, and how many
//   gather, transform   their tags
//   stack_match         which belong together
//   errors *            where the first of each kind of error is
//
// Everything is recorded into one command buffer; the host reads back nothing but Findings. Only
// brackets are checked: a backslash outside of strings, which JSON does not have, escapes the next
// byte as it does in a string.
#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "abi.h"
#include "kernel.hpp"
#include "spirv/classify.hpp"
#include "spirv/errors.hpp"
#include "spirv/outside.hpp"
#include "spirv/unescape.hpp"
#include "vkprims/context.hpp"
#include "vkprims/vkprims.hpp"

namespace {

using Kernel = examples::Kernel<json::Push>;
constexpr std::uint32_t kNone = 0xffffffff;
static_assert(offsetof(json::Findings, quotes) == sizeof(vkprims::StackHeader));

constexpr std::string_view kSample = R"({
  "name": "sample",
  "brackets in strings": ["}", "]]", "\"[", "\\"],
  "nested": {"a": [[], [{}], [[1, 2], [3, {"b": null}]]]}
}
)";

struct Kernels {
  Kernel classify, unescape, outside, errors;
  explicit Kernels(const vkprims::Context& context)
      : classify(context, app::classify),
        unescape(context, app::unescape),
        outside(context, app::outside),
        errors(context, app::errors) {}
};

struct Result {
  json::Findings findings;
  double gpu_ms;
};

// Allocates device memory for the worst case, a text that is all brackets: 11 bytes for each byte
// of the text, and scratch.
Result check_brackets(vkprims::Context& context, const Kernels& kernels, const std::string& text) {
  const std::uint64_t words = std::max<std::uint64_t>(1, (text.size() + 31) / 32);  // of a plane
  const std::uint64_t padded = 32 * words;
  const auto device_text = context.allocate<char>(padded);
  context.write(device_text, text);
  context.write(device_text, std::string(padded - text.size(), '\0'), text.size());  // padding
  const auto backslashes = context.allocate<std::uint32_t>(words);
  const auto quotes = context.allocate<std::uint32_t>(words);
  const auto brackets = context.allocate<std::uint32_t>(words);
  const auto escapes = context.allocate<std::uint32_t>(words);
  const auto quotes_through = context.allocate<std::uint32_t>(words);
  const auto offsets = context.allocate<std::uint32_t>(padded);
  const auto tags = context.allocate<char>(padded);
  const auto match = context.allocate<std::uint32_t>(padded);
  const auto bracket_count = context.allocate<std::uint64_t>(1);
  const auto args = context.allocate<VkDispatchIndirectCommand>(1);
  const auto findings = context.allocate<json::Findings>(1);
  const json::Findings nothing{.extra_close = kNone};
  const json::Push push{.text = device_text.address(),
                        .backslashes = backslashes.address(),
                        .quotes = quotes.address(),
                        .brackets = brackets.address(),
                        .escapes = escapes.address(),
                        .quotes_through = quotes_through.address(),
                        .tags = tags.address(),
                        .offsets = offsets.address(),
                        .match = match.address(),
                        .findings = findings.address(),
                        .words = static_cast<std::uint32_t>(words)};

  vkprims::Job job = context.submit([&](vkprims::Recorder& r) {
    r.update(findings, 0, {&nothing, 1});

    kernels.classify.run(r, push, words);
    vkprims::scan(r, {.op = vkprims::Op::max}, escapes, escapes);
    kernels.unescape.run(r, push, words);
    vkprims::scan(r, {.op = vkprims::Op::add, .kind = vkprims::ScanKind::inclusive}, quotes_through,
                  quotes_through);
    kernels.outside.run(r, push, words);

    vkprims::select(r, {}, vkprims::not_wanted, brackets, vkprims::not_wanted, bracket_count,
                    {.indices = offsets});

    // From here on the number of brackets is read on the GPU.
    const vkprims::Count count{text.size(), bracket_count.address(), vkprims::CountWidth::u64};
    vkprims::gather(r, {.count = count}, device_text, offsets, tags);
    // The code of a bracket, shifted to the right by one, is its tag: its type and what it does.
    // '[' is 1011|01, ']' 1011|10, '{' 1111|01, '}' 1111|10. The shift works on words, four tags at
    // once. Of the words that exist, it takes as many as there are brackets, which is more than
    // enough.
    const vkprims::DeviceSpan<std::uint32_t> fours{tags.address(), padded / 4};
    const vkprims::Count fours_count{fours.size(), bracket_count.address()};
    vkprims::transform(r, {.op = vkprims::MapOp::shift_right, .count = fours_count, .scalar = 1},
                       fours, fours);
    vkprims::transform(r,
                       {.op = vkprims::MapOp::bit_and, .count = fours_count, .scalar = 0x3f3f3f3f},
                       fours, fours);

    const vkprims::DeviceSpan<vkprims::StackHeader> header{findings.address(), 1};
    vkprims::stack_match(r, {.count = count, .types = true}, tags, match, {.header = header});
    vkprims::dispatch_args(r, {.count = count, .items_per_group = Kernel::kWorkgroupSize}, args);
    kernels.errors.run(r, push, args);
  });
  return {context.download(findings)[0], job.gpu_ms()};
}

// Says where a byte is, for people: "line:column", both from 1, columns in bytes.
std::string place(const std::string& text, std::uint32_t offset) {
  const auto at = text.begin() + offset;
  const auto line = 1 + std::count(text.begin(), at, '\n');
  const auto column = at - std::find(std::make_reverse_iterator(at), text.rend(), '\n').base() + 1;
  return std::to_string(line) + ':' + std::to_string(column);
}

// The first error that a scanner would find, or "". At the end of the text a string that has not
// ended comes before brackets that are open, because it may have swallowed what closes them.
std::string first_error(const std::string& name, const std::string& text, const json::Findings& f) {
  const auto error = [&](std::uint32_t offset, const std::string& what) {
    return name + ':' + place(text, offset) + ": " + what + " (byte " + std::to_string(offset) +
           ')';
  };
  const auto bracket = [&](std::uint32_t offset) { return std::string{'\'', text[offset], '\''}; };
  const std::uint32_t wrong_close =
      f.first_mismatch == vkprims::kNoIndex ? kNone : f.mismatch_close;
  if (wrong_close < f.extra_close) {
    return error(wrong_close, bracket(wrong_close) + " closes the " + bracket(f.mismatch_open) +
                                  " of " + place(text, f.mismatch_open));
  }
  if (f.unmatched_closes) return error(f.extra_close, bracket(f.extra_close) + " closes nothing");
  if (f.quotes % 2) return error(f.last_quote, "this string never ends");
  if (f.unclosed_opens) return error(f.bottom_open, bracket(f.bottom_open) + " is never closed");
  return {};
}

// Reads a file; throws if it cannot be read as a whole. Its size need not be known: pipes are read,
// too.
std::string read_file(const std::string& name) {
  constexpr std::size_t kMost = 0xffffffff, kStep = 1 << 24;
  std::string text;
  errno = 0;
  std::ifstream file(name, std::ios::binary);
  while (file && text.size() <= kMost) {
    const std::size_t size = text.size();
    text.resize(size + kStep);
    file.read(text.data() + size, kStep);
    text.resize(size + static_cast<std::size_t>(file.gcount()));
  }
  if (text.size() > kMost) throw std::runtime_error(name + " has more than 2^32 - 1 bytes");
  if (!file.eof()) throw std::system_error(errno ? errno : EIO, std::generic_category(), name);
  return text;
}

// Prints the result, and returns whether all is well. Where pipelines are compiled when they first
// run, as lavapipe does, the time of the first file includes that.
bool report(vkprims::Context& context, const Kernels& kernels, const std::string& name,
            const std::string& text) {
  const Result result = check_brackets(context, kernels, text);
  const json::Findings& f = result.findings;
  const std::string error = first_error(name, text, f);
  std::printf("%s: %zu bytes, %" PRIu64 " brackets, greatest depth %" PRIu64 ", %s\n", name.c_str(),
              text.size(), f.brackets, f.deepest, error.empty() ? "balanced" : "not balanced");
  if (!error.empty()) std::printf("%s\n", error.c_str());
  std::printf("  %.3f ms, %.3f GB/s on %s\n", result.gpu_ms,
              static_cast<double>(text.size()) / (result.gpu_ms * 1e6),
              context.properties().deviceName);
  return error.empty();
}

}  // namespace

int main(int argc, char** argv) try {
  vkprims::Context context;
  const Kernels kernels(context);
  if (argc < 2) return report(context, kernels, "sample", std::string(kSample)) ? 0 : 1;
  int status = 0;
  for (int i = 1; i < argc; ++i) {
    try {
      if (!report(context, kernels, argv[i], read_file(argv[i]))) status = std::max(status, 1);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "json_brackets: %s\n", error.what());
      status = 2;
    }
  }
  return status;
} catch (const std::exception& error) {
  std::fprintf(stderr, "json_brackets: %s\n", error.what());
  return 2;
}

// stack_match over many random strings. Batches of them share one buffer each for inputs, outputs
// and scratch, and are recorded into one command buffer.
#include <string>

#include "oracles/stack_match.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

using Tags = std::vector<std::uint8_t>;
using Engine = std::mt19937_64;

constexpr std::uint8_t kUntouched = 0xcd;

std::uint64_t below(Engine& engine, std::uint64_t n) { return engine() % n; }

// What a call asks for. Not every combination is here, as each compiles pipelines; other tests have
// those of these.
struct Kind {
  StackInput input;
  IndexWidth width;
  bool match, close_of, depth, header, types;
};
constexpr Kind kKinds[] = {
    {StackInput::tags_u8, IndexWidth::u32, true, false, false, false, false},
    {StackInput::tags_u8, IndexWidth::u32, true, true, true, true, true},
    {StackInput::tags_u32, IndexWidth::u32, true, true, true, true, false},
    {StackInput::bits, IndexWidth::u32, true, true, true, true, false},
    {StackInput::tags_u8, IndexWidth::u32, false, true, false, false, false},
    {StackInput::tags_u8, IndexWidth::u64, true, true, true, true, false},
    {StackInput::tags_u32, IndexWidth::u64, true, true, true, true, true},
    {StackInput::bits, IndexWidth::u32, true, false, false, false, false},
    {StackInput::bits, IndexWidth::u64, true, true, true, true, false},
    {StackInput::bits, IndexWidth::u32, false, false, false, true, false},
};
constexpr std::uint64_t kSubsetKinds = 4;  // the first ones of kKinds

std::uint64_t random_size(Engine& engine) {
  const std::uint64_t most[] = {40, 200, 200, 200, 200, 1000, 1000, 20'001};
  return below(engine, below(engine, 2) ? 200 : most[below(engine, std::size(most))]);
}

// Returns random symbols, or runs of one kind, with any balance, often with no-ops and sometimes
// with resets.
Tags random_tags(Engine& engine, std::uint64_t n) {
  const std::uint64_t balances[][2] = {{1, 1}, {1, 1}, {9, 8}, {8, 9}, {3, 1}, {1, 3}, {1, 0}};
  const auto& [opens, closes] = balances[below(engine, std::size(balances))];
  const std::uint64_t nones = below(engine, 2) ? below(engine, 40) : 0;
  const std::uint64_t resets = below(engine, 4) ? 0 : 1;
  const std::uint64_t longest = below(engine, 3) ? 1 : 1 + below(engine, 600);
  const std::uint64_t scale = resets ? 1 + below(engine, 300) : 1;  // weight of the other symbols
  Tags tags;
  while (tags.size() < n) {
    std::uint64_t x = below(engine, scale * (opens + closes + nones) + resets);
    std::uint8_t tag = 3;
    if (x < scale * opens) {
      tag = 1;
    } else if (x < scale * (opens + closes)) {
      tag = 2;
    } else if (x < scale * (opens + closes + nones)) {
      tag = 0;
    }
    tags.insert(tags.end(), std::min(1 + below(engine, longest), n - tags.size()), tag);
  }
  // There are few types, so that most closes fit their opens.
  const std::uint64_t types = 1 + below(engine, 2) * below(engine, 3);
  for (std::uint8_t& tag : tags) tag |= static_cast<std::uint8_t>(below(engine, types) << 2);
  return tags;
}

// The bytes of a batch on the host. The places in it follow each other with gaps between them.
struct Image {
  std::vector<std::uint8_t> bytes;

  // Adds a place at `misalign` bytes past a multiple of 64 and returns its offset.
  std::uint64_t add(std::uint64_t size, std::uint64_t misalign) {
    const std::uint64_t at = (bytes.size() + 64 + 63) / 64 * 64 + misalign;
    bytes.resize(at + size + 16, kUntouched);
    return at;
  }
  template <class T>
  void put(std::uint64_t at, const std::vector<T>& values) {
    if (!values.empty()) std::memcpy(bytes.data() + at, values.data(), values.size() * sizeof(T));
  }
};

struct Case {
  Kind kind;
  std::uint64_t room = 0, count = 0;
  bool device_count = false;
  Tags tags;
  // These are offsets of places in the batch's images.
  std::uint64_t symbols = 0, closes = 0, match = 0, close_of = 0, depth = 0, header = 0;
  std::uint64_t counter = 0, scratch = 0;
};

struct Batch {
  Image in, out;  // out is the output as it must be afterwards
  std::uint64_t scratch_bytes = 0;
  std::vector<Case> cases;

  void add(Engine& engine);

 private:
  void add_symbols(Engine& engine, Case& c);
  void add_results(Engine& engine, Case& c);
};

void Batch::add_symbols(Engine& engine, Case& c) {
  const std::uint64_t n = c.tags.size(), misalign = below(engine, 2) * below(engine, 16);
  switch (c.kind.input) {
    case StackInput::tags_u8:
      c.symbols = in.add(n, misalign);
      in.put(c.symbols, c.tags);
      return;
    case StackInput::tags_u32:
      c.symbols = in.add(4 * n, 4 * misalign);
      in.put(c.symbols, std::vector<std::uint32_t>(c.tags.begin(), c.tags.end()));
      return;
    case StackInput::bits:
      std::vector<std::uint32_t> planes[2];
      for (int p = 0; p < 2; ++p) {
        planes[p].resize((n + 31) / 32);
        for (std::uint64_t i = 0; i < n; ++i) planes[p][i / 32] |= (c.tags[i] >> p & 1u) << i % 32;
      }
      c.symbols = in.add(4 * planes[0].size(), 4 * misalign);
      c.closes = in.add(4 * planes[1].size(), 4 * below(engine, 4));
      in.put(c.symbols, planes[0]);
      in.put(c.closes, planes[1]);
  }
}

void Batch::add_results(Engine& engine, Case& c) {
  const oracle::StackMatch want = oracle::stack_match(
      Tags(c.tags.begin(), c.tags.begin() + static_cast<std::ptrdiff_t>(c.count)));
  const std::uint64_t size = size_of(c.kind.width),
                      shift = size * below(engine, 2) * below(engine, 4);
  const auto add_indices = [&](bool wanted, const std::vector<std::uint64_t>& values) {
    if (!wanted) return std::uint64_t{0};
    const std::uint64_t at = out.add(c.room * size, shift);
    if (size == 8) {
      out.put(at, values);
    } else {
      out.put(at, std::vector<std::uint32_t>(values.begin(), values.end()));
    }
    return at;
  };
  c.match = add_indices(c.kind.match, want.match);
  c.close_of = add_indices(c.kind.close_of, want.close_of);
  c.depth = add_indices(c.kind.depth, want.depth);
  if (!c.kind.header) return;
  c.header = out.add(sizeof(StackHeader), 8);
  StackHeader header = want.header;
  if (!c.kind.types) header.first_mismatch = kNoIndex;
  out.put(c.header, std::vector<StackHeader>{header});
}

StackMatchDesc desc_of(const Case& c, VkDeviceAddress in) {
  StackMatchDesc desc{
      .input = c.kind.input, .count = c.room, .index_width = c.kind.width, .types = c.kind.types};
  if (c.device_count) desc.count = {c.room, in + c.counter, CountWidth::u64};
  return desc;
}

void Batch::add(Engine& engine) {
  Case c{.kind = kKinds[below(engine, subset() ? kSubsetKinds : std::size(kKinds))]};
  c.room = c.count = random_size(engine);
  c.tags = random_tags(engine, c.room);
  c.device_count = below(engine, 4) == 0;
  if (c.device_count) {
    c.counter = in.add(8, 0);
    const std::uint64_t count = below(engine, c.room + c.room / 4 + 1);
    in.put(c.counter, std::vector<std::uint64_t>{count});
    c.count = std::min(count, c.room);
  }
  add_symbols(engine, c);
  add_results(engine, c);
  c.scratch = scratch_bytes;
  const VkDeviceSize need = stack_match_scratch(device(), desc_of(c, 8)).bytes;
  scratch_bytes += (need + 64 + 255) / 256 * 256;  // some bytes behind it must stay as they are
  cases.push_back(std::move(c));
}

// Returns "" if `got` is right, else what is wrong and in which case.
std::string first_wrong(const Batch& batch, const std::vector<std::uint8_t>& got) {
  const std::vector<std::uint8_t>& want = batch.out.bytes;
  if (got == want) return "";
  const auto at = static_cast<std::uint64_t>(
      std::mismatch(want.begin(), want.end(), got.begin()).first - want.begin());
  std::ostringstream text;
  text << "byte " << at << " of the outputs is " << +got[at] << ", expected " << +want[at];
  for (const Case& c : batch.cases) {
    const std::uint64_t places[] = {c.match, c.close_of, c.depth, c.header};
    const char* names[] = {"match", "close_of", "depth", "header"};
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t size = i == 3 ? sizeof(StackHeader) : c.room * size_of(c.kind.width);
      if (places[i] == 0 || at < places[i] || at >= places[i] + size) continue;
      text << ": byte " << at - places[i] << " of " << names[i] << ", case "
           << &c - batch.cases.data() << " of the batch, input " << static_cast<int>(c.kind.input)
           << ", " << c.count << " of " << c.room << " symbols, at " << c.symbols % 64;
    }
  }
  return text.str();
}

void check(const Batch& batch) {
  const auto in = context().upload(batch.in.bytes);
  const auto out = context().upload(std::vector<std::uint8_t>(batch.out.bytes.size(), kUntouched));
  const auto scratch = context().upload(std::vector<std::uint8_t>(batch.scratch_bytes, 0xff));
  const Device& d = device();
  std::vector<ScratchNeed> needs;
  run([&](VkCommandBuffer cmd) {
    for (const Case& c : batch.cases) {
      const StackMatchDesc desc = desc_of(c, in.address());
      needs.push_back(stack_match_scratch(d, desc));
      const std::uint64_t n = c.room, index_size = size_of(c.kind.width);
      const bool bits = c.kind.input == StackInput::bits;
      const std::uint64_t in_bytes = bits                                  ? (n + 31) / 32 * 4
                                     : c.kind.input == StackInput::tags_u8 ? n
                                                                           : 4 * n;
      const auto view = [&](std::uint64_t at, std::uint64_t bytes) {
        return at ? BufferView{out.address() + at, bytes} : BufferView{};
      };
      throw_if_error(record_stack_match(
          cmd, d, desc,
          {.symbols = {in.address() + c.symbols, in_bytes},
           .closes = bits ? BufferView{in.address() + c.closes, in_bytes} : BufferView{},
           .match = view(c.match, n * index_size),
           .close_of = view(c.close_of, n * index_size),
           .depth = view(c.depth, n * index_size),
           .header = view(c.header, sizeof(StackHeader)),
           .scratch = {scratch.handle(), c.scratch, scratch.address() + c.scratch,
                       needs.back().bytes}}));
    }
  });
  CHECK(first_wrong(batch, context().download(out)) == "");
  CHECK(context().download(in) == batch.in.bytes);
  const std::vector<std::uint8_t> used = context().download(scratch);
  for (std::size_t i = 0; i < batch.cases.size(); ++i) {
    const auto end =
        used.begin() + static_cast<std::ptrdiff_t>(batch.cases[i].scratch + needs[i].bytes);
    REQUIRE(std::all_of(end, end + 64, [](std::uint8_t b) { return b == 0xff; }));
  }
}

}  // namespace

TEST_CASE("stack_match: ten thousand random strings, of any kind and at any place") {
  constexpr int kBatchCases = 50;
  const std::uint32_t batches = (!exhaustive() ? 1'000 : 10'000) / kBatchCases;
  for (std::uint32_t seed = 1; seed <= batches; ++seed) {
    CAPTURE(seed);
    Engine engine(seed);
    Batch batch;
    for (int i = 0; i < kBatchCases; ++i) batch.add(engine);
    check(batch);
  }
}

TEST_CASE("stack_match: 2^26 symbols, nested millions deep") {
  constexpr std::uint64_t n = std::uint64_t{1} << 26, none = 0xffffffff;
  if (subset()) return;
  Engine engine(1);
  Tags tags(n);
  for (std::uint64_t i = 0; i < n;
       ++i) {  // 7 of 8 go up or down; some of the last closes find nothing
    const bool up = i < n / 4 || (i > n / 2 && i < n / 16 * 11);
    const std::uint64_t x = engine();
    tags[i] = x % 16 == 0 ? 0 : x >> 8 & 7 ? (up ? 1 : 2) : (up ? 2 : 1);
  }
  std::vector<std::uint32_t> want(n), close_of(n, none);
  {
    std::vector<std::uint32_t> stack(n + 1);
    oracle::match_in_order<std::uint8_t, std::uint32_t>(tags, want, stack);
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    if (tags[i] == 2 && want[i] != none) close_of[want[i]] = i;
  }
  context().trim();
  const auto symbols = context().upload(tags);
  const Buffer<std::uint32_t> out[] = {context().allocate<std::uint32_t>(n),
                                       context().allocate<std::uint32_t>(n)};
  const StackMatchDesc desc{.count = n};
  const DirtyScratch scratch(stack_match_scratch(device(), desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_stack_match(cmd, device(), desc,
                                      {.symbols = symbols.view(),
                                       .match = out[0].view(),
                                       .close_of = out[1].view(),
                                       .scratch = scratch.get()}));
  });
  CHECK(difference(context().download(out[0]), want) == "");
  CHECK(difference(context().download(out[1]), close_of) == "");
}

}  // namespace vkprims::test

// The five forms of examples/redact: where they agree, and how form a differs from forms b to e.
#include "oracles/strings/redact.hpp"

#include <cstdio>
#include <fstream>

#include "context/context_support.hpp"
#include "examples.hpp"
#include "blocks/lookback_setup.hpp"
#include "redact/forms.hpp"
#include "strings/layouts.hpp"

#ifndef _WIN32
#include <sys/wait.h>
#endif

namespace vkprims::test {
namespace {

using oracle::strings::redact_by_chain;
using oracle::strings::redact_by_kernel;
using redact::Heap;
using redact::Input;

constexpr auto null = std::nullopt;

const redact::Forms& forms() {
  static const redact::Forms forms(context());
  return forms;
}

struct Columns {
  explicit Columns(const RedactRows& rows, IndexWidth width = IndexWidth::u32)
      : names(upload_strings(context(), rows.names, width)),
        visibilities(upload_strings(context(), rows.visibilities, width)) {}
  Input input() const { return {names, visibilities}; }
  StringColumn names, visibilities;
};

template <class Record>
HostStrings result_of(Record&& record) {
  StringColumn result;
  context().run([&](Recorder& r) { result = record(r); });
  return download_strings(context(), result);
}

HostStrings by_heap(const Input& in) {
  const Heap heap(context(), Heap::enough_for(in.names.rows(), in.byte_bound()));
  HostStrings rows = result_of([&](Recorder& r) { return forms().by_heap(r, in, heap); });
  const Heap::Use use = heap.use(context());
  CHECK(use.failed == 0);
  CHECK(use.blocks == 0);
  return rows;
}

HostStrings by_chain(const Input& in) {
  return result_of([&](Recorder& r) { return redact::by_chain(r, in); });
}
HostStrings by_rope(const Input& in, Schedule schedule) {
  return result_of([&](Recorder& r) { return forms().by_rope(r, in, schedule); });
}

// Forms b to e agree with their oracle.
void check_kernels(const RedactRows& rows, IndexWidth width = IndexWidth::u32) {
  const Columns columns(rows, width);
  const Input in = columns.input();
  const HostStrings want = redact_by_kernel(rows.names, rows.visibilities);
  CHECK(difference(by_heap(in), want) == "");
  CHECK(difference(result_of([&](Recorder& r) { return forms().by_slots(r, in); }), want) == "");
  CHECK(difference(by_rope(in, Schedule::multi_pass), want) == "");
  CHECK(difference(by_rope(in, Schedule::look_back), want) == "");
}

void check_all(const RedactRows& rows, IndexWidth width = IndexWidth::u32) {
  check_kernels(rows, width);
  const Columns columns(rows, width);
  CHECK(difference(by_chain(columns.input()), redact_by_chain(rows.names, rows.visibilities)) ==
        "");
}

// Returns names of any bytes, most of them public.
RedactRows random_rows(std::uint64_t n, std::uint32_t seed, const StringsShape& shape) {
  RedactRows rows{.names = random_strings(n, seed, shape), .visibilities = HostStrings(n)};
  std::mt19937_64 engine(seed);
  for (auto& visibility : rows.visibilities) {
    const auto kind = engine() % 20;
    if (kind != 0 || shape.nulls == 0) visibility = kind < 4 ? "private" : "public";
  }
  return rows;
}

// What becomes of a row of one word or of odd spaces.
struct Trap {
  std::optional<std::string> name, visibility, chain, kernel;
};

const std::vector<Trap>& traps() {
  static const std::vector<Trap> list{
      {"John Doe", "public", "D John", "D John"},
      {"John Doe", "private", "X X", "X X"},
      {"Anna Maria Lind", "public", "M Anna", "M Anna"},
      {"Cher", "public", null, "C Cher"},
      {"", "public", null, " "},
      {" ", "public", null, " "},
      {"   ", "public", null, "  "},
      {"Ada ", "public", null, " Ada"},
      {" Ada", "public", null, "A "},
      {" Ada Lovelace", "public", "L Ada", "A "},
      {"Ada  Lovelace", "public", "L Ada", "  Ada"},
      {"Ada\tLovelace", "public", "L Ada", "A Ada\tLovelace"},
      {"Ada \nLovelace", "public", "L Ada", "\n Ada"},
      {"Zoë Ångström", "public", "Å Zoë", "Å Zoë"},
      {"数 据", "public", "据 数", "据 数"},
      {"Jo 😀😀", "public", "😀 Jo", "😀 Jo"},
      {"Jo \x80\x80z", "public", "\x80\x80 Jo", "\x80\x80 Jo"},
      {"Jo a\x80\x80\x80\x80\x80", "public", "a\x80\x80\x80\x80\x80 Jo", "a\x80\x80\x80 Jo"},
      {"\xff", "public", null, "\xff \xff"},
      {"John Doe", "public ", "D John", "X X"},
      {"John Doe", "not public", "D John", "X X"},
      {"John Doe", "Public", "X X", "X X"},
      {"John Doe", "publi", "X X", "X X"},
      {"John Doe", "", "X X", "X X"},
      {"Cher", "private", "X X", "X X"},
      {"", "private", "X X", "X X"},
      {"John Doe", null, "X X", null},
      {null, "public", null, null},
      {null, "private", "X X", null},
      {null, null, "X X", null},
  };
  return list;
}

// Formats a column of a table; control characters and bytes that are not UTF-8 become numbers.
std::string cell(const std::optional<std::string>& row, std::size_t width) {
  std::string text = row ? shown(*row) : "null";
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

}  // namespace

TEST_CASE("redact: all five forms agree on first and last names") {
  std::vector<std::uint64_t> counts{0, 1, 2, 3, 31, 32, 33, 127, 128, 129};
  for (const std::uint64_t tile : {strings_tile(device()), short_tile(device())}) {
    counts.insert(counts.end(), {tile - 1, tile, tile + 1, 5 * tile + 7});
  }
  for (const std::uint64_t n : counts) {
    CAPTURE(n);
    const RedactRows rows = redact_rows(n, static_cast<std::uint32_t>(n));
    const HostStrings want = redact_by_kernel(rows.names, rows.visibilities);
    REQUIRE(difference(redact_by_chain(rows.names, rows.visibilities), want) == "");
    check_all(rows, width_of(n));
  }
}

TEST_CASE("redact: on other rows a differs from the others as the table says") {
  RedactRows rows;
  HostStrings chain, kernel;
  std::string table =
      "\n  name                             visibility    a                                "
      "b, c, d, e\n";
  for (const Trap& trap : traps()) {
    rows.names.push_back(trap.name);
    rows.visibilities.push_back(trap.visibility);
    chain.push_back(trap.chain);
    kernel.push_back(trap.kernel);
    table += (trap.chain == trap.kernel ? "  " : "* ") + cell(trap.name, 32) + ' ' +
             cell(trap.visibility, 13) + ' ' + cell(trap.chain, 32) + ' ' + cell(trap.kernel, 0) +
             '\n';
  }
  MESSAGE(table);
  CHECK(difference(redact_by_chain(rows.names, rows.visibilities), chain) == "");
  CHECK(difference(redact_by_kernel(rows.names, rows.visibilities), kernel) == "");
  check_all(rows);
}

TEST_CASE("redact: rows of any bytes, nulls, and each trap with each visibility") {
  check_all(redact_traps());
  const std::uint64_t n = 2 * strings_tile(device(), 3) + 5;
  std::uint32_t i = 0;
  for (const StringsShape& shape : strings_shapes()) {
    CAPTURE(i);
    if (exhaustive() || i % 3 == 2) check_all(random_rows(n, i, shape), width_of(i));
    ++i;
  }
  const HostStrings edges = at_every_alignment(edge_strings());
  check_kernels({.names = edges, .visibilities = HostStrings(edges.size(), "public")});
  RedactRows long_rows = random_rows(300, 3, {.nulls = 10});
  std::mt19937_64 engine(4);
  for (const std::size_t row : {0, 1, 170, 299}) {
    long_rows.names[row] = random_string(engine, kLongestSearched + row, {.spaces = 0});
    long_rows.visibilities[row] = "public";
  }
  check_kernels(long_rows);
}

TEST_CASE("redact: rows of hostile offsets are cut to the bytes that there are") {
  const std::string chars = "Ada LovelaceAlan Turing";
  const std::vector<std::uint32_t> offsets{0, 12, 5, 23, 0xffffffff, 0xfffffff0, 3, 40, 12};
  const std::uint64_t n = offsets.size() - 1;
  RedactRows rows{.names = {}, .visibilities = HostStrings(n, "public")};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t end = std::min<std::size_t>(offsets[i + 1], chars.size());
    const std::size_t begin = std::min<std::size_t>(offsets[i], end);
    rows.names.push_back(chars.substr(begin, end - begin));
  }
  const StringColumn names(context().upload(offsets),
                           context().upload(std::vector<std::uint8_t>(chars.begin(), chars.end())),
                           {}, chars.size());
  const StringColumn visibilities = upload_strings(context(), rows.visibilities);
  const Input in{names, visibilities, 1000};
  const HostStrings want = redact_by_kernel(rows.names, rows.visibilities);
  const Heap heap(context(), Heap::enough_for(n, 1000));
  CHECK(difference(result_of([&](Recorder& r) { return forms().by_heap(r, in, heap); }), want) ==
        "");
  CHECK(difference(by_rope(in, Schedule::multi_pass), want) == "");
  CHECK(difference(by_rope(in, Schedule::look_back), want) == "");
}

TEST_CASE("redact: columns of different numbers of rows are refused") {
  const StringColumn two = upload_strings(context(), HostStrings{"a b", "c d"});
  const StringColumn one = upload_strings(context(), HostStrings{"public"});
  const Input in{two, one};
  const Heap heap(context(), Heap::enough_for(2, 100));
  const auto refuse = [&](auto&& record) {
    expect(Status::invalid_argument, {"2", "1"},
           [&] { context().run([&](Recorder& r) { record(r); }); });
  };
  refuse([&](Recorder& r) { forms().by_heap(r, in, heap); });
  refuse([&](Recorder& r) { forms().by_slots(r, in); });
  refuse([&](Recorder& r) { forms().by_rope(r, in, Schedule::automatic); });
}

TEST_CASE("redact heap: blocks are apart, aligned and inside, also those that came back") {
  const std::uint64_t n = 3000;
  const Columns columns(random_rows(n, 9, {.max_bytes = 300, .wide = 0}));
  const Input in = columns.input();
  const Heap heap(context(), Heap::enough_for(n, in.byte_bound()));
  const BufferView memory = heap.memory();
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    redact::Pieces pieces;
    context().run([&](Recorder& r) { pieces = forms().allocate(r, in, heap); });
    const auto words = context().download(pieces.table);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  // begin, end
    std::uint64_t unaligned = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t at = words[3 * i] | std::uint64_t{words[3 * i + 1]} << 32;
      ranges.emplace_back(at, at + words[3 * i + 2]);
      unaligned += at % 16 != 0;
    }
    std::sort(ranges.begin(), ranges.end());
    std::uint64_t overlaps = 0;
    for (std::size_t i = 1; i < n; ++i) overlaps += ranges[i].first < ranges[i - 1].second;
    CHECK(unaligned == 0);
    CHECK(overlaps == 0);
    CHECK(ranges.front().first >= memory.address);
    CHECK(ranges.back().second <= memory.address + memory.bytes);
    CHECK(heap.use(context()).blocks == n);
    context().run([&](Recorder& r) { forms().free(r, pieces, heap); });
    CHECK(heap.use(context()).blocks == 0);
  }
  CHECK(heap.use(context()).failed == 0);
}

TEST_CASE("redact heap: rows without memory are null and counted, and the others are right") {
  const std::uint64_t n = 1000;
  const RedactRows rows = redact_rows(n, 5);  // results of up to 16 bytes
  const Columns columns(rows);
  const HostStrings want = redact_by_kernel(rows.names, rows.visibilities);
  for (const std::uint32_t small : {0u, 1u, 300u, 999u, 1000u}) {
    CAPTURE(small);
    Heap::Blocks blocks{};
    blocks[0] = small;
    blocks[3] = small ? 0 : 7;  // larger blocks replace the small ones
    const std::uint64_t room = small ? small : 7;
    const Heap heap(context(), blocks);
    for (std::uint64_t round = 1; round <= 3; ++round) {  // new blocks first, then returned ones
      const HostStrings got =
          result_of([&](Recorder& r) { return forms().by_heap(r, columns.input(), heap); });
      std::uint64_t nulls = 0, wrong = 0;
      REQUIRE(got.size() == n);
      for (std::size_t i = 0; i < n; ++i) {
        nulls += !got[i];
        wrong += got[i] && got[i] != want[i];
      }
      CHECK(wrong == 0);
      CHECK(nulls == n - room);
      const Heap::Use use = heap.use(context());
      CHECK(use.failed == round * (n - room));
      CHECK(use.blocks == 0);
    }
  }
}

TEST_CASE("redact heap: a text larger than the largest block is refused, memory of 64 GiB too") {
  RedactRows rows{.names = {std::string(600 << 10, 'x') + " y", "Ada Lovelace"},
                  .visibilities = {"public", "public"}};
  rows.names[0]->replace(10, 1, "\x20");  // the first part is short and fits
  const Columns columns(rows);
  CHECK(difference(by_heap(columns.input()), {"x xxxxxxxxxx", "L Ada"}) == "");
  rows.names[0] = std::string(100'000, 'x');
  Heap::Blocks blocks = Heap::enough_for(2, 200'000);
  for (std::size_t k = 13; k < Heap::kClasses; ++k) blocks[k] = 0;  // blocks of 128 KiB and more
  const Columns long_columns(rows);
  const Heap heap(context(), blocks);
  CHECK(difference(
            result_of([&](Recorder& r) { return forms().by_heap(r, long_columns.input(), heap); }),
            {null, "L Ada"}) == "");
  CHECK(heap.use(context()).failed == 1);
  blocks[13] = 1u << 20;
  expect(Status::unsupported, {"64 GiB"}, [&] { Heap(context(), blocks); });
}

TEST_CASE("redact: in one pass tiles that never publish, or late, change nothing") {
  const Setup setups[] = {{.faults = kSilent},
                          {.faults = kSilent, .word32 = true},
                          {.faults = kSilent | kShuffled, .period = 3},
                          {.faults = kDelayed | kShuffled, .period = 3},
                          {.faults = kForced}};
  for (const Setup& setup : setups) {
    if (!exhaustive() && (setup.word32 || setup.faults == (kSilent | kShuffled))) continue;
    const std::string what = text_of(setup);
    CAPTURE(what);
    const Device& d = device_for(setup);
    const std::uint64_t tiles = 20, n = (tiles - 1) * short_tile(d) + 77;
    for (const std::uint32_t nulls : {0u, 10u}) {
      RedactRows rows = random_rows(n, 6, {.max_bytes = 40, .nulls = nulls, .invalid = 5});
      const StringColumn names = upload_strings(context(), rows.names);
      const strings::RopeDesc desc = redact::Forms::rope_desc(names, Schedule::look_back);
      const PlacedColumn a(rows.names, {.chars_at = 3}), b(rows.visibilities, {.chars_at = 1});
      const HostStrings want = redact_by_kernel(rows.names, rows.visibilities);
      const PlacedResult result(want, IndexWidth::u32, 1);
      const DirtyScratch scratch(strings::rope_scratch(d, desc));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(strings::record_rope(cmd, d, desc,
                                            {.a = a.view(),
                                             .b = b.view(),
                                             .out = result.out(nulls != 0),
                                             .scratch = scratch.get()}));
      });
      result.check(nulls != 0);
      // The states of the tiles lie behind the arguments and the two texts.
      const std::uint64_t state = (VKP_STRINGS_TEXT_OFFSET + 8 + 15) / 16 * 4;
      const Counters words = scratch.words(state + kCounters);
      check_counters({words.begin() + std::ptrdiff_t(state), words.end()}, setup, tiles);
    }
  }
}

TEST_CASE("redact: the program reads and writes CSV, by every form") {
  if (!*kRedactProgram) {
    MESSAGE("skipped: built without examples");
    return;
  }
  const TemporaryDirectory directory;
  const Environment cache_home("XDG_CACHE_HOME", directory.path.string());
  const Environment leaks("ASAN_OPTIONS", "detect_leaks=0");  // the driver leaks memory
  const std::string in = (directory.path / "in.csv").string();
  const std::string out = (directory.path / "out.csv").string();
  std::ofstream(in, std::ios::binary) << "John Doe,public\r\nJane Doe,private\nZoë Ünal,public\n";
  const auto run = [&](const std::string& arguments) {
    const int status = std::system(('"' + std::string(kRedactProgram) + "\" " + arguments).c_str());
#ifndef _WIN32
    REQUIRE(WIFEXITED(status));
    return WEXITSTATUS(status);
#else
    return status;
#endif
  };
  for (const std::string form : {"", "--form b", "--form c", "--form d", "--form e"}) {
    if (subset() && form < "--form e") continue;
    CAPTURE(form);
    std::filesystem::remove(out);
    CHECK(run(form + " \"" + in + "\" \"" + out + '"') == 0);
    std::ifstream file(out, std::ios::binary);
    CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == "D John\nX X\nÜ Zoë\n");
  }
  CHECK(run("--form f 2> \"" + out + '"') == 2);
  CHECK(run("\"" + in + "-missing\" 2> \"" + out + '"') == 1);
}

TEST_CASE("redact: smoke" * doctest::test_suite("smoke")) {
  const RedactRows rows{.names = {"Ada Lovelace", "Alan Turing"},
                        .visibilities = {"public", "private"}};
  const Columns columns(rows);
  CHECK(difference(by_rope(columns.input(), Schedule::look_back), {"L Ada", "X X"}) == "");
}

}  // namespace vkprims::test

// Tests of null_count.
#include "strings/check.hpp"
#include "vkprims/strings.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

using strings::NullCountDesc;

// `around` is the value of the bits around those of the rows.
void check_nulls(const Device& d, const oracle::strings::Bools& rows, std::uint32_t first_bit,
                 bool around = false) {
  std::vector<std::uint32_t> words(bit_bytes(rows.size(), first_bit) / 4, around ? ~0u : 0u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t bit = i + first_bit;
    words[bit / 32] &= ~(1u << bit % 32);
    words[bit / 32] |= static_cast<std::uint32_t>(rows[i].has_value()) << bit % 32;
  }
  const Guarded bits(words, 4);
  const NullCountDesc desc{.rows = rows.size(), .first_bit = first_bit};
  const Guarded out(8, 8);
  const DirtyScratch scratch(strings::null_count_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(strings::record_null_count(
        cmd, d, desc, {.validity = bits.view(), .out = out.view(), .scratch = scratch.get()}));
  });
  const auto is_null = [](const auto& row) { return !row; };
  CHECK(out.read<std::uint64_t>()[0] ==
        std::uint64_t(std::count_if(rows.begin(), rows.end(), is_null)));
}

oracle::strings::Bools random_bools(std::uint64_t n, std::uint32_t nulls) {
  std::mt19937 engine(static_cast<std::uint32_t>(n));
  oracle::strings::Bools rows(n);
  for (auto& row : rows) {
    if (engine() % 100 >= nulls) row = engine() % 2 != 0;
  }
  return rows;
}

}  // namespace

TEST_CASE("strings null count: any number of rows, from any bit on") {
  for (const Tuning& tuning : {Tuning{}, kTinyTiles}) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : {0, 1, 31, 32, 33, 64, 1000, 700'000}) {
      for (const std::uint32_t first_bit : {0u, 1u, 30u, 31u}) {
        for (const std::uint32_t nulls : {0u, 20u, 100u}) {
          CAPTURE(n);
          CAPTURE(first_bit);
          CAPTURE(nulls);
          check_nulls(d, random_bools(n, nulls), first_bit, nulls == 20);
        }
      }
    }
  }
}

TEST_CASE("strings null count: of columns, with a Recorder and a Context") {
  const auto in = upload_strings(context(), HostStrings{"a", std::nullopt, "", std::nullopt});
  const auto without = upload_strings(context(), HostStrings{"a", ""});
  BitColumn bits;
  Buffer<std::uint64_t> number, none;
  context().run([&](Recorder& r) {
    bits = strings::contains(r, in, "a");
    number = strings::null_count(r, bits);
    none = strings::null_count(r, without);
  });
  CHECK(context().download(number)[0] == 2);
  CHECK(context().download(none)[0] == 0);
  CHECK(strings::null_count(context(), in) == 2);
  CHECK(strings::null_count(context(), bits) == 2);
  CHECK(strings::null_count(context(), without) == 0);
  CHECK(strings::null_count(context(), BitColumn{}) == 0);
  CHECK(strings::null_count(context(), StringColumn{}) == 0);
}

TEST_CASE("strings null count: wrong input is refused by name before anything is recorded") {
  const Device& d = device(kTinyTiles);
  const auto buffer = context().allocate<std::uint32_t>(10'000);
  const auto all = buffer.span();
  const NullCountDesc desc{.rows = 64'000, .first_bit = 3};
  const Scratch scratch =
      scratch_view(d, buffer.handle(), 4 * 4096, strings::null_count_scratch(d, desc).bytes);
  const WrongInput wrong(d, &strings::record_null_count, desc,
                         strings::NullCountBuffers{.validity = all.slice(0, 2001).view(),
                                                   .out = all.slice(3000, 2).view(),
                                                   .scratch = scratch});
  wrong.anywhere();
  wrong.scratch("null_count_scratch()");
  wrong.desc({"rows is 2147483648"}, [](auto& x) { x.rows = kMaxStringRows + 1; });
  wrong.desc({"first_bit is 32"}, [](auto& x) { x.first_bit = 32; });
  wrong.buffers({"validity.bytes is 8000", "8004"}, [](auto& x) { x.validity.bytes = 8000; });
  wrong.buffers({"validity.address", "multiple of 4"}, [](auto& x) { x.validity.address += 2; });
  wrong.buffers({"out.address is 0"}, [](auto& x) { x.out.address = 0; });
  wrong.buffers({"out.bytes is 4", "8"}, [](auto& x) { x.out.bytes = 4; });
  wrong.buffers({"out.address", "multiple of 8"}, [](auto& x) { x.out.address += 4; });
  wrong.buffers({"validity [", "out [", "overlap"},
                [](auto& x) { x.out.address = x.validity.address; });
  CHECK(strings::null_count_scratch(d, {.rows = kMaxStringRows + 1}).bytes == 0);
  CHECK(strings::null_count_scratch(Device(), desc).bytes == 0);
}

TEST_CASE("strings null count: smoke" * doctest::test_suite("smoke")) {
  check_nulls(device(), random_bools(1000, 30), 5);
}

}  // namespace vkprims::test

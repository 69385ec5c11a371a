// Scans over monoids of an application's own whose elements have each size, and how large their
// modules are.
#include <array>
#include <span>

#include "blocks/lookback_setup.hpp"
#include "blocks/own_monoids.hpp"
#include "blocks/own_scan.hpp"
#include "blocks/scan_tile.hpp"
#include "vkprims-tests/latest1.hpp"
#include "vkprims-tests/latest2.hpp"
#include "vkprims-tests/latest2_2_2.hpp"
#include "vkprims-tests/latest3.hpp"
#include "vkprims-tests/latest4.hpp"
#include "vkprims-tests/latest4_4_4.hpp"
#include "vkprims-tests/latest5.hpp"
#include "vkprims-tests/latest6.hpp"
#include "vkprims-tests/latest6_6_6.hpp"
#include "vkprims-tests/latest7.hpp"
#include "vkprims-tests/latest8.hpp"
#include "vkprims-tests/latest8_1_8.hpp"
#include "vkprims-tests/latest8_8_8.hpp"
#include "vkprims-tests/path.hpp"
#include "vkprims-tests/span.hpp"
#include "vkprims-tests/sums.hpp"

namespace vkprims::test {
namespace {

// The monoid of shaders/own/latest.glsl.in.
template <std::size_t kSize>
using Latest = std::array<std::uint32_t, kSize>;

template <std::size_t kSize>
Latest<kSize> combine(const Monoid& monoid, const Latest<kSize>& left, const Latest<kSize>& right) {
  Latest<kSize> a = right;
  if (monoid.commutes) {  // shaders/own/sums.glsl
    for (std::size_t i = 0; i < kSize; ++i) a[i] += left[i];
    return a;
  }
  a[0] += left[0];
  for (std::size_t i = 1; i < kSize; ++i) {
    if (a[i] == 0) a[i] = left[i];
  }
  return a;
}

// Arrays of random numbers, most of which are 0.
template <std::size_t kSize>
std::vector<Latest<kSize>> random_elements(std::uint64_t n) {
  std::vector<std::uint32_t> words = random_values<std::uint32_t>(n * kSize, 11);
  for (std::uint32_t& word : words) word = word % 16 == 0 ? word : 0;
  std::vector<Latest<kSize>> elements(n);
  for (std::size_t i = 0; i < words.size(); ++i) elements[i / kSize][i % kSize] = words[i];
  return elements;
}

std::vector<std::uint64_t> counts_for(const Device& d, const Monoid& monoid) {
  const DeviceState& state = *d.state();
  const std::uint64_t tile = lanes_tile(state, monoid.in_bytes / 4, monoid.out_bytes / 4,
                                        state.tuning.scan_workgroup_size, kMaxCount)
                                 .tile.items;
  return {0, 1, 2, 33, tile - 1, tile, tile + 1, 5 * tile + 7};
}

// Compares scans of n elements with what `store` makes of the folds of what `load` makes of them.
template <std::size_t kWords, std::size_t kIn, std::size_t kOut, class Load, class Store>
void check_scans(const Device& d, const Monoid& monoid, std::uint64_t n, bool in_place,
                 std::span<const Schedule> schedules, const Load& load, const Store& store) {
  const std::vector<Latest<kIn>> values = random_elements<kIn>(n);
  std::vector<Latest<kOut>> expected;
  Latest<kWords> total{};
  for (std::uint32_t i = 0; i < n; ++i) {
    const Latest<kWords> next = combine(monoid, total, load(values[i], i));
    expected.push_back(store(total, next, i));
    total = next;
  }
  for (const std::uint64_t offset : {0, 8, 4}) {
    if (offset == 4 && (monoid.in_bytes == 8 || monoid.out_bytes == 8)) continue;
    for (const Schedule schedule : schedules) {
      CAPTURE(n);
      CAPTURE(offset);
      CAPTURE(static_cast<int>(schedule));
      const ScanDesc desc{
          .own = &monoid, .kind = ScanKind::inclusive, .count = n, .schedule = schedule};
      std::vector<std::uint32_t> fold;
      CHECK(difference(
                words_of(scan_on_device<Latest<kOut>>(d, desc, values, offset, in_place, &fold)),
                words_of(expected)) == "");
      CHECK(difference(fold, words_of(std::vector{total})) == "");
    }
  }
}

// With every schedule; then with faults that make workgroups compute tiles of others.
template <std::size_t kWords, std::size_t kIn, std::size_t kOut, class Load, class Store>
void check_scans(const Monoid& monoid, const Load& load, const Store& store) {
  CAPTURE(std::string(monoid.name));
  CHECK(monoid.bytes == 4 * kWords);
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : counts_for(d, monoid)) {
      check_scans<kWords, kIn, kOut>(d, monoid, n, false, kSchedules, load, store);
    }
  }
  constexpr Schedule kLookBack[] = {Schedule::look_back};
  for (const Setup& setup :
       {Setup{.faults = kSilent, .period = 2},
        Setup{.faults = kSilent, .period = 3, .in_place = true, .word32 = true}}) {
    if (setup.in_place && kIn != kOut) continue;
    CAPTURE(text_of(setup));
    check_scans<kWords, kIn, kOut>(device_for(setup), monoid, 3000, setup.in_place, kLookBack, load,
                                   store);
  }
}

template <std::size_t kWords>
void check_plain(const Monoid& monoid) {
  check_scans<kWords, kWords, kWords>(
      monoid, [](const Latest<kWords>& x, std::uint32_t) { return x; },
      [](const Latest<kWords>&, const Latest<kWords>& inclusive, std::uint32_t) {
        return inclusive;
      });
}

template <std::size_t kWords, std::size_t kIn, std::size_t kOut>
void check_converting(const Monoid& monoid) {
  check_scans<kWords, kIn, kOut>(
      monoid,
      [](const Latest<kIn>& given, std::uint32_t index) {
        Latest<kWords> a;
        for (std::uint32_t i = 0; i < kWords; ++i) a[i] = given[i % kIn] * (i + 1);
        a[0] += index;
        return a;
      },
      [](const Latest<kWords>& exclusive, const Latest<kWords>& inclusive, std::uint32_t index) {
        Latest<kOut> b;
        for (std::uint32_t i = 0; i < kOut; ++i) {
          b[i] = exclusive[i % kWords] ^ (inclusive[i % kWords] + index);
        }
        return b;
      });
}

// The bytes of a packed module (src/runtime/spirv.cpp), whose first word is not among them.
std::size_t packed_bytes(const Spirv& spirv) {
  const std::uint8_t* at = spirv.packed;
  for (std::size_t word = 1; word < spirv.bytes / 4; ++word) {
    if (*at++ != 255) continue;
    while (*at++ > 127) {
    }
  }
  return static_cast<std::size_t>(at - spirv.packed);
}

// What the modules of scans add to a program.
std::size_t scan_bytes(const Monoid& monoid) {
  std::size_t sum = 0;
  for (const MonoidKernel kernel :
       {MonoidKernel::scan_look_back_word32, MonoidKernel::scan_look_back_word64,
        MonoidKernel::scan_multi_pass_fold, MonoidKernel::scan_multi_pass_scan}) {
    const Spirv* spirv = nullptr;
    throw_if_error(monoid.find_module(monoid, kernel, spirv));
    REQUIRE(spirv);
    sum += packed_bytes(*spirv);
  }
  return sum;
}

}  // namespace

TEST_CASE("own monoid: scans over elements of 4 to 16 bytes") {
  check_plain<1>(own::latest1::monoid);
  check_plain<2>(own::latest2::monoid);
  check_plain<3>(own::latest3::monoid);
  check_plain<4>(own::latest4::monoid);
}

TEST_CASE("own monoid: scans over elements of 20 to 32 bytes") {
  check_plain<5>(own::latest5::monoid);
  check_plain<6>(own::latest6::monoid);
  check_plain<7>(own::latest7::monoid);
  check_plain<8>(own::latest8::monoid);
}

TEST_CASE("own monoid: scans by an operator that commutes") {
  CHECK(own::sums::monoid.commutes);
  check_plain<6>(own::sums::monoid);
}

TEST_CASE("own monoid: scans that convert elements of 8 to 32 bytes") {
  check_converting<2, 2, 2>(own::latest2_2_2::monoid);
  check_converting<4, 4, 4>(own::latest4_4_4::monoid);
  check_converting<6, 6, 6>(own::latest6_6_6::monoid);
  check_converting<8, 8, 8>(own::latest8_8_8::monoid);
  check_converting<8, 1, 8>(own::latest8_1_8::monoid);
}

TEST_CASE("own monoid: a scan adds at most 60 KB to a program") {
  for (const Monoid* monoid : std::initializer_list<const Monoid*>{
           &own::latest1::monoid, &own::latest2::monoid, &own::latest3::monoid,
           &own::latest4::monoid, &own::latest5::monoid, &own::latest6::monoid,
           &own::latest7::monoid, &own::latest8::monoid, &own::latest2_2_2::monoid,
           &own::latest4_4_4::monoid, &own::latest6_6_6::monoid, &own::latest8_8_8::monoid,
           &own::latest8_1_8::monoid, &OwnAffine::monoid(), &OwnIllegal::monoid(),
           &OwnWide::monoid(), &own::path::monoid, &own::span::monoid, &own::sums::monoid}) {
    CAPTURE(std::string(monoid->name));
    CHECK(scan_bytes(*monoid) <= 60'000);
  }
}

}  // namespace vkprims::test

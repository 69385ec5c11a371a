// Numbers of the host as element values.
#include "runtime/element_value.hpp"

#include <cmath>
#include <limits>

#include "runtime/validate.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

template <class T>
bool becomes(const Value& value, T want) {
  Value element;
  if (!convert(value, value_kind_of<T>(), sizeof(T), element)) return false;
  T got;
  std::memcpy(&got, element.words, sizeof(T));
  return std::memcmp(&got, &want, sizeof(T)) == 0;
}

template <class T>
bool refused(const Value& value) {
  Value element;
  return !convert(value, value_kind_of<T>(), sizeof(T), element);
}

template <class T>
constexpr T least = std::numeric_limits<T>::min();
template <class T>
constexpr T most = std::numeric_limits<T>::max();

TEST_CASE("value: a number becomes the same number of the element type") {
  CHECK(becomes(1, 1.0f));
  CHECK(becomes(-1, -1.0));
  CHECK(becomes(1.0, 1u));
  CHECK(becomes(-2.0f, -2));
  CHECK(becomes(std::uint8_t{200}, 200));
  CHECK(becomes(std::int8_t{-3}, std::int64_t{-3}));
  CHECK(becomes(7, std::uint8_t{7}));
  CHECK(becomes(-7, std::int16_t{-7}));
  CHECK(becomes(true, 1.0f));
  CHECK(becomes(std::uint64_t{5}, 5u));
  CHECK(becomes(0.1f, static_cast<double>(0.1f)));
  CHECK(becomes(0.5, 0.5f));
  CHECK(becomes(1e-45, 1e-45f) == (static_cast<double>(1e-45f) == 1e-45));
  CHECK(becomes(std::uint64_t{1} << 63, 0x1p63f));
  CHECK(becomes(16777216, 16777216.0f));
  CHECK(becomes(-0.0, -0.0f));
  CHECK(becomes(-0.0f, 0u));
  CHECK(becomes(HUGE_VAL, HUGE_VALF));
  CHECK(becomes(3'000'000'000.0, 3'000'000'000u));
}

TEST_CASE("value: the limits of each type are in it, and what is next to them is not") {
  CHECK(becomes(std::int64_t{least<std::int32_t>}, least<std::int32_t>));
  CHECK(refused<std::int32_t>(std::int64_t{least<std::int32_t>} - 1));
  CHECK(becomes(std::int64_t{most<std::int32_t>}, most<std::int32_t>));
  CHECK(refused<std::int32_t>(std::int64_t{most<std::int32_t>} + 1));
  CHECK(becomes(std::uint64_t{most<std::uint32_t>}, most<std::uint32_t>));
  CHECK(refused<std::uint32_t>(std::uint64_t{1} << 32));
  CHECK(refused<std::int64_t>(std::uint64_t{1} << 63));
  CHECK(becomes(least<std::int64_t>, least<std::int64_t>));
  CHECK(becomes(-0x1p63, least<std::int64_t>));
  CHECK(refused<std::int64_t>(0x1p63));
  CHECK(refused<std::uint64_t>(0x1p64));
  CHECK(refused<std::uint8_t>(256));
  CHECK(becomes(255, std::uint8_t{255}));
  CHECK(refused<std::int8_t>(-129));
  CHECK(becomes(static_cast<double>(most<float>), most<float>));
  CHECK(refused<float>(2.0 * static_cast<double>(most<float>)));
}

TEST_CASE("value: a number that the element type does not have is refused") {
  CHECK(refused<std::int32_t>(3'000'000'000u));
  CHECK(refused<std::uint32_t>(-1));
  CHECK(refused<std::uint32_t>(0.5));
  CHECK(refused<float>(16777217));
  CHECK(refused<float>(0.1));
  CHECK(refused<double>((std::uint64_t{1} << 53) + 1));
  CHECK(refused<std::uint32_t>(std::nan("")));
  CHECK(refused<std::int32_t>(HUGE_VALF));
}

TEST_CASE("value: NaN stays NaN, and bits stay as they are") {
  Value element;
  REQUIRE(convert(std::nan(""), ValueKind::floating, 4, element));
  float nan;
  std::memcpy(&nan, element.words, 4);
  CHECK(std::isnan(nan));
  CHECK(becomes(Value::bits(0x7fc12345u), std::bit_cast<float>(0x7fc12345u)));
  CHECK(refused<float>(Value::bits(std::uint64_t{1})));
  struct Pair {
    std::uint32_t a, b;
  };
  CHECK(becomes(Pair{1, 2}, std::uint64_t{0x200000001}));
  CHECK(refused<std::uint32_t>(Pair{1, 2}));
  CHECK(becomes(Value::at(8), 0u));  // read later, on the GPU
}

TEST_CASE("value: what is refused is named, with the value and the type") {
  const auto message = [](const Value& value, Type type) {
    return std::string(check_value("scan", "initial", value, type).message());
  };
  CHECK(message(3'000'000'000u, Type::i32) ==
        "scan: initial is 3000000000, which i32 does not hold exactly");
  CHECK(message(0.5, Type::u64) == "scan: initial is 0.5, which u64 does not hold exactly");
  CHECK(message(-1, Type::u32) == "scan: initial is -1, which u32 does not hold exactly");
  CHECK(message(16777217, Type::f32) ==
        "scan: initial is 16777217, which f32 does not hold exactly");
  CHECK(message(Value::bits(std::uint64_t{1}), Type::u32) ==
        "scan: initial has 8 bytes, one element has 4");
  CHECK(message(Value::at(4), Type::u64) ==
        "scan: initial.address is 0x4, must be a multiple of 8");
  CHECK(message({}, Type::f64) == "ok");
}

}  // namespace
}  // namespace vkprims::test

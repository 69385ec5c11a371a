#include "runtime/element_value.hpp"

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <limits>

namespace vkprims {
namespace {

// A number that a value holds: sign and magnitude, or a float.
struct Number {
  bool floating = false;
  bool negative = false;        // of integers
  std::uint64_t magnitude = 0;  // of integers
  double real = 0;
};

template <class T>
T first_bytes(const Value& value) {
  T x;
  std::memcpy(&x, value.words, sizeof(T));
  return x;
}

std::int64_t signed_of(const Value& value) {
  switch (value.bytes) {
    case 1:
      return first_bytes<std::int8_t>(value);
    case 2:
      return first_bytes<std::int16_t>(value);
    case 4:
      return first_bytes<std::int32_t>(value);
    default:
      return first_bytes<std::int64_t>(value);
  }
}

std::uint64_t unsigned_of(const Value& value) {
  switch (value.bytes) {
    case 1:
      return first_bytes<std::uint8_t>(value);
    case 2:
      return first_bytes<std::uint16_t>(value);
    case 4:
      return first_bytes<std::uint32_t>(value);
    default:
      return first_bytes<std::uint64_t>(value);
  }
}

Number number_of(const Value& value) {
  Number number;
  if (value.kind == ValueKind::floating) {
    number.floating = true;
    number.real = value.bytes == 8 ? first_bytes<double>(value) : first_bytes<float>(value);
  } else if (value.kind == ValueKind::signed_integer) {
    const std::int64_t x = signed_of(value);
    number.negative = x < 0;
    number.magnitude = x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  } else {
    number.magnitude = unsigned_of(value);
  }
  return number;
}

// Finds the integer that a float is, if it is one of at most 64 bits and a sign.
bool as_integer(Number& number) {
  if (!number.floating) return true;
  const double size = std::fabs(number.real);
  if (!(size < 0x1p64) || size != std::floor(size)) return false;
  number = {.negative = number.real < 0, .magnitude = static_cast<std::uint64_t>(size)};
  return true;
}

bool to_integer(Number number, bool is_signed, std::uint32_t bytes, Value& element) {
  if (!as_integer(number)) return false;
  const std::uint64_t largest = ~std::uint64_t{0} >> (64 - 8 * bytes + (is_signed ? 1 : 0));
  if (number.negative && !is_signed) return false;
  if (number.magnitude > largest + (number.negative ? 1 : 0)) return false;
  const std::uint64_t bits = number.negative ? 0 - number.magnitude : number.magnitude;
  std::memcpy(element.words, &bits, 8);
  if (bytes < 8) element.words[1] = 0;
  if (bytes < 4) element.words[0] &= (1u << 8 * bytes) - 1;
  return true;
}

// Whether a magnitude fits into a significand of `bits` bits.
bool fits(std::uint64_t magnitude, int bits) {
  return magnitude == 0 ||
         static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <= bits;
}

bool to_float(const Number& number, std::uint32_t bytes, Value& element) {
  double real = number.real;
  if (!number.floating) {
    if (!fits(number.magnitude, bytes == 8 ? 53 : 24)) return false;
    real = static_cast<double>(number.magnitude);
    if (number.negative) real = -real;
  }
  if (bytes == 8) {
    std::memcpy(element.words, &real, 8);
    return true;
  }
  const bool too_large =
      std::isfinite(real) && std::fabs(real) > double{std::numeric_limits<float>::max()};
  if (too_large) return false;
  const float narrow = static_cast<float>(real);
  if (!std::isnan(real) && double{narrow} != real) return false;
  std::memcpy(element.words, &narrow, 4);
  return true;
}

}  // namespace

bool convert(const Value& value, ValueKind kind, std::uint32_t bytes, Value& element) {
  element = value;
  if (value.address || value.bytes == 0) return true;
  if (value.kind == ValueKind::raw || kind == ValueKind::raw) return value.bytes == bytes;
  if (value.kind == kind && value.bytes == bytes) return true;
  element = {};
  element.bytes = bytes;
  element.kind = kind;
  if (kind == ValueKind::floating) return to_float(number_of(value), bytes, element);
  return to_integer(number_of(value), kind == ValueKind::signed_integer, bytes, element);
}

Value element_value(const Value& value, ValueKind kind, std::uint32_t bytes) {
  Value element;
  return convert(value, kind, bytes, element) ? element : value;
}

Value element_value(const Value& value, Type type) {
  return element_value(value, value_kind_of(type), size_of(type));
}

void print_value(const Value& value, char* text, std::size_t size) {
  const Number number = number_of(value);
  if (number.floating) {
    std::snprintf(text, size, "%.*g", value.bytes == 8 ? 17 : 9, number.real);
  } else {
    std::snprintf(text, size, "%s%" PRIu64, number.negative ? "-" : "", number.magnitude);
  }
}

}  // namespace vkprims

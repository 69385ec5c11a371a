// The host's values as elements: the one place that knows how a number becomes an element.
#pragma once

#include <cstddef>

#include "vkprims/types.hpp"

namespace vkprims {

constexpr ValueKind value_kind_of(Type type) {
  if (type == Type::f32 || type == Type::f64) return ValueKind::floating;
  return type == Type::i32 || type == Type::i64 ? ValueKind::signed_integer
                                                : ValueKind::unsigned_integer;
}

/// The letter of the names of a kind's types, as in u32.
constexpr const char* letter_of(ValueKind kind) {
  if (kind == ValueKind::floating) return "f";
  return kind == ValueKind::signed_integer ? "i" : "u";
}

/// Makes `element` of a value on the host: one of `bytes` bytes that is the same number. False if
/// there is none; raw values, and elements of raw kind, must have the size of the other. A value
/// that is not given or lies on the device stays what it is.
bool convert(const Value& value, ValueKind kind, std::uint32_t bytes, Value& element);

/// The element that check_value() has found to exist.
Value element_value(const Value& value, ValueKind kind, std::uint32_t bytes);
Value element_value(const Value& value, Type type);

/// Writes the number that a value is.
void print_value(const Value& value, char* text, std::size_t size);

}  // namespace vkprims

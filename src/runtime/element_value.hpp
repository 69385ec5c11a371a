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

/// The letter in the names of a kind's types, as in u32.
constexpr const char* letter_of(ValueKind kind) {
  if (kind == ValueKind::floating) return "f";
  return kind == ValueKind::signed_integer ? "i" : "u";
}

/// Makes `element` from a value on the host: an element of `bytes` bytes that is the same number.
/// Returns false if there is none. Raw values, and values for elements of raw kind, must have the
/// size of the element. A value that is not given or lies on the device stays what it is.
bool convert(const Value& value, ValueKind kind, std::uint32_t bytes, Value& element);

/// The element of a value for which check_value() has found that one exists.
Value element_value(const Value& value, ValueKind kind, std::uint32_t bytes);
Value element_value(const Value& value, Type type);

/// Prints the number that a value is.
void print_value(const Value& value, char* text, std::size_t size);

}  // namespace vkprims

// Push constants from the public types.
#pragma once

#include "vkprims/push.h"
#include "vkprims/types.hpp"

namespace vkprims {

/// An address or a number.
constexpr abi::VkpU64 push_u64(std::uint64_t v) {
  return {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32)};
}

constexpr abi::VkpCount push_count(const Count& count) {
  return {push_u64(count.max), push_u64(count.address), count.width == CountWidth::u64};
}

/// A value of at most 8 bytes.
constexpr abi::VkpValue push_value(const Value& value) {
  return {push_u64(value.address), value.words[0], value.words[1]};
}

/// The element 1, where a Value that is not given means that.
inline Value value_one(Type type) {
  switch (type) {
    case Type::f32:
      return Value(1.0f);
    case Type::f64:
      return Value(1.0);
    case Type::u64:
    case Type::i64:
      return Value(std::uint64_t{1});
    default:
      return Value(std::uint32_t{1});
  }
}

}  // namespace vkprims

// Push constants from the public types.
#pragma once

#include "runtime/element_value.hpp"
#include "runtime/operand.hpp"
#include "vkprims/push.h"
#include "vkprims/types.hpp"

namespace vkprims {

/// An address or a number as two words.
constexpr abi::VkpU64 push_u64(std::uint64_t v) {
  return {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32)};
}

/// The address of an operand.
constexpr abi::VkpU64 push_u64(const Operand& operand) { return push_u64(operand.view.address); }

constexpr abi::VkpCount push_count(const Count& count) {
  return {push_u64(count.max), push_u64(count.address), count.width == CountWidth::u64};
}

/// A value as an element of `type`; 0 if it is not given.
inline abi::VkpValue push_value(const Value& value, Type type) {
  const Value element = element_value(value, type);
  return {push_u64(element.address), element.words[0], element.words[1]};
}
/// The same, but `otherwise` if the value is not given.
inline abi::VkpValue push_value(const Value& value, Type type, int otherwise) {
  return push_value(value.given() ? value : Value(otherwise), type);
}

}  // namespace vkprims

// The specialization constant of shaders/vkprims/keys.glsl.
#pragma once

#include "vkprims/keys.h"
#include "vkprims/types.hpp"

namespace vkprims {

/// Whether keys may be equal without having the same bits. Integers have one order, so the same
/// pipelines serve both values of the option.
constexpr bool by_value(Type type, FloatOrder order) {
  return (type == Type::f32 || type == Type::f64) && order == FloatOrder::by_value;
}

constexpr std::uint32_t key_type(Type type, FloatOrder order) {
  return static_cast<std::uint32_t>(type) + (by_value(type, order) ? VKP_KEY_BY_VALUE : 0);
}

}  // namespace vkprims

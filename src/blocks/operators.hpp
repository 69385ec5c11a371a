// This header says which kernels serve which types and operators, as shaders/vkprims/ops.glsl has
// them.
#pragma once

#include <cstdint>

#include "vkprims/spec.h"
#include "vkprims/types.hpp"

namespace vkprims {

/// The types that kernels are compiled for, in the order of the tables of modules. Signed integers
/// have no kernels of their own.
enum FoldType : std::uint32_t { kFoldU32, kFoldF32, kFoldU64, kFoldF64, kFoldTypes };

/// The type of the kernel that serves `type`: signed integers use the kernels of unsigned ones.
constexpr FoldType fold_type(Type type) {
  constexpr FoldType table[] = {kFoldU32, kFoldU32, kFoldF32, kFoldU64, kFoldU64, kFoldF64};
  return table[static_cast<std::uint32_t>(type)];
}

/// The VKP_SPEC_OP of such a kernel. Operators other than min and max give the same bits for signed
/// and unsigned integers, so both have one pipeline.
constexpr std::uint32_t fold_operator(Type type, Op op) {
  const bool orders = op == Op::min || op == Op::max;
  const bool is_signed = type == Type::i32 || type == Type::i64;
  return static_cast<std::uint32_t>(op) | (orders && is_signed ? VKP_OP_SIGNED : 0u);
}

}  // namespace vkprims

// What a SPIR-V module says of itself: its push constants, and what it needs of a device.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vkprims/spirv.hpp"
#include "vkprims/types.hpp"

namespace vkprims::jit {

/// A member of the push constants.
struct PushMember {
  enum Kind : std::uint32_t { address, number, bytes };
  Kind kind = bytes;
  Type type = Type::u32;  // of a number
  std::uint32_t offset = 0, size = 0;
};

struct ModuleFacts {
  bool has_push = false;  // false also if main() reads none of them
  std::vector<PushMember> push;
  std::uint32_t push_bytes = 0;
  bool int64 = false, float64 = false, int64_atomics = false, storage8 = false, storage16 = false;
  std::uint32_t size[3] = {1, 1, 1};  // of the workgroup
  bool has_size_constant = false;     // whether a specialization constant says the first of these
  bool numbers_by_x = false;          // invocations are told apart by x of a number in the grid
};

/// Reads a module that shaderc has made.
ModuleFacts read_spirv(const Spirv& spirv);

}  // namespace vkprims::jit

// Reads the few things of a SPIR-V module that tests check.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "vkprims/spirv.hpp"

namespace vkprims::test {

class SpirvReader {
 public:
  explicit SpirvReader(const Spirv& spirv);

  /// Offsets of the members of the push constant struct in order, with nested structs taken apart;
  /// empty if there is none.
  std::vector<std::uint32_t> push_offsets() const;

  std::set<std::uint32_t> capabilities;
  std::set<std::uint32_t> decorations;
  std::uint32_t memory_model = 0;
  /// Counts accesses of buffers that are not private (accesses of shared memory always are). Those
  /// in a function count at each of its calls.
  int non_private_accesses() const { return accesses_of(entry_point_); }
  struct Atomic {
    std::uint32_t op, scope, semantics;
  };
  std::vector<Atomic> atomics;

  // These numbers are from the SPIR-V specification.
  static constexpr std::uint32_t kVulkanMemoryModelDeviceScope = 5346, kVulkanMemoryModel = 3;
  static constexpr std::uint32_t kVolatile = 21, kCoherent = 23;
  static constexpr std::uint32_t kQueueFamilyScope = 5, kRelaxed = 0;
  static constexpr std::uint32_t kOpAtomicLoad = 227, kOpAtomicStore = 228, kOpAtomicExchange = 229,
                                 kOpAtomicCompareExchange = 230, kOpAtomicIAdd = 234,
                                 kOpAtomicOr = 241, kOpAtomicXor = 242;

 private:
  static constexpr std::uint32_t kOpMemoryModel = 14, kOpEntryPoint = 15, kOpCapability = 17,
                                 kOpTypeStruct = 30, kOpTypePointer = 32, kOpConstant = 43,
                                 kOpFunction = 54, kOpFunctionCall = 57, kOpLoad = 61,
                                 kOpStore = 62, kOpAccessChain = 65, kOpInBoundsAccessChain = 66,
                                 kOpDecorate = 71, kOpMemberDecorate = 72, kOffset = 35,
                                 kPushConstant = 9, kPhysicalStorageBuffer = 5349,
                                 kNonPrivatePointer = 0x20;

  struct Function {
    int accesses = 0;
    std::vector<std::uint32_t> calls;
  };
  int accesses_of(std::uint32_t function) const;

  void append_offsets(std::uint32_t type, std::uint32_t base,
                      std::vector<std::uint32_t>& result) const;

  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> offsets_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> structs_;
  std::set<std::uint32_t> buffer_pointer_types_, buffer_pointers_;
  std::map<std::uint32_t, std::uint32_t> constants_;  // values of 32-bit constants by id
  std::map<std::uint32_t, Function> functions_;
  std::uint32_t push_block_ = 0, entry_point_ = 0;
};

/// Says whether the push constants of a shader end where a C++ struct of `bytes` bytes does, given
/// that the shader's last member has `tail_words` words (more than one: an array).
bool push_matches(const Spirv& spirv, std::size_t bytes, std::size_t tail_words = 1);

}  // namespace vkprims::test

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
  explicit SpirvReader(const Spirv& spirv) : words_(spirv.words, spirv.bytes / 4) {
    for_each([&](std::uint32_t op, std::span<const std::uint32_t> w) {
      switch (op) {
        case kOpCapability:
          capabilities.insert(w[0]);
          break;
        case kOpMemoryModel:
          memory_model = w[1];
          break;
        case kOpDecorate:
          decorations.insert(w[1]);
          break;
        case kOpMemberDecorate:
          decorations.insert(w[2]);
          if (w[2] == kOffset) offsets_[w[0]][w[1]] = w[3];
          break;
        case kOpTypeStruct:
          structs_[w[0]] = {w.begin() + 1, w.end()};
          break;
        case kOpTypePointer:
          if (w[1] == kPhysicalStorageBuffer) buffer_pointer_types_.insert(w[0]);
          // Members have pointer types of their own; the block is a struct of one struct.
          if (w[1] == kPushConstant && structs_.count(w[2]) && structs_[w[2]].size() == 1)
            push_block_ = w[2];
          break;
        case kOpAccessChain:
        case kOpInBoundsAccessChain:
          if (buffer_pointer_types_.count(w[0])) buffer_pointers_.insert(w[1]);
          break;
        // The memory operands of loads and stores: a mask, the alignment, scopes.
        case kOpLoad:
          if (w.size() > 3 && buffer_pointers_.count(w[2]) && (w[3] & kNonPrivatePointer))
            ++non_private_accesses;
          break;
        case kOpStore:
          if (w.size() > 2 && buffer_pointers_.count(w[0]) && (w[2] & kNonPrivatePointer))
            ++non_private_accesses;
          break;
        case kOpConstant:
          constants_[w[1]] = w[2];
          break;
        default:
          if (op >= kOpAtomicLoad && op <= kOpAtomicXor) {
            // A store has neither a type nor a result before its pointer.
            const std::size_t scope = op == kOpAtomicStore ? 1 : 3;
            atomics.push_back({op, constants_[w[scope]], constants_[w[scope + 1]]});
          }
          break;
      }
    });
  }

  /// Offsets of the members of the push constant struct, nested structs taken apart, in order;
  /// empty if there is none.
  std::vector<std::uint32_t> push_offsets() const {
    std::vector<std::uint32_t> result;
    const auto block = structs_.find(push_block_);
    if (block != structs_.end()) append_offsets(block->second[0], 0, result);
    return result;
  }

  std::set<std::uint32_t> capabilities;
  std::set<std::uint32_t> decorations;
  std::uint32_t memory_model = 0;
  int non_private_accesses = 0;  // of buffers; those of shared memory always are
  struct Atomic {
    std::uint32_t op, scope, semantics;
  };
  std::vector<Atomic> atomics;

  // From the SPIR-V specification.
  static constexpr std::uint32_t kVulkanMemoryModelDeviceScope = 5346, kVulkanMemoryModel = 3;
  static constexpr std::uint32_t kVolatile = 21, kCoherent = 23;
  static constexpr std::uint32_t kQueueFamilyScope = 5, kRelaxed = 0;
  static constexpr std::uint32_t kOpAtomicLoad = 227, kOpAtomicStore = 228, kOpAtomicExchange = 229,
                                 kOpAtomicCompareExchange = 230, kOpAtomicOr = 241,
                                 kOpAtomicXor = 242;

 private:
  static constexpr std::uint32_t kOpMemoryModel = 14, kOpCapability = 17, kOpTypeStruct = 30,
                                 kOpTypePointer = 32, kOpConstant = 43, kOpLoad = 61, kOpStore = 62,
                                 kOpAccessChain = 65, kOpInBoundsAccessChain = 66, kOpDecorate = 71,
                                 kOpMemberDecorate = 72, kOffset = 35, kPushConstant = 9,
                                 kPhysicalStorageBuffer = 5349, kNonPrivatePointer = 0x20;

  void append_offsets(std::uint32_t type, std::uint32_t base,
                      std::vector<std::uint32_t>& result) const {
    const auto members = structs_.find(type);
    if (members == structs_.end()) {
      result.push_back(base);
      return;
    }
    const auto offsets = offsets_.find(type);
    if (offsets == offsets_.end()) return;
    for (std::uint32_t i = 0; i < members->second.size(); ++i) {
      append_offsets(members->second[i], base + offsets->second.at(i), result);
    }
  }

  template <class F>
  void for_each(F&& f) const {
    for (std::size_t at = 5; at < words_.size();) {
      const std::uint32_t length = words_[at] >> 16;
      if (length == 0 || at + length > words_.size()) return;
      f(words_[at] & 0xffff, words_.subspan(at + 1, length - 1));
      at += length;
    }
  }

  std::span<const std::uint32_t> words_;
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> offsets_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> structs_;
  std::set<std::uint32_t> buffer_pointer_types_, buffer_pointers_;
  std::map<std::uint32_t, std::uint32_t> constants_;  // 32-bit ones by id
  std::uint32_t push_block_ = 0;
};

/// Whether the push constants of a shader end where a C++ struct of `bytes` bytes does, given that
/// its last member has `tail_words` words (more than one: an array).
inline bool push_matches(const Spirv& spirv, std::size_t bytes, std::size_t tail_words = 1) {
  const std::vector<std::uint32_t> offsets = SpirvReader(spirv).push_offsets();
  return !offsets.empty() && offsets.back() + 4 * tail_words == bytes;
}

}  // namespace vkprims::test

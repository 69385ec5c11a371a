// Compute pipelines by shader and specialization, compiled on first use.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>

#include "runtime/functions.hpp"
#include "vkprims/device.hpp"
#include "vkprims/spec.h"
#include "vkprims/spirv.hpp"

namespace vkprims {

/// Constants of shaders/vkprims/device/lookback.h.
struct LookbackConstants {
  std::uint32_t spins = 1;
  std::uint32_t pause = 0;
  std::uint32_t by_group = 0;
  std::uint32_t in_place = 0;
  std::uint32_t statistics = 0;
  std::uint32_t faults = 0;
  std::uint32_t period = 1;

  bool operator==(const LookbackConstants&) const = default;
};

/// Values of the specialization constants 0, 1, 2 … of shaders/vkprims/spec.h. Constants that a
/// shader does not have are ignored.
struct Specialization {
  std::uint32_t workgroup_size = 1;
  std::uint32_t rows = 1;
  std::uint32_t row_words = 4;
  std::uint32_t op = 0;
  LookbackConstants lookback;
  std::uint32_t own[7] = {};  // VKP_SPEC_FIRST_OWN …
  // Bit i: constant i has the value above. Kernels of an application's own keep their own values of
  // the others.
  std::uint32_t given = ~0u;

  /// Sets one of the constants from VKP_SPEC_FIRST_OWN on.
  constexpr Specialization& set(std::uint32_t constant, std::uint32_t value) {
    own[constant - VKP_SPEC_FIRST_OWN] = value;
    return *this;
  }
  bool operator==(const Specialization&) const = default;
};

/// The constants of kernels in which only the first invocation works and the others leave at once.
/// A workgroup of one invocation finds none of its buffers on lavapipe under GPU-assisted
/// validation.
inline constexpr Specialization kFirstInvocation{.workgroup_size = 32};

class Pipelines {
 public:
  /// `lanes_in_step` sets the constant of that name in subgroup_barrier.glsl.
  Status create(const Functions& vk, const DeviceInfo& info, bool lanes_in_step);
  void destroy(const Functions& vk);

  /// The pipeline for a shader and its constants. Compiles it if it does not exist yet; if only
  /// warm_up() may compile, the result is Status::not_warmed instead. Messages name `primitive`,
  /// which must be a literal. May be called from any
  /// thread; no lock is held while compiling.
  Status get(const Functions& vk, const char* primitive, const Spirv& spirv,
             const Specialization& constants, bool may_compile, VkPipeline& pipeline);

  VkPipelineLayout layout() const { return layout_; }

  /// From now on get() compiles nothing: it notes what `owner` lacks and gives no pipeline for it.
  void note_for(Pipelines& owner) { owner_ = &owner; }
  bool only_notes() const { return owner_ != nullptr; }
  /// Compiles what is noted, in that order, until `at_most` pipelines are done or none is left. Any
  /// number of threads may call this; each takes one pipeline after another. A pipeline that fails
  /// is left to a later call.
  Status compile_noted(const Functions& vk, std::size_t at_most);
  /// How many different pipelines have been noted, and with how many of these compile_noted() is
  /// done.
  std::size_t noted() const;
  std::size_t compiled() const;

 private:
  struct Key {
    const Spirv* spirv;
    Specialization constants;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Note {
    Key key;
    const char* primitive;  // the one that asked for it: named if it fails
  };
  bool find(const Key& key, VkPipeline& pipeline) const;
  void note(const char* primitive, const Key& key);
  Status compile(const Functions& vk, const char* primitive, const Key& key,
                 VkPipeline& pipeline) const;

  VkDevice device_ = VK_NULL_HANDLE;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  const VkAllocationCallbacks* allocator_ = nullptr;
  bool full_subgroups_ = false;
  bool lanes_in_step_ = false;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;  // one for all: 128 bytes of push constants, no sets
  Pipelines* owner_ = nullptr;                // if this only notes: the owner of the pipelines

  mutable std::mutex mutex_;                             // guards what follows
  std::unordered_map<Key, VkPipeline, Hash> pipelines_;  // null: noted
  std::deque<Note> waiting_;                             // noted ones that are still to be compiled
  std::size_t compiled_ = 0;                             // how many of the noted ones are done
};

}  // namespace vkprims

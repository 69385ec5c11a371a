// What a jit::Compiler makes of text: monoids, predicates, comparisons, maps, kernels and string
// kernels, and their descriptors.
/// @ingroup jit
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "vkprims/compare.hpp"
#include "vkprims/device.hpp"
#include "vkprims/kernel.hpp"
#include "vkprims/map.hpp"
#include "vkprims/monoid.hpp"
#include "vkprims/predicate.hpp"
#include "vkprims/recorder_overloads.hpp"
#include "vkprims/strings/map.hpp"
#include "vkprims/strings/rope.hpp"

namespace vkprims::jit {

struct OwnModules;         // internal
struct KernelState;        // internal
struct StringKernelState;  // internal

/// Describes a source to Compiler::monoid().
struct MonoidDesc {
  std::string name = "monoid";  ///< of the source, in messages
};

/// Describes a source to Compiler::predicate().
struct PredicateDesc {
  std::string name = "predicate";  ///< of the source, in messages
};

/// Describes a source to Compiler::compare().
struct CompareDesc {
  std::string name = "compare";  ///< of the source, in messages
};

/// A monoid, predicate or comparison that is made from text, of which descriptors and overloads
/// take the base class. A kernel is compiled when a call first needs it. It may be moved and
/// copied, and may be destroyed as soon as the calls have been recorded.
template <class Base>
class FromText : public Base {
 public:
  /// What the source says wrong; not what only the compiler finds.
  const Status& status() const { return status_; }

 private:
  friend class Compiler;
  Status status_;
  std::shared_ptr<const OwnModules> modules_;
};
/// A monoid from text, whose elements are T.
template <class T, class In = T, class Out = T>
using Monoid = FromText<MonoidOf<T, In, Out>>;
/// A predicate from text, which select and partition take.
template <class T>
using Predicate = FromText<PredicateOf<T>>;
/// A comparison from text, which merge_sort and merge take.
template <class T>
using Compare = FromText<CompareOf<T>>;

/// Describes a source to Compiler::kernel().
struct KernelDesc {
  std::string name = "kernel";     ///< of the source, in messages
  std::uint32_t local_size = 128;  ///< invocations in a workgroup
  std::uint32_t shared_bytes = 0;  ///< VKP_SHARED_BYTES in the source, for its shared arrays
  std::vector<std::string> definitions = {};  ///< macros, as "WINDOW=16" or "WRAPS"
};

/// How many workgroups a kernel has: as in vkprims::KernelDesc, or as many as items need.
struct KernelGrid {
  /// Workgroups in all, of which those past 65,535 are folded into y; or along the first axis if y
  /// is given. vkp_group_index() and vkp_item() number workgroups and invocations that are folded.
  std::uint64_t groups = 0;
  std::uint32_t y = 0, z = 0;  ///< along the other axes; 0: not given
  /// Instead of groups: there is an invocation for each item, and the last workgroup is filled up.
  std::uint64_t items = 0;
  Scratch groups_at = {};  ///< where a VkDispatchIndirectCommand is read instead
};

/// An argument of a kernel: a buffer, or a number or struct on the host, which must live until the
/// call returns.
class Argument {
 public:
  /// What the bytes are.
  enum Kind : std::uint32_t {
    buffer,  ///< a view
    number,  ///< a number
    bytes    ///< those of a struct
  };

  /// Anything with view(), a BufferView, a number, or a struct.
  template <class T>
  Argument(const T& x) {  // NOLINT: arguments are what they stand for
    if constexpr (std::is_same_v<T, BufferView>) {
      view_ = x;
    } else if constexpr (requires { x.view(); }) {
      view_ = x.view();
      may_be_missing_ = std::is_same_v<T, NotWanted>;
    } else {
      static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>,
                    "vkprims: jit: an argument of a kernel must be a buffer, a number or a struct");
      static_assert(!std::is_same_v<T, bool>, "vkprims: jit: GLSL has no bool in push constants");
      kind_ = value_kind_of<T>() == ValueKind::raw ? bytes : number;
      value_kind_ = value_kind_of<T>();
      data_ = &x;
      size_ = sizeof(T);
    }
  }

  Kind kind() const { return kind_; }                      ///< what it is
  const BufferView& view() const { return view_; }         ///< of a buffer
  bool may_be_missing() const { return may_be_missing_; }  ///< whether the buffer may be none
  ValueKind value_kind() const { return value_kind_; }     ///< of a number
  const void* data() const { return data_; }               ///< of a number or struct
  std::size_t size() const { return size_; }               ///< of it in bytes

 private:
  Kind kind_ = buffer;
  BufferView view_;
  bool may_be_missing_ = false;
  ValueKind value_kind_ = ValueKind::raw;
  const void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A kernel that is made from text. It may be moved and copied, and may be destroyed as soon as the
/// calls have been recorded.
class Kernel {
 public:
  /// A kernel without code, which every call refuses.
  Kernel() = default;
  /// Why there is no kernel, with what the compiler says of the source.
  Status status() const;

  /// Records the kernel as a step of `recorder`. The arguments are the members of its push
  /// constants, in order: a buffer for each buffer reference or uvec2, and for each other member a
  /// number that its type can hold exactly, or a struct of its size.
  template <std::same_as<Recorder> R, class... Arguments>
  void operator()(R& recorder, const KernelGrid& grid, const Arguments&... arguments) const {
    const Argument all[sizeof...(Arguments) + 1] = {arguments..., BufferView()};
    const auto call = [&](VkCommandBuffer cmd, const Scratch&) {
      return record(cmd, recorder.device(), grid, {all, sizeof...(Arguments)});
    };
    if (!grid.groups_at.buffer) return recorder.step({}, call);
    // Only commands() waits for what an indirect dispatch reads.
    Status outcome;
    recorder.commands([&](VkCommandBuffer cmd) { outcome = call(cmd, {}); });
    if (!outcome) recorder.step({}, [&](VkCommandBuffer, const Scratch&) { return outcome; });
  }

  /// Records the kernel. Tools that look for hazards take all buffers as read and written.
  ///
  /// Before, After   what the kernel itself asks for: COMPUTE_SHADER, and for groups_at
  ///                 DRAW_INDIRECT / INDIRECT_COMMAND_READ
  /// Errors          status(), another number of arguments than the push constants have members,
  ///                 arguments of another type or size, numbers that do not fit, a buffer without
  ///                 address, too many workgroups
  Status record(VkCommandBuffer cmd, const Device& device, const KernelGrid& grid,
                std::span<const Argument> arguments) const;
  /// Compiles the pipeline.
  Status warm_up(const Device& device) const;

 private:
  friend class Compiler;
  std::shared_ptr<const KernelState> state_;
};

/// Describes a source to Compiler::map().
struct MapDesc {
  std::string name = "map";  ///< of the source, in messages
};

/// A function of elements that is made from text: what record_map() takes as `own`, and a function
/// that records itself. It may be moved and copied, and may be destroyed as soon as the calls have
/// been recorded.
template <class Out, class... In>
class Map : public MapOf<std::tuple<In...>, std::tuple<Out>> {
 public:
  /// Why there is no kernel, with what the compiler says of the source.
  const Status& status() const { return status_; }

  /// Maps the inputs to the output behind them as a step of `recorder`. The count is the size of
  /// the first sequence.
  template <std::same_as<Recorder> R, class... Sequences>
  void operator()(R& recorder, const Sequences&... sequences) const {
    (*this)(recorder, Count(), sequences...);
  }
  /// The same for a count.
  template <std::same_as<Recorder> R, class... Sequences>
  void operator()(R& recorder, const Count& count, const Sequences&... sequences) const {
    if (!status_) recorder.step({}, [&](VkCommandBuffer, const Scratch&) { return status_; });
    vkprims::map(recorder, *this, vkprims::MapDesc{.count = count}, sequences...);
  }

 private:
  friend class Compiler;
  Status status_;
};

/// Describes a source to Compiler::string_kernel().
struct StringKernelDesc {
  std::string name = "rows";  ///< of the source, in messages
  std::uint32_t columns = 1;  ///< columns that it reads: none, a, or a and b
  std::uint32_t pieces = 1;   ///< the most pieces of a row, 1 … 512
  /// The source computes the bytes of rows, as with MODE generate; there are no pieces.
  bool generates = false;
};

/// A kernel of rows of strings that is made from text, with the functions that
/// vkprims_add_string_kernel() makes. It may be moved and copied, and may be destroyed as soon as
/// the calls have been recorded. What it needs is compiled when a call first needs it.
class StringKernel {
 public:
  /// A kernel without code, which every call refuses.
  StringKernel() = default;
  /// What the source says wrong; not what only the compiler finds.
  Status status() const;

  /// Calls strings::record_rope() with this kernel; `kernel` and `columns` of `desc` are not used.
  Status record(VkCommandBuffer cmd, const Device& device, const strings::RopeDesc& desc,
                const strings::RopeBuffers& buffers) const;
  /// Calls strings::rope_scratch() with this kernel.
  ScratchNeed scratch(const Device& device, const strings::RopeDesc& desc) const;
  /// Calls strings::warm_up() with this kernel.
  Status warm_up(const Device& device, const strings::RopeDesc& desc) const;
  /// Calls strings::rope() with this kernel; include vkprims/strings.hpp.
  template <std::same_as<Recorder> R>
  auto make(R& recorder, strings::RopeDesc desc, const strings::RopeInputs& in,
            std::uint64_t byte_bound, bool nullable) const {
    const Status outcome = describe(desc);
    if (!outcome) recorder.step({}, [&](VkCommandBuffer, const Scratch&) { return outcome; });
    return strings::rope(recorder, desc, in, byte_bound, nullable);
  }

 private:
  friend class Compiler;
  Status describe(strings::RopeDesc& desc) const;
  std::shared_ptr<const StringKernelState> state_;
};

/// Describes a source to Compiler::string_map().
struct StringMapDesc {
  std::string name = "value";  ///< of the source, in messages
};

/// A value of each row of a column, T or for bool a bit, by a function that is made from text. It
/// may be moved and copied, and may be destroyed as soon as the calls have been recorded.
template <class T>
class StringMap {
 public:
  /// Why there is no kernel, with what the compiler says of the source.
  const Status& status() const { return status_; }

  /// Calls strings::record_map() with this kernel.
  Status record(VkCommandBuffer cmd, const Device& device, const strings::MapStringsDesc& desc,
                const strings::MapStringsBuffers& buffers) const {
    return status_ ? strings::record_map(cmd, device, described(desc), buffers) : status_;
  }
  /// Calls strings::map_scratch() with this kernel.
  ScratchNeed scratch(const Device& device, const strings::MapStringsDesc& desc) const {
    return strings::map_scratch(device, described(desc));
  }
  /// Calls strings::warm_up() with this kernel.
  Status warm_up(const Device& device, const strings::MapStringsDesc& desc) const {
    return status_ ? strings::warm_up(device, described(desc)) : status_;
  }
  /// Calls strings::map_values() or map_bits() with this kernel; include vkprims/strings.hpp.
  template <std::same_as<Recorder> R>
  auto make(R& recorder, const strings::MapStringsDesc& desc, const strings::MapInputs& in) const {
    if (!status_) recorder.step({}, [&](VkCommandBuffer, const Scratch&) { return status_; });
    if constexpr (std::is_same_v<T, bool>) {
      return strings::map_bits(recorder, described(desc), in);
    } else {
      return strings::map_values<T>(recorder, described(desc), in);
    }
  }

 private:
  friend class Compiler;
  strings::MapStringsDesc described(strings::MapStringsDesc desc) const {
    desc.kernel = kernel_;
    return desc;
  }
  Status status_;
  strings::MapKernel kernel_;
};

}  // namespace vkprims::jit

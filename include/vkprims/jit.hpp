// Jit: kernels and monoids of the application's own that are compiled at run time, from text.
//
// Link vkprims::jit, which needs shaderc. Nothing here throws. What a source says wrong is the
// Status of the object that is made of it, and of every call that records it, so that a Recorder
// throws it as an Error.
/// @ingroup jit
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "vkprims/device.hpp"
#include "vkprims/kernel.hpp"
#include "vkprims/map.hpp"
#include "vkprims/monoid.hpp"
#include "vkprims/recorder_overloads.hpp"
#include "vkprims/spirv.hpp"
#include "vkprims/strings/rope.hpp"

namespace vkprims::jit {

struct CompilerState;      // internal
struct MonoidState;        // internal
struct KernelState;        // internal
struct StringKernelState;  // internal

/// How to make a Compiler.
struct CompilerInfo {
  /// A directory that keeps compiled modules between runs, one in each file; it is made if there is
  /// none. Files of another version, and damaged ones, are not used. "" means that none are kept.
  std::string cache_directory = {};
};

/// Where the modules came from that a Compiler has given so far.
struct CompilerStatistics {
  std::uint64_t compiled = 0;     ///< compiled by shaderc
  std::uint64_t from_memory = 0;  ///< given before
  std::uint64_t from_disk = 0;    ///< read from the directory
  std::uint64_t not_written = 0;  ///< files that could not be written there
};

/// Describes a source to Compiler::compile().
struct CompileOptions {
  std::string name = "kernel";                ///< of the source and the module, in messages
  std::vector<std::string> definitions = {};  ///< macros, as "WINDOW=16" or "WRAPS"
};

/// Describes a source to Compiler::monoid().
struct MonoidDesc {
  std::string name = "monoid";  ///< of the source, in messages
};

/// A monoid that is made from text, of which descriptors and overloads take the base class. A
/// kernel is compiled when a call first needs it. It may be moved and copied, and may be destroyed
/// as soon as the calls have been recorded.
template <class T, class In = T, class Out = T>
class Monoid : public MonoidOf<T, In, Out> {
 public:
  /// What the source says wrong; not what only the compiler finds.
  const Status& status() const { return status_; }

 private:
  friend class Compiler;
  Status status_;
  std::shared_ptr<const MonoidState> state_;
};

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

/// Internal: the GLSL type of numbers and, as arrays, of vectors of them; null of others.
template <class T>
struct GlslTypeOf {
  /// Its name.
  static constexpr const char* name() {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
                  (sizeof(T) == 4 || sizeof(T) == 8)) {
      constexpr const char* names[] = {"uint", "int", "float", "uint64_t", "int64_t", "double"};
      return names[static_cast<std::uint32_t>(type_of<T>())];
    }
    return nullptr;
  }
};
/// The GLSL type of an array of 2 to 4 numbers: a vector.
template <class T, std::size_t n>
struct GlslTypeOf<std::array<T, n>> {
  /// Its name.
  static constexpr const char* name() {
    if constexpr (n >= 2 && n <= 4 && GlslTypeOf<T>::name() && sizeof(T) * n <= 32) {
      constexpr auto kind = static_cast<std::uint32_t>(type_of<T>());
      constexpr const char* names[][3] = {
          {"uvec2", "uvec3", "uvec4"},       {"ivec2", "ivec3", "ivec4"},
          {"vec2", "vec3", "vec4"},          {"u64vec2", "u64vec3", "u64vec4"},
          {"i64vec2", "i64vec3", "i64vec4"}, {"dvec2", "dvec3", "dvec4"}};
      return names[kind][n - 2];
    }
    return nullptr;
  }
};

/// Compiles GLSL to SPIR-V at run time, and keeps what it has compiled. Copies share it.
///
/// Sources may include the GLSL library, which is in the program, and no other files. Any number of
/// threads may use one Compiler; none waits for another one's compilation, unless that is of the
/// same source.
class Compiler {
 public:
  /// A Compiler without a device, which refuses every source.
  Compiler();
  /// A Compiler for `device`, which keeps the modules: they live as long as the Device, and kernels
  /// and monoids are for this Device only.
  explicit Compiler(const Device& device, const CompilerInfo& info = {});

  /// Compiles a whole compute shader, which begins with \#version and declares its push constants
  /// and main(). The module lives as long as the Device.
  ///
  /// Errors    what the compiler says: each of its messages has the line of the source and its text
  Status compile(std::string_view source, const CompileOptions& options, const Spirv*& spirv) const;

  /// Makes a monoid of a source as vkprims_add_monoid() takes it (docs/own_kernels.md). T, In and
  /// Out are the C++ types of VKP_T, VKP_IN and VKP_OUT, whose sizes they must have.
  template <class T, class In = T, class Out = T>
  Monoid<T, In, Out> monoid(std::string_view source, const MonoidDesc& desc = {}) const {
    static_assert(kIsElement<T> && kIsElement<In> && kIsElement<Out>,
                  "vkprims: jit: an element of a monoid must have 4 … 32 bytes, a multiple of 4");
    const ElementType types[] = {element_type<T, T>(), element_type<In, T>(),
                                 element_type<Out, T>()};
    Monoid<T, In, Out> monoid;
    monoid.status_ = make_monoid(source, desc, types, monoid, monoid.state_);
    return monoid;
  }

  /// Makes a kernel of a source that declares its push constants and main(), and whatever else it
  /// needs; "vkprims/kernel.glsl" is included before it. A source that begins with \#version stands
  /// for itself, and may have another workgroup size than KernelDesc::local_size.
  Kernel kernel(std::string_view source, const KernelDesc& desc = {}) const;

  /// Makes a kernel of rows of strings of a source as vkprims_add_string_kernel() takes it
  /// (docs/own_kernels.md).
  StringKernel string_kernel(std::string_view source, const StringKernelDesc& desc = {}) const;

  /// Makes a function of elements, from an expression of them, such as "x * x + 1", or from the
  /// statements of a function that returns a result. The elements are called x, or a, b, c and d if
  /// there are several; there may be none. i is the number of the element (index has all 64 bits of
  /// it, low word first). Types are numbers of 4 and 8 bytes, and std::array for vectors of 2 to 4.
  template <class Out, class... In>
  Map<Out, In...> map(std::string_view source, const MapDesc& desc = {}) const {
    static_assert(sizeof...(In) <= 4, "vkprims: jit: a map has at most 4 inputs");
    static_assert(GlslTypeOf<Out>::name() && (GlslTypeOf<In>::name() && ...),
                  "vkprims: jit: elements of a map must be numbers of 4 or 8 bytes, or std::array "
                  "of 2 to 4 of them");
    const char* const types[] = {GlslTypeOf<Out>::name(), GlslTypeOf<In>::name()...};
    Map<Out, In...> map;
    map.status_ = make_map(source, desc, types, map);
    return map;
  }

  /// Where the modules came from.
  CompilerStatistics statistics() const;

 private:
  template <class T>
  static constexpr bool kIsElement = std::is_trivially_copyable_v<T> && sizeof(T) >= 4 &&
                                     sizeof(T) <= 32 && sizeof(T) % 4 == 0;
  struct ElementType {
    std::uint32_t bytes;
    ValueKind kind;
    bool is_element;  // the same type as that of elements
  };
  template <class T, class Element>
  static constexpr ElementType element_type() {
    return {sizeof(T), value_kind_of<T>(), std::is_same_v<T, Element>};
  }
  Status make_monoid(std::string_view source, const MonoidDesc& desc, const ElementType (&types)[3],
                     vkprims::Monoid& monoid, std::shared_ptr<const MonoidState>& state) const;
  Status make_map(std::string_view source, const MapDesc& desc, std::span<const char* const> types,
                  vkprims::Map& map) const;

  std::shared_ptr<CompilerState> state_;
};

}  // namespace vkprims::jit

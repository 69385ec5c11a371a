// Jit: kernels and monoids of the application's own that are compiled at run time, from text.
//
// Link vkprims::jit, which needs shaderc. Nothing here throws. What a source says wrong is the
// Status of the object that is made of it, and of every call that records it, so that a Recorder
// throws it as an Error.
/// @ingroup jit
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "vkprims/jit_objects.hpp"
#include "vkprims/spirv.hpp"

namespace vkprims::jit {

struct CompilerState;  // internal

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
    monoid.status_ = make_monoid(source, desc, types, monoid, monoid.modules_);
    return monoid;
  }

  /// Makes a predicate of elements of 4, 8 or 16 bytes: of an expression, such as
  /// "x > arguments", or of statements that return a bool, where x is the element, i its number,
  /// and arguments what SelectDesc::arguments gives for all elements; T and Arguments are then
  /// numbers of 4 and 8 bytes, or std::array for vectors of them. Or of a source as
  /// vkprims_add_predicate() takes it (docs/own_kernels.md), with any types of these sizes.
  template <class T, class Arguments = void>
  Predicate<T> predicate(std::string_view source, const PredicateDesc& desc = {}) const {
    static_assert(kIsElement<T> && (sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) <= 16,
                  "vkprims: jit: an element of a predicate must have 4, 8 or 16 bytes");
    ElementType types[2] = {element_type<T, T>(), {}};
    const char* names[2] = {GlslTypeOf<T>::name(), nullptr};
    if constexpr (!std::is_void_v<Arguments>) {
      static_assert(kIsElement<Arguments>,
                    "vkprims: jit: the arguments of a predicate must have 4 … 32 bytes, a multiple "
                    "of 4");
      types[1] = element_type<Arguments, T>();
      names[1] = GlslTypeOf<Arguments>::name();
    }
    Predicate<T> predicate;
    predicate.status_ = make_predicate(source, desc, types, names, predicate, predicate.modules_);
    return predicate;
  }

  /// Makes a comparison of an expression, such as "a.x < b.x", or of statements that return whether
  /// a belongs before b; T is then a number of 4 or 8 bytes, or std::array for a vector of them. Or
  /// of a source as vkprims_add_compare() takes it (docs/own_kernels.md).
  template <class T>
  Compare<T> compare(std::string_view source, const CompareDesc& desc = {}) const {
    static_assert(kIsElement<T>,
                  "vkprims: jit: what is compared must have 4 … 32 bytes, a multiple of 4");
    Compare<T> compare;
    compare.status_ = make_compare(source, desc, element_type<T, T>(), GlslTypeOf<T>::name(),
                                   compare, compare.modules_);
    return compare;
  }

  /// Makes a kernel of a source that declares its push constants and main(), and whatever else it
  /// needs; "vkprims/kernel.glsl" is included before it. A source that begins with \#version stands
  /// for itself, and may have another workgroup size than KernelDesc::local_size.
  Kernel kernel(std::string_view source, const KernelDesc& desc = {}) const;

  /// Makes a kernel of rows of strings of a source as vkprims_add_string_kernel() takes it
  /// (docs/own_kernels.md).
  StringKernel string_kernel(std::string_view source, const StringKernelDesc& desc = {}) const;

  /// Makes values of rows by a source as vkprims_add_string_kernel(… MODE map) takes it. T is the
  /// C++ type of what vkp_value() makes, whose size it must have, or bool for a bit of each row.
  template <class T>
  StringMap<T> string_map(std::string_view source, const StringMapDesc& desc = {}) const {
    ElementType type{};
    if constexpr (!std::is_same_v<T, bool>) {
      static_assert(kIsElement<T>,
                    "vkprims: jit: a value of a row must have 4 … 32 bytes, a multiple of 4");
      type = element_type<T, T>();
    }
    StringMap<T> map;
    map.status_ = make_string_map(source, desc, type, map.kernel_);
    return map;
  }

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
                     vkprims::Monoid& monoid, std::shared_ptr<const OwnModules>& modules) const;
  Status make_predicate(std::string_view source, const PredicateDesc& desc,
                        const ElementType (&types)[2], const char* const (&names)[2],
                        OwnPredicate& predicate, std::shared_ptr<const OwnModules>& modules) const;
  Status make_compare(std::string_view source, const CompareDesc& desc, const ElementType& type,
                      const char* type_name, vkprims::Compare& compare,
                      std::shared_ptr<const OwnModules>& modules) const;
  Status make_string_map(std::string_view source, const StringMapDesc& desc,
                         const ElementType& type, strings::MapKernel& kernel) const;
  Status make_map(std::string_view source, const MapDesc& desc, std::span<const char* const> types,
                  vkprims::Map& map) const;

  std::shared_ptr<CompilerState> state_;
};

}  // namespace vkprims::jit

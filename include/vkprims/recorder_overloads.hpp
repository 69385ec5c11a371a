// Overloads: what the overloads of all primitives that take a Recorder have in common. It checks
// the types of buffers, and describes which outputs are wanted.
//
// A buffer is a Buffer or DeviceSpan of vkprims/context.hpp, or anything with value_type, size()
// and view(). Each overload states what its elements must be in static_asserts.
/// @ingroup runtime
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "vkprims/device.hpp"

namespace vkprims {

/// Stands for an optional output that is not wanted, in overloads that have a parameter for it.
struct NotWanted {
  /// An element type, so that it can stand where a buffer does.
  using value_type = std::uint32_t;
  /// The empty view.
  BufferView view() const { return {}; }
  /// No elements.
  std::uint64_t size() const { return 0; }
};
/// The argument for an output that is not wanted.
inline constexpr NotWanted not_wanted{};

namespace overloads {

/// The type of a buffer's elements.
template <class B>
using ElementOf = std::remove_cv_t<typename B::value_type>;

/// Whether B is a buffer, and not NotWanted.
template <class B>
inline constexpr bool kIsWanted = !std::is_same_v<B, NotWanted>;

/// Whether T is a number of this kind, and not bool.
template <class T>
constexpr bool is_number(ValueKind kind) {
  return value_kind_of<T>() == kind && !std::is_same_v<T, bool>;
}

/// Whether B holds elements of a vkprims::Type.
template <class B, class T = ElementOf<B>>
inline constexpr bool kIsElement = value_kind_of<T>() != ValueKind::raw &&
                                   !std::is_same_v<T, bool> && (sizeof(T) == 4 || sizeof(T) == 8);

/// Whether the elements of B are those of A: the same type, or numbers of one kind and size.
template <class A, class B, class T = ElementOf<A>, class U = ElementOf<B>>
inline constexpr bool kIsSame =
    !kIsWanted<B> || std::is_same_v<T, U> ||
    (kIsElement<A> && kIsElement<B> && value_kind_of<T>() == value_kind_of<U>() &&
     sizeof(T) == sizeof(U));

/// Whether a buffer may stand for elements of T. The structs of two functions are two types in C++,
/// even if both are made from one in GLSL, so any structs of one size will do.
template <class B, class T, class U = ElementOf<B>>
inline constexpr bool kMayHold = std::is_same_v<U, T> ||
                                 (!std::is_arithmetic_v<T> && !std::is_arithmetic_v<U> &&
                                  sizeof(T) == sizeof(U) && std::is_trivially_copyable_v<U>);

/// Whether B holds unsigned integers of 32 bits.
template <class B, class T = ElementOf<B>>
inline constexpr bool kIsU32 = is_number<T>(ValueKind::unsigned_integer) && sizeof(T) == 4;
/// Whether B holds unsigned integers of 64 bits, or is not wanted.
template <class B, class T = ElementOf<B>>
inline constexpr bool kIsU64 =
    !kIsWanted<B> || (is_number<T>(ValueKind::unsigned_integer) && sizeof(T) == 8);
/// Whether B holds unsigned integers of 32 or 64 bits, or is not wanted.
template <class B>
inline constexpr bool kIsIndex = kIsU32<B> || kIsU64<B>;

/// Whether B holds bytes: integers, bool or std::byte.
template <class B, class T = ElementOf<B>>
inline constexpr bool kIsByte = sizeof(T) == 1 &&
                                (std::is_integral_v<T> || std::is_same_v<T, std::byte>);

/// Whether B holds float or double.
template <class B>
inline constexpr bool kIsFloat =
    kIsElement<B>&& value_kind_of<ElementOf<B>>() == ValueKind::floating;
/// Whether B holds elements of 16 bits, which may represent a shorter floating-point type.
template <class B, class T = ElementOf<B>>
inline constexpr bool kHasBits16 = sizeof(T) == 2 && std::is_trivially_copyable_v<T>;

/// Whether the elements of B have one of these sizes.
template <class B, std::size_t... sizes>
inline constexpr bool kHasSize = ((sizeof(ElementOf<B>) == sizes) || ...);

/// The Type of the elements of B, for use after an assertion that there is one.
template <class B>
constexpr Type element_type() {
  if constexpr (kIsElement<B>) return type_of<ElementOf<B>>();
  return Type::u32;
}
/// The IndexWidth of the elements of B, for use after an assertion that it has one.
template <class B>
constexpr IndexWidth index_width() {
  return sizeof(ElementOf<B>) == 8 ? IndexWidth::u64 : IndexWidth::u32;
}
/// Size of an element of B in bytes.
template <class B>
constexpr std::uint32_t element_bytes() {
  return sizeof(ElementOf<B>);
}

/// The number of segments: one less than the number of offsets.
template <class B>
std::uint64_t segments_of(const B& offsets) {
  return offsets.size() == 0 ? 0 : offsets.size() - 1;
}

/// Records a primitive as a step of `recorder`, with its scratch.
template <auto record, auto scratch, class R, class Desc, class Buffers>
void add_step(R& recorder, const Desc& desc, Buffers buffers) {
  recorder.step(scratch(recorder.device(), desc), [&](VkCommandBuffer cmd, const Scratch& s) {
    buffers.scratch = s;
    return record(cmd, recorder.device(), desc, buffers);
  });
}

/// Throws Error with a sentence, like a record function that refuses its arguments.
template <class R>
void refuse(R& recorder, const char* sentence) {
  recorder.step({}, [&](VkCommandBuffer, const Scratch&) {
    return Status::error(Status::invalid_argument, "%s", sentence);
  });
}

/// Throws Error if out cannot hold the results of an operation, whose type only the descriptor
/// tells.
template <class R>
void check_result(R& recorder, const char* primitive, Type result, Type out, const char* op) {
  if (result == out) return;
  recorder.step({}, [&](VkCommandBuffer, const Scratch&) {
    return Status::error(Status::invalid_argument, "%s: out holds %s, but results of %s are %s",
                         primitive, name_of(out), op, name_of(result));
  });
}

/// An optional buffer; empty unless given.
class OptionalView {
 public:
  /// No buffer.
  OptionalView() = default;
  /// Whether there is a buffer.
  explicit operator bool() const { return view_.address != 0; }
  /// The view of the buffer; empty if there is none.
  const BufferView& view() const { return view_; }
  /// Number of elements; 0 if there is no buffer.
  std::uint64_t size() const { return size_; }

 protected:
  /// The view of `buffer`, whose element type the derived class checks.
  template <class B>
  explicit OptionalView(const B& buffer) : view_(buffer.view()), size_(buffer.size()) {}

 private:
  BufferView view_;
  std::uint64_t size_ = 0;
};

}  // namespace overloads

/// A buffer of one DeviceReport, or none.
struct OptionalReport : overloads::OptionalView {
  /// No buffer.
  OptionalReport() = default;
  /// `buffer` holds one vkprims::DeviceReport.
  template <class B>
  OptionalReport(const B& buffer) : OptionalView(buffer) {  // NOLINT: a buffer is a view
    static_assert(std::is_same_v<overloads::ElementOf<B>, DeviceReport>,
                  "vkprims: a report must be a vkprims::DeviceReport");
  }
};

/// A buffer of one std::uint64_t that receives a number, or none.
struct OptionalNumber : overloads::OptionalView {
  /// No buffer.
  OptionalNumber() = default;
  /// `buffer` holds one std::uint64_t.
  template <class B>
  OptionalNumber(const B& buffer) : OptionalView(buffer) {  // NOLINT: a buffer is a view
    static_assert(overloads::kIsU64<B>, "vkprims: an optional number must be one std::uint64_t");
  }
};

/// A buffer of bits in words of 32, or none.
struct OptionalBits : overloads::OptionalView {
  /// No buffer.
  OptionalBits() = default;
  /// `buffer` holds words of std::uint32_t.
  template <class B>
  OptionalBits(const B& buffer) : OptionalView(buffer) {  // NOLINT: a buffer is a view
    static_assert(overloads::kIsU32<B>, "vkprims: bits must lie in words of std::uint32_t");
  }
};

/// A buffer of elements of type T, or none.
template <class T>
struct OptionalElements : overloads::OptionalView {
  /// No buffer.
  OptionalElements() = default;
  /// `buffer` holds elements of type T.
  template <class B>
  OptionalElements(const B& buffer) : OptionalView(buffer) {  // NOLINT: a buffer is a view
    static_assert(std::is_same_v<overloads::ElementOf<B>, T>,
                  "vkprims: an optional buffer must have the element type of the input");
  }
};

/// A mask of bits in words of 32 or of bytes, or none.
struct OptionalMask : overloads::OptionalView {
  bool bytes = false;  ///< whether the mask has bytes instead of bits
  /// No buffer.
  OptionalMask() = default;
  /// `buffer` holds bytes, or words of std::uint32_t.
  template <class B>
  OptionalMask(const B& buffer)  // NOLINT: a buffer is a view
      : OptionalView(buffer), bytes(overloads::kIsByte<B>) {
    static_assert(overloads::kIsU32<B> || overloads::kIsByte<B>,
                  "vkprims: a mask must be bytes, or bits in words of std::uint32_t");
  }
};

/// A buffer of indices or offsets of either width, or none.
struct OptionalIndices : overloads::OptionalView {
  IndexWidth width = IndexWidth::u32;  ///< width of the elements
  /// No buffer.
  OptionalIndices() = default;
  /// `buffer` holds std::uint32_t or std::uint64_t.
  template <class B>
  OptionalIndices(const B& buffer)  // NOLINT: a buffer is a view
      : OptionalView(buffer), width(overloads::index_width<B>()) {
    static_assert(overloads::kIsIndex<B>,
                  "vkprims: indices and offsets must be std::uint32_t or std::uint64_t");
  }
};

/// The Count that is the value of the first element of `buffer` when the commands run; its max is
/// not given.
template <class B>
Count count_in(const B& buffer) {
  static_assert(overloads::kIsIndex<B>,
                "vkprims: count_in: a count must be std::uint32_t or std::uint64_t");
  return Count::at(buffer.view().address,
                   sizeof(overloads::ElementOf<B>) == 8 ? CountWidth::u64 : CountWidth::u32);
}

}  // namespace vkprims

// The vocabulary of all primitives: element types, operators, views of device memory, counts,
// values.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// Marks functions that may still change between versions.
#define VKPRIMS_EXPERIMENTAL

namespace vkprims {

class Recorder;  // vkprims/context.hpp; headers of primitives offer an overload that takes one

/// Element type of a sequence. u64 and i64 need Features::int64 for arithmetic, f64 needs float64.
enum class Type : std::uint32_t { u32, i32, f32, u64, i64, f64 };

/// Size of one element in bytes; elements are aligned to their size.
constexpr std::uint32_t size_of(Type type) {
  return type == Type::u64 || type == Type::i64 || type == Type::f64 ? 8u : 4u;
}
constexpr const char* name_of(Type type) {
  constexpr const char* names[] = {"u32", "i32", "f32", "u64", "i64", "f64"};
  return static_cast<std::uint32_t>(type) < 6 ? names[static_cast<std::uint32_t>(type)] : "invalid";
}

/// The Type of a C++ arithmetic type.
template <class T>
constexpr Type type_of() {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "vkprims: not an element type");
  constexpr bool wide = sizeof(T) == 8;
  if constexpr (std::is_floating_point_v<T>) return wide ? Type::f64 : Type::f32;
  if constexpr (std::is_signed_v<T>) return wide ? Type::i64 : Type::i32;
  return wide ? Type::u64 : Type::u32;
}

/// Associative operator of a fold or scan, as CUB's and the STL's function objects.
///
/// Integers wrap. add and mul of floats are associative up to rounding only (see Determinism).
/// min and max of floats order -0 below +0 and skip NaN; of NaN alone, or of nothing, they give
/// the identity. bit_* are for integer types only.
///
/// The identity is the fold of nothing: of no elements, of an empty segment or window, of what is before
/// the first element. add 0; mul 1; min the largest value of the type, +infinity of floats; max the
/// smallest one, 0 of unsigned types, -infinity of floats; bit_and all ones; bit_or and bit_xor 0.
enum class Op : std::uint32_t { add, mul, min, max, bit_and, bit_or, bit_xor };

constexpr const char* name_of(Op op) {
  constexpr const char* names[] = {"add", "mul", "min", "max", "bit_and", "bit_or", "bit_xor"};
  return static_cast<std::uint32_t>(op) < 7 ? names[static_cast<std::uint32_t>(op)] : "invalid";
}

/// How reproducible floating-point results must be. Integer results always are, everywhere.
enum class Determinism : std::uint32_t {
  fastest,     ///< may differ from run to run within the stated error bound
  run_to_run,  ///< bit-identical for the same device, driver, tuning, count and alignment
};

/// Which algorithm a primitive uses where it has two.
enum class Schedule : std::uint32_t {
  automatic,   ///< look-back, or multi_pass where Determinism asks for it
  look_back,   ///< one pass over the data: decoupled look-back with fallback
  multi_pass,  ///< reduce-then-scan in several dispatches
};

/// Which way a sort orders. Both are stable: equal keys keep the order that they had.
enum class SortOrder : std::uint32_t { ascending, descending };

/// How floats compare where they are keys: one option, `float_order`, with one default, so that what one
/// primitive leaves is what the next one expects. Both are total orders, in which each element equals itself.
///
/// |                | by_value, the default                    | by_bits                                         |
/// |----------------|------------------------------------------|-------------------------------------------------|
/// | -0 and +0      | equal                                    | -0 is below +0                                  |
/// | NaN            | all equal, whatever their bits           | equal if their bits are                         |
/// |                | last, ascending and descending           | without a sign above +infinity, with one below  |
/// |                |                                          | -infinity; descending the other way round       |
/// | other numbers  | as their values, denormal ones too       | likewise                                        |
///
/// Floats are moved, never changed: bits are kept in both orders. Integers are not concerned.
///
/// | who                                    | what the order decides                                             |
/// |----------------------------------------|--------------------------------------------------------------------|
/// | radix_sort, argsort, segmented_sort    | the order; elements that are equal keep the order that they had    |
/// | top_k                                  | what is taken: by value NaN last, on either side; of equal elements |
/// |                                        | those with the lowest indices                                      |
/// | merge                                  | what a and b are sorted by, and out; of equal elements those of a  |
/// |                                        | come first                                                         |
/// | search                                 | what the haystack is sorted by, and which elements equal a needle:  |
/// |                                        | by value the lower bound of a NaN is the first NaN                 |
/// | unique, run_length_encode,             | which neighbours are equal: these are a run; its first element     |
/// | reduce_by_key, scan_by_key             | stands for it                                                      |
/// | group_by                               | which keys are equal, in which order groups come, and which values |
/// |                                        | are distinct; the key of a group is that of its first row          |
///
/// It has no say where elements are operands and not keys. min and max of Op, arg_reduce, rolling, nearest_smaller
/// and the minima and maxima of group_by have rules of their own, stated there. transform, adjacent_difference and the
/// predicates of select and partition compare as the operators of C++ do: -0 == +0, NaN is unequal to everything.
enum class FloatOrder : std::uint32_t { by_value, by_bits };

/// Largest count that any primitive accepts, in elements.
inline constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 38;

/// A range of device memory by address (VkBufferDeviceAddressInfo). address 0 means "none".
struct BufferView {
  VkDeviceAddress address = 0;
  VkDeviceSize bytes = 0;
};

/// Usage of every buffer whose address is passed to a primitive.
inline constexpr VkBufferUsageFlags kRequiredBufferUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

/// Usage of a buffer that holds Scratch.
inline constexpr VkBufferUsageFlags kScratchBufferUsage =
    kRequiredBufferUsage | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;

/// Temporary memory of one record call. Contents are undefined before and after. Two recordings
/// that may run at the same time must not share it.
struct Scratch {
  VkBuffer buffer = VK_NULL_HANDLE;  ///< usage kScratchBufferUsage
  VkDeviceSize offset = 0;           ///< multiple of ScratchNeed::alignment
  VkDeviceAddress address = 0;       ///< device address of buffer plus offset
  VkDeviceSize bytes = 0;            ///< at least ScratchNeed::bytes
};

/// What a record call needs as Scratch; bytes == 0: none.
struct ScratchNeed {
  VkDeviceSize bytes = 0;
  VkDeviceSize alignment = 16;
};

/// Width of a count that lies in device memory.
enum class CountWidth : std::uint32_t { u32, u64 };

/// Width of the unsigned integers of an index or offset sequence. u64 needs no feature of the device.
enum class IndexWidth : std::uint32_t { u32, u64 };

/// Size of one index in bytes; indices are aligned to their size.
constexpr std::uint32_t size_of(IndexWidth width) { return width == IndexWidth::u64 ? 8u : 4u; }

/// What happens at an index that lies outside of what it points into.
enum class OutOfRange : std::uint32_t {
  unchecked,  ///< undefined: the caller knows that there is none
  skip,       ///< nothing is read or written there
  fill,       ///< a given value is read; for writes as skip
  clamp,      ///< the last element is meant; where there are no elements as skip
};

/// A number of elements: known on the host, or read on the GPU when the commands run.
///
/// With address != 0 kernels read an unsigned integer of the given width there (aligned to its
/// size) and clamp it to max; buffers are sized for max, and time follows the value read.
///
/// A Count that is made of nothing, Count(), is not given: the overloads that take a Recorder know
/// the sizes of their buffers and take all elements, record functions refuse it. Count(0) is no
/// elements at all. Assign a whole Count: 0 assigned to max alone does not give it.
struct Count {
  std::uint64_t max = 0;
  VkDeviceAddress address = 0;
  CountWidth width = CountWidth::u32;
  bool max_given = false;  ///< set by the constructors that take a number

  constexpr Count() = default;
  constexpr Count(std::uint64_t count)  // NOLINT: a plain number is a Count
      : max(count), max_given(true) {}
  constexpr Count(std::uint64_t max_count, VkDeviceAddress at, CountWidth w = CountWidth::u32)
      : max(max_count), address(at), width(w), max_given(true) {}
  /// Read at an address, with a max that is not given: as many elements as there is room for.
  static constexpr Count at(VkDeviceAddress address, CountWidth width = CountWidth::u32) {
    Count count;
    count.address = address;
    count.width = width;
    return count;
  }
  constexpr bool given() const { return max_given || max != 0; }
  /// This count; with max = all if that is not given.
  constexpr Count or_all(std::uint64_t all) const {
    return given() ? *this : Count(all, address, width);
  }
};

/// What the bytes of an element mean; raw: nothing that is known.
enum class ValueKind : std::uint32_t { raw, unsigned_integer, signed_integer, floating };

/// The ValueKind of a C++ type. Structs, and numbers of more than 8 bytes, are raw.
template <class T>
constexpr ValueKind value_kind_of() {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return ValueKind::floating;
  if constexpr (!std::is_integral_v<T> || sizeof(T) > 8) return ValueKind::raw;
  return std::is_signed_v<T> ? ValueKind::signed_integer : ValueKind::unsigned_integer;
}

/// One element of up to 32 bytes, given on the host or read at a device address when the commands
/// run (aligned to its size up to 16). bytes == 0 and address == 0: not given.
///
/// A number on the host is converted to the element type: 1 is 1.0f among floats. One that the type
/// does not hold exactly (0.5 or 2^32 of u32, 2^24 + 1 or 0.1 of f32, unlike 0.1f) is an error of
/// the record function. Structs must have the size of an element, as must what bits() makes.
struct Value {
  std::uint32_t words[8] = {};
  std::uint32_t bytes = 0;
  ValueKind kind = ValueKind::raw;
  VkDeviceAddress address = 0;

  constexpr Value() = default;
  template <class T, class = std::enable_if_t<std::is_trivially_copyable_v<T> && sizeof(T) <= 32 &&
                                              !std::is_same_v<T, Value>>>
  Value(const T& host_value)  // NOLINT: a plain number is a Value
      : bytes(sizeof(T)), kind(value_kind_of<T>()) {
    std::memcpy(words, &host_value, sizeof(T));
  }
  /// The bytes of `element` as they are, whatever the element type.
  template <class T>
  static Value bits(const T& element) {
    Value v(element);
    v.kind = ValueKind::raw;
    return v;
  }
  static Value at(VkDeviceAddress address) {
    Value v;
    v.address = address;
    return v;
  }
  bool given() const { return bytes != 0 || address != 0; }
};

/// Findings that only the GPU can make (an index out of range, a capacity exceeded …). 32 bytes,
/// 8-aligned, in memory of the caller, who zeroes it; primitives that can report take its address.
struct DeviceReport {
  enum Code : std::uint32_t { ok = 0, index_out_of_range = 1, capacity_exceeded = 2 };
  std::uint32_t code = ok;  ///< the largest Code found
  std::uint32_t reserved = 0;
  std::uint64_t count = 0;        ///< how many findings
  std::uint64_t first_index = 0;  ///< an element where one was found: the lowest where stated
  std::uint64_t needed = 0;       ///< the capacity that would have sufficed
};
static_assert(sizeof(DeviceReport) == 32);

}  // namespace vkprims

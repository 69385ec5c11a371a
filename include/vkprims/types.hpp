// Types: element types, operators, views of device memory, counts and values, which all primitives
// share.
/// @ingroup runtime
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <type_traits>

/// Marks functions that may still change between versions.
#define VKPRIMS_EXPERIMENTAL

namespace vkprims {

class Recorder;  // vkprims/context.hpp; the headers of primitives have overloads that take one

/// Element type of a sequence. For arithmetic, u64 and i64 need Features::int64 and f64 needs
/// Features::float64.
enum class Type : std::uint32_t {
  u32,  ///< unsigned integer of 32 bits
  i32,  ///< signed integer of 32 bits
  f32,  ///< float: IEEE binary32
  u64,  ///< unsigned integer of 64 bits
  i64,  ///< signed integer of 64 bits
  f64   ///< double: IEEE binary64
};

/// Size of one element in bytes; elements are aligned to their size.
constexpr std::uint32_t size_of(Type type) {
  return type == Type::u64 || type == Type::i64 || type == Type::f64 ? 8u : 4u;
}
/// The name of an element type, such as "u32"; "invalid" for any other value.
constexpr const char* name_of(Type type) {
  constexpr const char* names[] = {"u32", "i32", "f32", "u64", "i64", "f64"};
  return static_cast<std::uint32_t>(type) < 6 ? names[static_cast<std::uint32_t>(type)] : "invalid";
}

/// The Type of the C++ arithmetic type T.
template <class T>
constexpr Type type_of() {
  static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                "vkprims: not an element type");
  constexpr bool wide = sizeof(T) == 8;
  if constexpr (std::is_floating_point_v<T>) return wide ? Type::f64 : Type::f32;
  if constexpr (std::is_signed_v<T>) return wide ? Type::i64 : Type::i32;
  return wide ? Type::u64 : Type::u32;
}

/// Associative operator of a fold or scan, like the function objects of CUB and the STL.
///
/// Integers wrap. add and mul of floats are associative up to rounding only (see Determinism). min
/// and max of floats order -0 below +0 and skip NaN; if there are only NaN, or no elements, they
/// give the identity. bit_* are for integer types only.
///
/// The identity is the fold of no elements, e.g. of an empty segment or window, or of what is
/// before the first element. It is 0 for add; 1 for mul; for min the largest value of the type,
/// +infinity of floats; for max the smallest value, 0 of unsigned types and -infinity of floats;
/// all ones for bit_and; 0 for bit_or and bit_xor.
enum class Op : std::uint32_t {
  add,      ///< a + b
  mul,      ///< a * b
  min,      ///< the smaller one
  max,      ///< the larger one
  bit_and,  ///< a & b
  bit_or,   ///< a | b
  bit_xor   ///< a ^ b
};

/// The name of an operator, such as "add"; "invalid" for any other value.
constexpr const char* name_of(Op op) {
  constexpr const char* names[] = {"add", "mul", "min", "max", "bit_and", "bit_or", "bit_xor"};
  return static_cast<std::uint32_t>(op) < 7 ? names[static_cast<std::uint32_t>(op)] : "invalid";
}

/// How reproducible floating-point results must be. Integer results are the same on every device.
enum class Determinism : std::uint32_t {
  fastest,  ///< results may differ from run to run within the stated error bound
  /// results are bit-identical for the same device, driver, tuning, count and alignment
  run_to_run,
};

/// Which algorithm a primitive uses where it has two.
enum class Schedule : std::uint32_t {
  automatic,   ///< look_back, or multi_pass where Determinism requires it
  look_back,   ///< one pass over the data: decoupled look-back with fallback
  multi_pass,  ///< reduce-then-scan in several dispatches
};

/// The direction of a sort. Sorts are stable in both directions: equal keys keep their order.
enum class SortOrder : std::uint32_t {
  ascending,  ///< the smallest element comes first
  descending  ///< the largest element comes first
};

/// How floats compare where they are keys. Every primitive has the same option, `float_order`, with
/// the same default, so that the output of one primitive is what the next one expects. Both orders
/// are total, and in both each element equals itself.
///
/// | values        | by_value, the default             | by_bits                                  |
/// |---------------|-----------------------------------|------------------------------------------|
/// | -0 and +0     | equal                             | -0 is below +0                           |
/// | NaN           | all NaN are equal, whatever their | equal if their bits are equal; those     |
/// |               | bits; they come last, ascending   | with a sign are below -infinity, those   |
/// |               | and descending                    | without one above +infinity              |
/// | other numbers | by their values, denormals too    | by their values, denormals too           |
///
/// Floats are moved, never changed: both orders keep their bits. Integers are not affected.
///
/// The order decides the following.
///
/// - radix_sort, argsort, segmented_sort: how out is sorted. Equal elements keep their order.
/// - top_k: which keys are taken. By value, NaN are taken last, on either side. Of equal elements
///   those with the lowest indices are taken.
/// - merge: how a, b and out are sorted. Of equal elements those of a come first.
/// - search: how the haystack is sorted, and which elements equal a needle. By value, the lower
///   bound of a NaN is the first NaN.
/// - unique, run_length_encode, reduce_by_key, scan_by_key: which neighbours are equal and so form
///   a run. The first element of a run stands for it.
/// - group_by: which keys are equal, in which order groups come, and which values are distinct. The
///   key of a group is that of its first row.
///
/// The order does not apply where elements are operands and not keys. min and max of Op,
/// arg_reduce, rolling, nearest_smaller and the minima and maxima of group_by have their own rules,
/// which are stated there. transform, adjacent_difference and the predicates of select and
/// partition compare like the operators of C++: -0 == +0, and NaN is unequal to everything.
enum class FloatOrder : std::uint32_t {
  by_value,  ///< by the numbers that floats represent, with all NaN equal and last
  by_bits    ///< by their bits, a total order in which NaN have places
};

/// Largest number of elements that any primitive accepts.
inline constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 38;

/// A range of device memory by address (VkBufferDeviceAddressInfo). address 0 means "none".
///
/// Primitives use nothing but the address and the size. The buffer is for commands of yours, such
/// as copies, indirect draws and descriptors; view() and the buffers of a Context fill it in, and
/// it may be left out.
struct BufferView {
  VkDeviceAddress address = 0;       ///< device address of the first byte; 0: none
  VkDeviceSize bytes = 0;            ///< size in bytes
  VkBuffer buffer = VK_NULL_HANDLE;  ///< the buffer that the range lies in, if that is known
  VkDeviceSize offset = 0;           ///< of the first byte in the buffer
};

/// Usage flags that every buffer must have whose address is passed to a primitive.
inline constexpr VkBufferUsageFlags kRequiredBufferUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

/// Usage flags that a buffer must have which holds Scratch.
inline constexpr VkBufferUsageFlags kScratchBufferUsage =
    kRequiredBufferUsage | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;

/// Temporary memory of one record call. Its contents need not be initialised and are undefined
/// afterwards. Two recordings that may run at the same time must not share it.
struct Scratch {
  VkBuffer buffer = VK_NULL_HANDLE;  ///< usage kScratchBufferUsage
  VkDeviceSize offset = 0;           ///< multiple of ScratchNeed::alignment
  VkDeviceAddress address = 0;       ///< device address of buffer plus offset
  VkDeviceSize bytes = 0;            ///< at least ScratchNeed::bytes
};

/// The Scratch that a record call needs; with bytes == 0 it needs none.
struct ScratchNeed {
  VkDeviceSize bytes = 0;       ///< size in bytes; 0: none is needed
  VkDeviceSize alignment = 16;  ///< what its address and offset must be multiples of
};

/// What calls need that run one after the other in the same Scratch, with a barrier between any
/// two: the most of what each needs.
constexpr ScratchNeed scratch_max(std::initializer_list<ScratchNeed> needs) {
  ScratchNeed most;
  for (const ScratchNeed& need : needs) {
    most.bytes = need.bytes < most.bytes ? most.bytes : need.bytes;
    most.alignment = need.alignment < most.alignment ? most.alignment : need.alignment;
  }
  return most;
}

/// Width of a count that lies in device memory.
enum class CountWidth : std::uint32_t {
  u32,  ///< 4 bytes
  u64   ///< 8 bytes
};

/// Width of the unsigned integers of an index or offset sequence. u64 needs no feature of the
/// device.
enum class IndexWidth : std::uint32_t {
  u32,  ///< 4 bytes
  u64   ///< 8 bytes
};

/// Size of one index in bytes; indices are aligned to their size.
constexpr std::uint32_t size_of(IndexWidth width) { return width == IndexWidth::u64 ? 8u : 4u; }

/// What happens at an index that is out of range: one of record_gather() or record_scatter(), or a
/// column of record_spmv().
///
/// All three default to unchecked, as Thrust's and libcudf's gather do. Most indices come from
/// primitives such as argsort, whose indices are never out of range, and these should not pay for a
/// comparison each. Choose another policy for indices from elsewhere, such as a file: then no index
/// leads outside the views, and a DeviceReport can count those that are out of range.
enum class OutOfRange : std::uint32_t {
  unchecked,  ///< behaviour is undefined: the caller guarantees that there is none; the default
  skip,       ///< nothing is read or written there
  fill,       ///< a given value is read; writes are skipped
  clamp,      ///< the last element is used; the same as skip if there are no elements
};

/// A number of elements: known on the host, or read on the GPU when the commands run.
///
/// With address != 0, kernels read an unsigned integer of the given width there (aligned to its
/// size) and clamp it to max. Buffers are sized for max, and the run time depends on the value
/// read.
///
/// A default-constructed Count() counts as not given: the overloads that take a Recorder know the
/// sizes of their buffers and then take all elements, while record functions refuse it. Count(0)
/// means no elements at all. Assign a whole Count: assigning 0 to max alone does not make Count(0).
struct Count {
  std::uint64_t max = 0;  ///< the count, or the upper bound of one that is read on the GPU
  /// Where the count is read, a multiple of its size; 0: the count is max.
  VkDeviceAddress address = 0;
  CountWidth width = CountWidth::u32;  ///< width of the count at address
  bool max_given = false;              ///< set by the constructors that take a number

  /// A count that is not given.
  constexpr Count() = default;
  /// A count that is known on the host.
  constexpr Count(std::uint64_t count)  // NOLINT: a plain number is a Count
      : max(count), max_given(true) {}
  /// A count of at most max_count that the kernels read at an address.
  constexpr Count(std::uint64_t max_count, VkDeviceAddress at, CountWidth w = CountWidth::u32)
      : max(max_count), address(at), width(w), max_given(true) {}
  /// A count read at an address, with a max that is not given: the size of the buffers limits it.
  static constexpr Count at(VkDeviceAddress address, CountWidth width = CountWidth::u32) {
    Count count;
    count.address = address;
    count.width = width;
    return count;
  }
  /// Whether a number was given: the count, or the max of one that is read on the GPU.
  constexpr bool given() const { return max_given || max != 0; }
  /// This count, with max = all if max is not given.
  constexpr Count or_all(std::uint64_t all) const {
    return given() ? *this : Count(all, address, width);
  }
};

/// What the bytes of an element mean; raw means that the library does not know.
enum class ValueKind : std::uint32_t {
  raw,               ///< not known: bytes are taken as they are
  unsigned_integer,  ///< of 1, 2, 4 or 8 bytes
  signed_integer,    ///< of 1, 2, 4 or 8 bytes
  floating           ///< float or double
};

/// The ValueKind of a C++ type. Structs, and numbers of more than 8 bytes, are raw.
template <class T>
constexpr ValueKind value_kind_of() {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return ValueKind::floating;
  if constexpr (!std::is_integral_v<T> || sizeof(T) > 8) return ValueKind::raw;
  return std::is_signed_v<T> ? ValueKind::signed_integer : ValueKind::unsigned_integer;
}

/// One element of up to 32 bytes, given on the host or read at a device address when the commands
/// run (aligned to its size, at most to 16). With bytes == 0 and address == 0 it is not given.
///
/// A number on the host is converted to the element type: 1 becomes 1.0f for floats. A number that
/// the type cannot hold exactly (0.5 or 2^32 for u32; 2^24 + 1 or 0.1 for f32, unlike 0.1f) makes
/// the record function fail. A struct, and an element passed to bits(), must have the size of an
/// element.
struct Value {
  std::uint32_t words[8] = {};      ///< the bytes of the element; unused with an address
  std::uint32_t bytes = 0;          ///< size of the element on the host, 0 … 32
  ValueKind kind = ValueKind::raw;  ///< what a number on the host is, so that it can be converted
  VkDeviceAddress address = 0;  ///< where the element is read when the commands run; 0: on the host

  /// A value that is not given.
  constexpr Value() = default;
  /// An element on the host, of at most 32 bytes.
  template <class T, class = std::enable_if_t<std::is_trivially_copyable_v<T> && sizeof(T) <= 32 &&
                                              !std::is_same_v<T, Value>>>
  Value(const T& host_value)  // NOLINT: a plain number is a Value
      : bytes(sizeof(T)), kind(value_kind_of<T>()) {
    std::memcpy(words, &host_value, sizeof(T));
  }
  /// The bytes of `element` without conversion, whatever the element type.
  template <class T>
  static Value bits(const T& element) {
    Value v(element);
    v.kind = ValueKind::raw;
    return v;
  }
  /// An element that the kernels read at an address.
  static Value at(VkDeviceAddress address) {
    Value v;
    v.address = address;
    return v;
  }
  /// Whether there is an element, on the host or at an address.
  bool given() const { return bytes != 0 || address != 0; }
};

/// Errors that only the GPU can detect, such as an index out of range or an exceeded capacity. It
/// has 32 bytes, 8-aligned, in memory of the caller, who zeroes it; primitives that can report take
/// its address.
struct DeviceReport {
  /// What was wrong.
  enum Code : std::uint32_t {
    ok = 0,                  ///< nothing
    index_out_of_range = 1,  ///< an index was not below the number of elements
    capacity_exceeded = 2    ///< there was not room for all results
  };
  std::uint32_t code = ok;        ///< the largest Code reported
  std::uint32_t reserved = 0;     ///< not used
  std::uint64_t count = 0;        ///< number of errors
  std::uint64_t first_index = 0;  ///< an element with an error; the lowest one where that is stated
  std::uint64_t needed = 0;       ///< the capacity that would have been enough
};
static_assert(sizeof(DeviceReport) == 32);

}  // namespace vkprims

// Columns from and to other libraries, through Arrow's C data interface and C device data
// interface. Nothing of Arrow is needed for it. Link vkprims::context.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "vkprims/string_column.hpp"

// The structures of the interface. The guards keep them apart from those of other libraries.
#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_DEVICE_DATA_INTERFACE
#define ARROW_C_DEVICE_DATA_INTERFACE

typedef int32_t ArrowDeviceType;

#define ARROW_DEVICE_CPU 1
#define ARROW_DEVICE_CUDA 2
#define ARROW_DEVICE_CUDA_HOST 3
#define ARROW_DEVICE_OPENCL 4
#define ARROW_DEVICE_VULKAN 7
#define ARROW_DEVICE_METAL 8
#define ARROW_DEVICE_VPI 9
#define ARROW_DEVICE_ROCM 10
#define ARROW_DEVICE_ROCM_HOST 11
#define ARROW_DEVICE_EXT_DEV 12
#define ARROW_DEVICE_CUDA_MANAGED 13
#define ARROW_DEVICE_ONEAPI 14
#define ARROW_DEVICE_WEBGPU 15
#define ARROW_DEVICE_HEXAGON 16

struct ArrowDeviceArray {
  struct ArrowArray array;
  int64_t device_id;
  ArrowDeviceType device_type;
  void* sync_event;
  int64_t reserved[3];
};

#endif  // ARROW_C_DEVICE_DATA_INTERFACE

#ifdef __cplusplus
}
#endif

namespace vkprims {

/// Type of the elements of a FixedColumn; the values are the letters of Arrow's formats.
enum class FixedType : char {
  i8 = 'c',
  u8 = 'C',
  i16 = 's',
  u16 = 'S',
  i32 = 'i',
  u32 = 'I',
  i64 = 'l',
  u64 = 'L',
  f16 = 'e',
  f32 = 'f',
  f64 = 'g',
};

/// Size of one element in bytes; 0: not a FixedType.
constexpr std::uint32_t size_of(FixedType type) {
  switch (type) {
    case FixedType::i8:
    case FixedType::u8:
      return 1;
    case FixedType::i16:
    case FixedType::u16:
    case FixedType::f16:
      return 2;
    case FixedType::i32:
    case FixedType::u32:
    case FixedType::f32:
      return 4;
    case FixedType::i64:
    case FixedType::u64:
    case FixedType::f64:
      return 8;
  }
  return 0;
}

/// Numbers of one size, in memory of a Context. A null row has an element, too, of any value.
///
/// A Buffer of any type becomes `data` by std::move(buffer).as<std::uint8_t>(), and back.
struct FixedColumn {
  FixedType type = FixedType::i32;
  Buffer<std::uint8_t> data;       ///< at least rows * size_of(type) bytes
  Buffer<std::uint32_t> validity;  ///< bits as in BitColumn; empty: no row is null
  std::uint64_t rows = 0;

  BufferView view() const { return {data.address(), rows * size_of(type)}; }
};

/// Strings by their index in a column of distinct ones, in memory of a Context.
struct DictionaryColumn {
  FixedColumn
      indices;  ///< i32 or u32; below dictionary.rows() where not null. Null rows are null here
  StringColumn dictionary;
  bool ordered = false;  ///< the order of the indices means something
};

using Column = std::variant<FixedColumn, BitColumn, StringColumn, DictionaryColumn>;

std::uint64_t rows_of(const Column& column);

/// What a schema says of a column besides its type.
struct Field {
  std::string name;
  bool nullable = true;  ///< rows may be null
};

/// Columns of the same number of rows: Arrow's record batch, which is a struct array without nulls.
struct Batch {
  std::vector<Field> fields;  ///< one per column
  std::vector<Column> columns;
  std::uint64_t rows = 0;
};

/// Copies an array of host memory to the device. Waits.
///
/// | format | column |
/// |---|---|
/// | c C s S i I l L e f g | FixedColumn |
/// | b | BitColumn |
/// | u, U | StringColumn with offsets of 32, of 64 bits |
/// | c C s S i I l L with a dictionary of u or U | DictionaryColumn; its indices become i32 |
/// | +s (batch only) | a column per child; its own null rows are an error |
///
/// A row whose string in the dictionary is null becomes null itself.
/// Row 0 of a column is the row at the array's offset; string offsets start at 0 again. A column
/// has validity only if a row of it is null. Field::nullable is the flag of the schema, and true if
/// a row is null all the same. Metadata are ignored.
///
/// The call takes ownership: however it ends, `array` and `schema` have been released.
///
/// Throws Error: invalid_argument naming the column and what is wrong with it, if a structure has
/// been released already, a number or pointer in it is not what the format asks for, string offsets
/// do not ascend, or an index lies outside its dictionary; unsupported for other formats, more than
/// kMaxStringRows strings, one of more than kMaxStringBytes bytes, and more than kMaxCount rows.
/// The sizes of buffers are not part of the interface: they cannot be checked.
Column import_column(Context& context, ArrowArray& array, ArrowSchema& schema,
                     Field* field = nullptr);
Batch import_batch(Context& context, ArrowArray& array, ArrowSchema& schema);

/// Copies a column or batch to host memory. Waits.
///
/// The formats are those of import. Buffers are aligned to 64 bytes and padded to a multiple of 64
/// with zeros; offset is 0, and null_count is known. `array` and `schema` are overwritten; whoever
/// has them releases them, on any thread, and may move children and dictionaries out of them
/// before. They may outlive the Context.
///
/// Throws Error: invalid_argument if fields, columns and rows of a batch differ, a buffer is too
/// small for its rows, string offsets do not ascend, lead past the bytes or past 2^31 - 1 in 32
/// bits, an index lies outside its dictionary, or a row is null in a field that is not nullable.
/// Nothing has been written then.
void export_column(Context& context, const Column& column, const Field& field, ArrowArray& array,
                   ArrowSchema& schema);
void export_batch(Context& context, const Batch& batch, ArrowArray& array, ArrowSchema& schema);

/// Hands a column or batch over in device memory: nothing is copied. Waits until the GPU is idle.
///
/// Arrow leaves open what a Vulkan buffer is in its interface. Here
///   - buffers[i] is the VkDeviceAddress of its first byte, as a pointer;
///   - device_id is the number of the physical device in the order of vkEnumeratePhysicalDevices,
///     -1 if it is not among them; device_type is ARROW_DEVICE_VULKAN;
///   - sync_event is null: the data are there;
///   - null_count is 0 without validity, else -1.
/// `array` and `schema` are overwritten. The array owns the columns until it is released, which
/// counts as a call of the Context: on the same thread, and before the Context goes.
///
/// Throws Error as the export to the host does for fields, rows and sizes of buffers; the contents
/// are not looked at. The columns stay where they were then.
void export_column(Context& context, Column&& column, const Field& field, ArrowDeviceArray& array,
                   ArrowSchema& schema);
void export_batch(Context& context, Batch&& batch, ArrowDeviceArray& array, ArrowSchema& schema);

/// Takes columns back that were exported from the same Context: nothing is copied.
///
/// `array` and `schema` have been released then. Throws Error and leaves them alone if the array is
/// not one of export_column or export_batch of this Context, children or a dictionary have been
/// moved out of it, it has been sliced, or the schema is that of another type: there is no way yet
/// to tell what a foreign Vulkan array holds.
Column import_column(Context& context, ArrowDeviceArray& array, ArrowSchema& schema,
                     Field* field = nullptr);
Batch import_batch(Context& context, ArrowDeviceArray& array, ArrowSchema& schema);

}  // namespace vkprims

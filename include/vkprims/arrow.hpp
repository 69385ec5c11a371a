// Columns from and to other libraries, through Arrow's C data interface and C device data
// interface. No part of Arrow is needed for this. Link vkprims::context.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "vkprims/string_column.hpp"

// The structures of the interface. The guards are Arrow's, so that other libraries may define the
// same structures.
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

/// Element type of a FixedColumn. The values are the letters of Arrow's formats.
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

/// Numbers of one type, in memory of a Context. Null rows have an element, too, of any value.
///
/// A Buffer of any type becomes `data` by std::move(buffer).as<std::uint8_t>(), and as<T>()
/// converts it back.
struct FixedColumn {
  FixedType type = FixedType::i32;
  Buffer<std::uint8_t> data;       ///< at least rows * size_of(type) bytes
  Buffer<std::uint32_t> validity;  ///< bits as in BitColumn; empty: no row is null
  std::uint64_t rows = 0;

  BufferView view() const { return {data.address(), rows * size_of(type)}; }
};

/// Strings that are given by indices into a column of distinct strings, in memory of a Context.
struct DictionaryColumn {
  /// i32 or u32, below dictionary.rows() where not null. Null rows of the column have null indices.
  FixedColumn indices;
  StringColumn dictionary;
  bool ordered = false;  ///< the order of the indices has a meaning
};

using Column = std::variant<FixedColumn, BitColumn, StringColumn, DictionaryColumn>;

std::uint64_t rows_of(const Column& column);

/// What a schema says about a column besides its type.
struct Field {
  std::string name;
  bool nullable = true;  ///< rows may be null
};

/// Columns with the same number of rows: Arrow's record batch, which is a struct array without
/// nulls.
struct Batch {
  std::vector<Field> fields;  ///< one per column
  std::vector<Column> columns;
  std::uint64_t rows = 0;
};

/// Copies an array from host memory to the device. Waits.
///
/// | format | column |
/// |---|---|
/// | c C s S i I l L e f g | FixedColumn |
/// | b | BitColumn |
/// | u, U | StringColumn with offsets of 32, of 64 bits |
/// | c C s S i I l L with a dictionary of u or U | DictionaryColumn; its indices become i32 |
/// | +s (batch only) | a column per child; its own null rows are an error |
///
/// A row whose string in the dictionary is null becomes null itself. Row 0 of a column is the row
/// at the array's offset; string offsets start at 0 again. A column has validity only if one of its
/// rows is null. Field::nullable is the flag of the schema, or true if a row is null in spite of
/// the flag. Metadata are ignored.
///
/// The call takes ownership: `array` and `schema` have been released afterwards, also if it throws.
///
/// Throws Error with invalid_argument, naming the column and what is wrong with it, if a structure
/// has been released already, a number or pointer in it does not fit the format, string offsets do
/// not ascend, or an index lies outside its dictionary. Throws Error with unsupported for other
/// formats, for more than kMaxStringRows strings, for a string of more than kMaxStringBytes bytes,
/// and for more than kMaxCount rows. The sizes of buffers are not part of the interface and cannot
/// be checked.
Column import_column(Context& context, ArrowArray& array, ArrowSchema& schema,
                     Field* field = nullptr);
Batch import_batch(Context& context, ArrowArray& array, ArrowSchema& schema);

/// Copies a column or batch to host memory. Waits.
///
/// The formats are those of the import. Buffers are aligned to 64 bytes and padded with zeros to a
/// multiple of 64; offset is 0, and null_count is known. `array` and `schema` are overwritten.
/// Whoever owns them releases them, on any thread, and may move children and dictionaries out of
/// them before. They may outlive the Context.
///
/// Throws Error with invalid_argument if fields, columns and rows of a batch differ, a buffer is
/// too small for its rows, string offsets do not ascend, lead past the bytes or past 2^31 - 1 in 32
/// bits, an index lies outside its dictionary, or a row is null in a field that is not nullable.
/// Nothing has been written then.
void export_column(Context& context, const Column& column, const Field& field, ArrowArray& array,
                   ArrowSchema& schema);
void export_batch(Context& context, const Batch& batch, ArrowArray& array, ArrowSchema& schema);

/// Hands over a column or batch in device memory without copying. Waits until the GPU is idle.
///
/// Arrow does not define what a Vulkan buffer is in its interface. Here
///   - buffers[i] is the VkDeviceAddress of its first byte, as a pointer;
///   - device_id is the number of the physical device in the order of vkEnumeratePhysicalDevices,
///     -1 if it is not among them; device_type is ARROW_DEVICE_VULKAN;
///   - sync_event is null: the data are there;
///   - null_count is 0 without validity, else -1.
/// `array` and `schema` are overwritten. The array owns the columns until it is released. The
/// release counts as a call of the Context: it must happen on the same thread, and before the
/// Context is destroyed.
///
/// Throws Error for fields, rows and sizes of buffers as the export to the host does; the contents
/// are not checked. After an error the columns are unchanged.
void export_column(Context& context, Column&& column, const Field& field, ArrowDeviceArray& array,
                   ArrowSchema& schema);
void export_batch(Context& context, Batch&& batch, ArrowDeviceArray& array, ArrowSchema& schema);

/// Takes back columns that were exported from the same Context, without copying.
///
/// `array` and `schema` are released on success. Throws Error and leaves them unchanged if the
/// array was not made by export_column() or export_batch() of this Context, if children or a
/// dictionary have been moved out of it, if it has been sliced, or if the schema is that of another
/// type: what a foreign Vulkan array holds cannot be told yet.
Column import_column(Context& context, ArrowDeviceArray& array, ArrowSchema& schema,
                     Field* field = nullptr);
Batch import_batch(Context& context, ArrowDeviceArray& array, ArrowSchema& schema);

}  // namespace vkprims

// Arrow: columns from and to other libraries, through Arrow's C data interface and C device data
// interface. No part of Arrow is needed for this. Link vkprims::context.
/// @ingroup arrow
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
/// The structures of the C data interface are defined.
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1  ///< the order of the indices has a meaning
#define ARROW_FLAG_NULLABLE 2            ///< rows may be null
#define ARROW_FLAG_MAP_KEYS_SORTED 4     ///< keys of maps are sorted

/// Arrow's description of the type of a column or batch.
struct ArrowSchema {
  const char* format;                    ///< the type, in letters that Arrow defines
  const char* name;                      ///< name of the column, or null
  const char* metadata;                  ///< keys and values in a binary form of Arrow, or null
  int64_t flags;                         ///< ARROW_FLAG_DICTIONARY_ORDERED and others
  int64_t n_children;                    ///< number of children
  struct ArrowSchema** children;         ///< the schemas of the children
  struct ArrowSchema* dictionary;        ///< the schema of the dictionary, or null
  void (*release)(struct ArrowSchema*);  ///< gives it back; null once it has been released
  void* private_data;                    ///< for whoever made the schema
};

/// Arrow's description of the data of a column or batch in host memory.
struct ArrowArray {
  int64_t length;                       ///< number of rows
  int64_t null_count;                   ///< number of null rows; -1: not known
  int64_t offset;                       ///< number of the first row in the buffers
  int64_t n_buffers;                    ///< number of buffers
  int64_t n_children;                   ///< number of children
  const void** buffers;                 ///< validity first, then what the format says
  struct ArrowArray** children;         ///< the arrays of the children
  struct ArrowArray* dictionary;        ///< the array of the dictionary, or null
  void (*release)(struct ArrowArray*);  ///< gives it back; null once it has been released
  void* private_data;                   ///< for whoever made the array
};

#endif  // ARROW_C_DATA_INTERFACE

#ifndef ARROW_C_DEVICE_DATA_INTERFACE
/// The structures of the C device data interface are defined.
#define ARROW_C_DEVICE_DATA_INTERFACE

/// The kind of a device: ARROW_DEVICE_CPU and so on.
typedef int32_t ArrowDeviceType;

#define ARROW_DEVICE_CPU 1            ///< host memory
#define ARROW_DEVICE_CUDA 2           ///< memory of CUDA
#define ARROW_DEVICE_CUDA_HOST 3      ///< host memory that CUDA has pinned
#define ARROW_DEVICE_OPENCL 4         ///< memory of OpenCL
#define ARROW_DEVICE_VULKAN 7         ///< a VkBuffer: here its VkDeviceAddress
#define ARROW_DEVICE_METAL 8          ///< memory of Metal
#define ARROW_DEVICE_VPI 9            ///< a Verilog simulator
#define ARROW_DEVICE_ROCM 10          ///< memory of ROCm
#define ARROW_DEVICE_ROCM_HOST 11     ///< host memory that ROCm has pinned
#define ARROW_DEVICE_EXT_DEV 12       ///< a device outside of this list
#define ARROW_DEVICE_CUDA_MANAGED 13  ///< managed memory of CUDA
#define ARROW_DEVICE_ONEAPI 14        ///< unified shared memory of oneAPI
#define ARROW_DEVICE_WEBGPU 15        ///< memory of WebGPU
#define ARROW_DEVICE_HEXAGON 16       ///< memory of Hexagon

/// Arrow's description of data in the memory of a device.
struct ArrowDeviceArray {
  struct ArrowArray array;      ///< the data, with buffers in that memory
  int64_t device_id;            ///< number of the device, or -1
  ArrowDeviceType device_type;  ///< ARROW_DEVICE_VULKAN or another
  void* sync_event;             ///< what to wait for before reading; null: nothing
  int64_t reserved[3];          ///< zeros
};

#endif  // ARROW_C_DEVICE_DATA_INTERFACE

#ifdef __cplusplus
}
#endif

namespace vkprims {

/// Element type of a FixedColumn. The values are the letters of Arrow's formats.
enum class FixedType : char {
  i8 = 'c',   ///< signed, 1 byte
  u8 = 'C',   ///< unsigned, 1 byte
  i16 = 's',  ///< signed, 2 bytes
  u16 = 'S',  ///< unsigned, 2 bytes
  i32 = 'i',  ///< signed, 4 bytes
  u32 = 'I',  ///< unsigned, 4 bytes
  i64 = 'l',  ///< signed, 8 bytes
  u64 = 'L',  ///< unsigned, 8 bytes
  f16 = 'e',  ///< IEEE binary16
  f32 = 'f',  ///< IEEE binary32
  f64 = 'g',  ///< IEEE binary64
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
  FixedType type = FixedType::i32;  ///< type of the elements
  Buffer<std::uint8_t> data;        ///< at least rows * size_of(type) bytes
  Buffer<std::uint32_t> validity;   ///< bits as in BitColumn; empty: no row is null
  std::uint64_t rows = 0;           ///< number of rows

  /// The elements as record functions take them.
  BufferView view() const { return {data.address(), rows * size_of(type)}; }
};

/// Strings that are given by indices into a column of distinct strings, in memory of a Context.
struct DictionaryColumn {
  /// i32 or u32, below dictionary.rows() where not null. Null rows of the column have null indices.
  FixedColumn indices;
  StringColumn dictionary;  ///< the strings that the indices stand for
  bool ordered = false;     ///< the order of the indices has a meaning
};

/// A column of any type that the interface can carry.
using Column = std::variant<FixedColumn, BitColumn, StringColumn, DictionaryColumn>;

/// Number of rows of a column.
std::uint64_t rows_of(const Column& column);

/// What a schema says about a column besides its type.
struct Field {
  std::string name;      ///< name of the column, in UTF-8
  bool nullable = true;  ///< rows may be null
};

/// Columns with the same number of rows: Arrow's record batch, which is a struct array without
/// nulls.
struct Batch {
  std::vector<Field> fields;    ///< one per column
  std::vector<Column> columns;  ///< columns of `rows` rows each
  std::uint64_t rows = 0;       ///< number of rows
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
/// Copies a struct array to the device as a batch, in the same way. Waits.
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
/// Copies a batch to host memory, in the same way. Waits.
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
/// Hands over a batch in device memory, in the same way. Waits until the GPU is idle.
void export_batch(Context& context, Batch&& batch, ArrowDeviceArray& array, ArrowSchema& schema);

/// Takes back columns that were exported from the same Context, without copying.
///
/// `array` and `schema` are released on success. Throws Error and leaves them unchanged if the
/// array was not made by export_column() or export_batch() of this Context, if children or a
/// dictionary have been moved out of it, if it has been sliced, or if the schema is that of another
/// type: what a foreign Vulkan array holds cannot be told yet.
Column import_column(Context& context, ArrowDeviceArray& array, ArrowSchema& schema,
                     Field* field = nullptr);
/// Takes back a batch, in the same way.
Batch import_batch(Context& context, ArrowDeviceArray& array, ArrowSchema& schema);

}  // namespace vkprims

// What the import and the export of Arrow arrays share: formats, schemas, errors, bits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vkprims/arrow.hpp"

namespace vkprims::arrow {

/// A column as an ArrowSchema describes it.
struct Layout {
  Field field;
  char format = 0;             // format of the rows; with a dictionary, of the indices
  char dictionary_format = 0;  // 'u' or 'U'; 0: no dictionary
  bool ordered = false;
};

/// Throws Error naming the column.
[[noreturn]] void refuse(Status::Code code, const std::string& name, const std::string& what);

constexpr bool is_strings(char format) { return format == 'u' || format == 'U'; }
/// Bytes of an element of a FixedColumn; 0 for other formats.
constexpr std::uint32_t element_bytes(char format) {
  return size_of(static_cast<FixedType>(format));
}
/// The number of buffers of an array: validity, then those that hold the rows.
constexpr std::int64_t buffer_count(char format) { return is_strings(format) ? 3 : 2; }

/// The layout that a schema describes. Throws Error if it is none that can be imported.
Layout layout_of(const ArrowSchema& schema);
/// The layouts of all children of a record batch's schema.
std::vector<Layout> batch_layouts_of(const ArrowSchema& schema);
Layout layout_of(const Column& column, const Field& field);

/// These write schemas that own themselves.
void write_schema(const Layout& layout, ArrowSchema& out);
void write_batch_schema(const std::vector<Layout>& layouts, ArrowSchema& out);

/// The validity of a column's rows.
const Buffer<std::uint32_t>& validity_of(const Column& column);
/// Throws Error if a buffer is too small for its rows, or if a type is none that a column may have.
void check_column(const Column& column, const std::string& name);
/// The layouts of a batch. Throws Error if fields, columns and rows do not match, and where
/// check_column() does.
std::vector<Layout> check_batch(const Batch& batch);

/// The private data of an exported ArrowArray; a derived class owns the buffers.
struct ArrayOwner {
  ArrayOwner() = default;
  ArrayOwner(const ArrayOwner&) = delete;
  virtual ~ArrayOwner();  // releases the children and the dictionary that are still here

  const void* buffers[3] = {};
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  ArrowArray dictionary{};
};

/// Sizes of an array whose pointers come from its owner.
struct ArraySizes {
  std::uint64_t rows = 0;
  std::int64_t null_count = 0;
  std::int64_t buffers = 0;
};

/// Fills `out`, which owns `owner` until `release` is called.
void hand_over(std::unique_ptr<ArrayOwner> owner, const ArraySizes& sizes,
               void (*release)(ArrowArray*), ArrowArray& out) noexcept;

/// Whether the buffers of an array are device addresses, as far as that can be known.
bool is_in_device_memory(const ArrowArray& array);

/// Releases a structure of the interface at the end of a scope, unless it has been released before.
template <class T>
class ReleaseAtEnd {
 public:
  explicit ReleaseAtEnd(T& structure) : structure_(structure) {}
  ReleaseAtEnd(const ReleaseAtEnd&) = delete;
  ~ReleaseAtEnd() {
    if (structure_.release) structure_.release(&structure_);
  }

 private:
  T& structure_;
};

}  // namespace vkprims::arrow

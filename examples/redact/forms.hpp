// Five ways to redact names, on the GPU.
//
// Of a name and its visibility, b to e make
//   null                      if one of them is null;
//   X X                       if the visibility is not "public", exactly that;
//   initial, space, first     otherwise. The name is split at its first 0x20: what is before it is the first part, all
//                             that is behind it the second. Without one, both parts are the whole name. The initial is
//                             the first character of the second part, none if that is empty. A character goes on up to
//                             the next byte that is not 10xxxxxx, for at most 4 bytes. Nothing is stripped.
// a is five operations of the library, one after the other, and agrees on names of two words with a space between and
// on visibilities "public" and "private". Otherwise each operation does what it does:
//   a visibility is public if it contains "public"; a null one is not, and the name is shown as X X
//   a name that is not public becomes X X even if it is null
//   bytes up to 0x20 are whitespace; runs of it separate words, and count for nothing at the ends of a name
//   a name of fewer than two words becomes null
//   the initial of bytes that are not UTF-8 may be longer than 4 bytes
#pragma once

#include <memory>

#include "heap.hpp"
#include "vkprims/strings.hpp"

namespace redact {

/// Two columns of as many rows.
struct Input {
  const vkprims::StringColumn& names;
  const vkprims::StringColumn& visibilities;
  /// Room for bytes of the result: what is above that is left out. 0: for whatever may come.
  std::uint64_t most_bytes = 0;

  /// A name without a space, behind its initial.
  std::uint64_t byte_bound() const { return names.byte_bound() + 5 * names.rows(); }
  std::uint64_t room() const { return most_bytes ? most_bytes : byte_bound(); }
};

/// a: contains, copy_if_else, split, slice, concatenate.
vkprims::StringColumn by_chain(vkprims::Recorder& r, const Input& in);

/// Rows that lie anywhere: what b and c have before there is a column.
struct Pieces {
  vkprims::Buffer<std::uint32_t> table, memory;
  std::uint64_t rows = 0;
  bool nullable = false;
};

/// The kernels of b to e.
class Forms {
 public:
  explicit Forms(const vkprims::Context& context);
  ~Forms();

  /// b: memory for each row from a heap, which it then goes back to. Where the heap has no block, the row is null and
  /// Heap::use() says so. What is recorded with one heap must not run at the same time.
  vkprims::StringColumn by_heap(vkprims::Recorder& r, const Input& in, const Heap& heap) const;
  /// … in its parts.
  Pieces allocate(vkprims::Recorder& r, const Input& in, const Heap& heap) const;
  vkprims::StringColumn make_column(vkprims::Recorder& r, const Pieces& pieces,
                                    std::uint64_t room) const;
  void free(vkprims::Recorder& r, const Pieces& pieces, const Heap& heap) const;

  /// c: a slot for each row, as large as it can need.
  vkprims::StringColumn by_slots(vkprims::Recorder& r, const Input& in) const;

  /// d: sizes and their scan, then bytes (Schedule::multi_pass). e: both at once (Schedule::look_back).
  vkprims::StringColumn by_rope(vkprims::Recorder& r, const Input& in,
                                vkprims::Schedule schedule) const;
  /// … for record_rope(), with names as a and visibilities as b.
  static vkprims::strings::RopeDesc rope_desc(const vkprims::StringColumn& names,
                                              vkprims::Schedule schedule);

 private:
  struct Kernels;
  std::unique_ptr<Kernels> kernels_;
};

}  // namespace redact

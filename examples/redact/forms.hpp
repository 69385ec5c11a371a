// Five ways to redact names, on the GPU.
//
// Forms b to e make one of these results from a name and its visibility:
//   null                      if one of them is null;
//   X X                       if the visibility is not exactly "public";
//   initial, space, first     otherwise.
//
// The name is split at its first 0x20: what comes before it is the first part, all that comes after
// it the second. Without 0x20 both parts are the whole name. The initial is the first character of
// the second part; there is none if that is empty. A character goes on up to the next byte that is
// not 10xxxxxx, for at most 4 bytes. Nothing is stripped.
//
// Form a is five operations of the library, one after another. It agrees with the others on names
// of two words with a space between them and on the visibilities "public" and "private". Otherwise
// each operation does what it does:
//   a visibility is public if it contains "public"; if it is null, the name becomes X X;
//   a name that is not public becomes X X even if it is null;
//   bytes up to 0x20 are whitespace: runs of it separate words and are ignored at a name's ends;
//   a name of fewer than two words becomes null;
//   the initial of bytes that are not UTF-8 may be longer than 4 bytes.
#pragma once

#include <memory>

#include "heap.hpp"
#include "vkprims/strings.hpp"

namespace redact {

/// Two columns of as many rows.
struct Input {
  const vkprims::StringColumn& names;
  const vkprims::StringColumn& visibilities;
  /// Room for bytes of the result; what exceeds it is left out. 0: room for any result.
  std::uint64_t most_bytes = 0;

  /// The longest result is that of a name without a space, which follows its initial.
  std::uint64_t byte_bound() const { return names.byte_bound() + 5 * names.rows(); }
  bool nullable() const { return names.nullable() || visibilities.nullable(); }
  std::uint64_t room() const { return most_bytes ? most_bytes : byte_bound(); }
};

/// Form a: contains, copy_if_else, split, slice, concatenate.
vkprims::StringColumn by_chain(vkprims::Recorder& r, const Input& in);

/// Rows that may lie anywhere: what forms b and c have before there is a column.
struct Pieces {
  vkprims::Buffer<std::uint32_t> table, memory;
  std::uint64_t rows = 0;
  bool nullable = false;
};

/// The kernels of forms b to e.
class Forms {
 public:
  explicit Forms(const vkprims::Context& context);
  ~Forms();

  /// Form b takes memory for each row from a heap and gives it back afterwards. If the heap has no
  /// block, the row is null and Heap::use() says so. Steps that are recorded with one heap must not
  /// run at the same time.
  vkprims::StringColumn by_heap(vkprims::Recorder& r, const Input& in, const Heap& heap) const;
  /// These are the parts of by_heap().
  Pieces allocate(vkprims::Recorder& r, const Input& in, const Heap& heap) const;
  vkprims::StringColumn make_column(vkprims::Recorder& r, const Pieces& pieces,
                                    std::uint64_t room) const;
  void free(vkprims::Recorder& r, const Pieces& pieces, const Heap& heap) const;

  /// Form c has a slot for each row, as large as the row can need.
  vkprims::StringColumn by_slots(vkprims::Recorder& r, const Input& in) const;

  /// Form d computes sizes and their scan, then bytes (Schedule::multi_pass). Form e does both at
  /// once (Schedule::look_back).
  vkprims::StringColumn by_rope(vkprims::Recorder& r, const Input& in,
                                vkprims::Schedule schedule) const;
  /// The descriptor for record_rope(), with names as a and visibilities as b.
  static vkprims::strings::RopeDesc rope_desc(const vkprims::StringColumn& names,
                                              vkprims::Schedule schedule);

 private:
  struct Kernels;
  std::unique_ptr<Kernels> kernels_;
};

}  // namespace redact

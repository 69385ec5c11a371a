// Forms b and c: kernels of the program's own that write rows anywhere, and a string kernel that
// makes a column of them.
#include "../kernel.hpp"
#include "forms.hpp"
#include "redact.abi.h"
#include "redact_forms/pieces.hpp"
#include "spirv/allocate.hpp"
#include "spirv/free.hpp"
#include "spirv/slots.hpp"

namespace redact {

using namespace vkprims;

namespace {

VkpU64 halves(std::uint64_t x) { return {static_cast<uint>(x), static_cast<uint>(x >> 32)}; }

VkpStrings column_of(const StringColumn& column) {
  const StringColumnView view = column.view();
  return {.offsets = halves(view.offsets.address),
          .chars = halves(view.chars.address),
          .validity = halves(view.validity.address),
          .bytes = halves(view.chars.bytes),
          .first_bit = view.first_bit,
          .wide = view.offset_width == IndexWidth::u64};
}

void check(const Input& in) {
  if (in.names.rows() == in.visibilities.rows()) return;
  throw Error(Status::error(Status::invalid_argument,
                            "redact: there are %llu names, %llu are shown or not",
                            static_cast<unsigned long long>(in.names.rows()),
                            static_cast<unsigned long long>(in.visibilities.rows())));
}

Pieces room_for_pieces(Recorder& r, const Input& in) {
  const std::uint64_t rows = in.names.rows();
  return {.table = r.allocate<std::uint32_t>(rows * sizeof(Piece) / 4), .rows = rows};
}

RedactPush push_of(const Input& in, const Pieces& pieces, VkDeviceAddress memory) {
  return {.names = column_of(in.names),
          .visibilities = column_of(in.visibilities),
          .pieces = halves(pieces.table.address()),
          .memory = halves(memory),
          .rows = static_cast<uint>(pieces.rows)};
}

}  // namespace

struct Forms::Kernels {
  using Kernel = examples::Kernel<RedactPush>;
  Kernel allocate, free, slots;
};

Forms::Forms(const Context& context)
    : kernels_(new Kernels{
          {context, spirv::allocate}, {context, spirv::free}, {context, spirv::slots}}) {}
Forms::~Forms() = default;

Pieces Forms::allocate(Recorder& r, const Input& in, const Heap& heap) const {
  check(in);
  Pieces pieces = room_for_pieces(r, in);
  pieces.nullable = true;  // a row is null if there is no memory for it
  kernels_->allocate.run(r, push_of(in, pieces, heap.address()), pieces.rows);
  return pieces;
}

StringColumn Forms::make_column(Recorder& r, const Pieces& pieces, std::uint64_t room) const {
  return pieces::make(r, {.rows = pieces.rows}, {}, room, pieces.nullable, pieces.table.view());
}

void Forms::free(Recorder& r, const Pieces& pieces, const Heap& heap) const {
  kernels_->free.run(r,
                     {.pieces = halves(pieces.table.address()),
                      .memory = halves(heap.address()),
                      .rows = static_cast<uint>(pieces.rows)},
                     pieces.rows);
}

StringColumn Forms::by_heap(Recorder& r, const Input& in, const Heap& heap) const {
  const Pieces pieces = allocate(r, in, heap);
  StringColumn result = make_column(r, pieces, in.room());
  free(r, pieces, heap);
  return result;
}

StringColumn Forms::by_slots(Recorder& r, const Input& in) const {
  check(in);
  Pieces pieces = room_for_pieces(r, in);
  pieces.nullable = in.nullable();
  pieces.memory = r.allocate<std::uint32_t>((in.names.chars().size() + 8 * pieces.rows + 3) / 4);
  kernels_->slots.run(r, push_of(in, pieces, pieces.memory.address()), pieces.rows);
  return make_column(r, pieces, in.room());
}

}  // namespace redact

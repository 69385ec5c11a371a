#include "forms.hpp"

#include "../kernel.hpp"
#include "redact.abi.h"
#include "redact_forms/pieces.hpp"
#include "redact_forms/rope.hpp"
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

// Whether names are so short that rows are made in registers.
bool is_short(const StringColumn& names) { return names.row_bytes() <= 24; }

bool nullable(const Input& in) { return in.names.nullable() || in.visibilities.nullable(); }

}  // namespace

StringColumn by_chain(Recorder& r, const Input& in) {
  const StringColumn &names = in.names, &vis = in.visibilities;
  auto allowed = strings::contains(r, vis, "public");  // bits
  auto redacted = strings::copy_if_else(r, names, "X X", allowed);
  auto parts = strings::split(r, redacted, {.max_columns = 2});  // whitespace
  auto initial = strings::slice(r, parts[1], {.start = 0, .stop = 1});
  auto result = strings::concatenate(r, {initial, parts[0]}, {.separator = " "});
  return result;
}

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
  pieces.nullable = nullable(in);
  pieces.memory = r.allocate<std::uint32_t>((in.names.chars().size() + 8 * pieces.rows + 3) / 4);
  kernels_->slots.run(r, push_of(in, pieces, pieces.memory.address()), pieces.rows);
  return make_column(r, pieces, in.room());
}

strings::RopeDesc Forms::rope_desc(const StringColumn& names, Schedule schedule) {
  return {.kernel = is_short(names) ? rope::short_kernel : rope::kernel,
          .rows = names.rows(),
          .columns = 2,
          .text = "X X",
          .more_text = " ",
          .row_bytes = names.row_bytes() / 2 + 1,  // half of a name, and an initial
          .schedule = schedule};
}

StringColumn Forms::by_rope(Recorder& r, const Input& in, Schedule schedule) const {
  return strings::rope(r, rope_desc(in.names, schedule), {.a = &in.names, .b = &in.visibilities},
                       in.room(), nullable(in));
}

}  // namespace redact

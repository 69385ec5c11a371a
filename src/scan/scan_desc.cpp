#include "scan/scan_desc.hpp"

#include "blocks/operators.hpp"
#include "runtime/validate.hpp"
#include "vkprims/device/scan.h"

namespace vkprims {
namespace {

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

bool rounds(const ScanDesc& desc) {
  return is_float(desc.type) && (desc.op == Op::add || desc.op == Op::mul);
}

}  // namespace

std::uint32_t input_size(const ScanDesc& desc) {
  if (desc.input == ScanInput::u8) return 1;
  return desc.input == ScanInput::u16 ? 2 : size_of(desc.type);
}

Status check_scan_desc(const char* primitive, const DeviceState& state, const ScanDesc& desc) {
  VKPRIMS_TRY(check_type(primitive, state, desc.type));
  VKPRIMS_TRY(check_op(primitive, desc.type, desc.op));
  VKPRIMS_TRY(check_count(primitive, desc.count));
  VKPRIMS_TRY(check_enum(primitive, "kind", desc.kind, ScanKind::inclusive));
  VKPRIMS_TRY(check_enum(primitive, "input", desc.input, ScanInput::u16));
  VKPRIMS_TRY(check_enum(primitive, "schedule", desc.schedule, Schedule::multi_pass));
  VKPRIMS_TRY(check_enum(primitive, "determinism", desc.determinism, Determinism::run_to_run));
  if (desc.input != ScanInput::as_type && is_float(desc.type)) {
    return Status::error(Status::invalid_argument,
                         "%s: input is %s, which is for integer types, not for %s", primitive,
                         desc.input == ScanInput::u8 ? "u8" : "u16", name_of(desc.type));
  }
  if (desc.schedule == Schedule::look_back && desc.determinism == Determinism::run_to_run &&
      rounds(desc)) {
    return Status::error(Status::invalid_argument,
                         "%s: schedule is look_back, which is not run_to_run for %s %s; "
                         "automatic and multi_pass are",
                         primitive, name_of(desc.type), name_of(desc.op));
  }
  return check_value(primitive, "initial", desc.initial, desc.type);
}

ScanPath scan_path(const Tuning& tuning, const ScanDesc& desc) {
  if (desc.schedule == Schedule::automatic &&
      desc.count.max <= tuning.single_scan_bytes / size_of(desc.type)) {
    return ScanPath::one_group;
  }
  const bool is_multi_pass = desc.schedule == Schedule::multi_pass ||
                             (desc.determinism == Determinism::run_to_run && rounds(desc));
  return is_multi_pass ? ScanPath::multi_pass : ScanPath::look_back;
}

Specialization scan_specialization(const ScanDesc& desc, const ScanTile& tile, std::uint32_t rows,
                                   bool aligned) {
  Specialization constants{.workgroup_size = tile.workgroup_size,
                           .rows = rows,
                           .row_words = aligned ? 4u : 1u,
                           .op = fold_operator(desc.type, desc.op)};
  return constants.set(VKP_SCAN_SPEC_INCLUSIVE, desc.kind == ScanKind::inclusive)
      .set(VKP_SCAN_SPEC_COMMUTES, 1)  // all of vkprims::Op commute
      .set(VKP_SCAN_SPEC_BATCHES, tile.batches);
}

}  // namespace vkprims

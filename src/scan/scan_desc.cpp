#include "scan/scan_desc.hpp"

#include "blocks/operators.hpp"
#include "runtime/validate.hpp"
#include "vkprims/device/scan.h"

namespace vkprims {
namespace {

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

}  // namespace

std::uint32_t input_size(const ScanDesc& desc) {
  if (desc.own) return desc.own->in_bytes;
  if (desc.input == ScanInput::u8) return 1;
  return desc.input == ScanInput::u16 ? 2 : size_of(desc.type);
}

std::uint32_t output_size(const ScanDesc& desc) {
  return desc.own ? desc.own->out_bytes : size_of(desc.type);
}

std::uint32_t input_alignment(const ScanDesc& desc) {
  return desc.own ? Monoid::alignment(desc.own->in_bytes) : input_size(desc);
}

std::uint32_t output_alignment(const ScanDesc& desc) {
  return desc.own ? Monoid::alignment(desc.own->out_bytes) : size_of(desc.type);
}

Status check_scan_desc(const char* primitive, const DeviceState& state, const ScanDesc& desc) {
  VKPRIMS_TRY(check_fold(primitive, state, fold_of(desc)));
  VKPRIMS_TRY(check_count(primitive, desc.count));
  VKPRIMS_TRY(check_enum(primitive, "kind", desc.kind, ScanKind::inclusive));
  VKPRIMS_TRY(check_enum(primitive, "input", desc.input, ScanInput::u16));
  VKPRIMS_TRY(check_enum(primitive, "schedule", desc.schedule, Schedule::multi_pass));
  VKPRIMS_TRY(check_enum(primitive, "determinism", desc.determinism, Determinism::run_to_run));
  if (desc.input != ScanInput::as_type && desc.own) {
    return Status::error(Status::invalid_argument,
                         "%s: input is given with monoid %s, whose vkp_load() says what it is",
                         primitive, desc.own->name);
  }
  if (desc.input != ScanInput::as_type && is_float(desc.type)) {
    return Status::error(Status::invalid_argument,
                         "%s: input is %s, which is for integer types, not for %s", primitive,
                         desc.input == ScanInput::u8 ? "u8" : "u16", name_of(desc.type));
  }
  if (desc.schedule == Schedule::look_back && desc.determinism == Determinism::run_to_run &&
      fold_of(desc).rounds()) {
    return Status::error(Status::invalid_argument,
                         "%s: schedule is look_back, which is not run_to_run for %s %s; "
                         "automatic and multi_pass are",
                         primitive, desc.own ? "monoid" : name_of(desc.type),
                         desc.own ? desc.own->name : name_of(desc.op));
  }
  return check_value(primitive, "initial", desc.initial, fold_of(desc));
}

ScanPath scan_path(const Tuning& tuning, const ScanDesc& desc) {
  if (desc.schedule == Schedule::automatic &&
      desc.count.max <= tuning.single_scan_bytes / fold_of(desc).bytes()) {
    return ScanPath::alone;
  }
  return path_of_many(desc);
}

ScanPath path_of_many(const ScanDesc& desc) {
  const bool is_multi_pass =
      desc.schedule == Schedule::multi_pass ||
      (desc.determinism == Determinism::run_to_run && fold_of(desc).rounds());
  return is_multi_pass ? ScanPath::multi_pass : ScanPath::look_back;
}

Specialization scan_specialization(const ScanDesc& desc, const ScanTile& tile, std::uint32_t rows,
                                   bool aligned) {
  Specialization constants{.workgroup_size = tile.workgroup_size,
                           .rows = rows,
                           .row_words = aligned ? 4u : 1u,
                           .op = fold_of(desc).operator_constant()};
  return constants.set(VKP_SCAN_SPEC_INCLUSIVE, desc.kind == ScanKind::inclusive)
      .set(VKP_SCAN_SPEC_COMMUTES, fold_of(desc).commutes())
      .set(VKP_SCAN_SPEC_BATCHES, tile.batches);
}

}  // namespace vkprims

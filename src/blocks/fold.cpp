#include "blocks/fold.hpp"

#include <algorithm>
#include <cinttypes>

namespace vkprims {
namespace {

Status lacks(const char* primitive, const Monoid& monoid, const char* feature) {
  return Status::error(Status::unsupported,
                       "%s: monoid %s needs Features::%s, without which this device was created",
                       primitive, monoid.name, feature);
}

}  // namespace

bool Fold::rounds() const {
  if (own) return true;
  return (type == Type::f32 || type == Type::f64) && (op == Op::add || op == Op::mul);
}

Status check_fold(const char* primitive, const DeviceState& state, const Fold& fold) {
  if (!fold.own) {
    VKPRIMS_TRY(check_type(primitive, state, fold.type));
    return check_op(primitive, fold.type, fold.op);
  }
  const Monoid& monoid = *fold.own;
  for (const std::uint32_t bytes : {monoid.bytes, monoid.in_bytes, monoid.out_bytes}) {
    if (bytes < 4 || bytes > 32 || bytes % 4 != 0) {
      return Status::error(
          Status::invalid_argument,
          "%s: monoid %s has elements of %u bytes, must be a multiple of 4, 4 … 32", primitive,
          monoid.name, bytes);
    }
  }
  if (!monoid.find_module) {
    return Status::error(Status::invalid_argument, "%s: monoid %s has no find_module", primitive,
                         monoid.name);
  }
  if (monoid.has_int64 && !state.info.enabled.int64) return lacks(primitive, monoid, "int64");
  if (monoid.has_float64 && !state.info.enabled.float64) return lacks(primitive, monoid, "float64");
  return {};
}

Status check_no_conversion(const char* primitive, const Fold& fold) {
  if (!fold.own || !fold.own->converts()) return {};
  return Status::error(
      Status::invalid_argument,
      "%s: monoid %s has vkp_load() or vkp_store(), which only scan and reduce use", primitive,
      fold.own->name);
}

Status check_value(const char* primitive, const char* name, const Value& value, const Fold& fold) {
  if (!fold.own) return check_value(primitive, name, value, fold.type);
  if (value.address && value.address % fold.alignment() != 0) {
    return Status::error(Status::invalid_argument,
                         "%s: %s.address is 0x%" PRIx64 ", must be a multiple of %u", primitive,
                         name, value.address, fold.alignment());
  }
  if (!value.given() || value.address || value.bytes == fold.bytes()) return {};
  return Status::error(Status::invalid_argument,
                       "%s: %s has %u bytes, an element of monoid %s has %u", primitive, name,
                       value.bytes, fold.own->name, fold.bytes());
}

abi::VkpElement push_element(const Value& value, const Fold& fold) {
  const Value element = fold.own ? value : element_value(value, fold.type);
  abi::VkpElement pushed{.address = push_u64(element.address)};
  std::copy(std::begin(element.words), std::end(element.words), pushed.words);
  return pushed;
}

Status find_kernel(const char* primitive, const Fold& fold, MonoidKernel kernel,
                   const Spirv& built_in, const Spirv*& spirv) {
  spirv = &built_in;
  if (!fold.own) return {};
  VKPRIMS_TRY(fold.own->find_module(*fold.own, kernel, spirv));
  if (spirv) return {};
  return Status::error(Status::invalid_argument,
                       "%s: monoid %s has no kernels for it; name it in the FORMS of "
                       "vkprims_add_monoid()",
                       primitive, fold.own->name);
}

Status find_kernel(const char* primitive, const Fold& fold, MonoidKernel word32, bool is_wide,
                   const Spirv& built_in, const Spirv*& spirv) {
  const auto number = static_cast<std::uint32_t>(word32) + (is_wide ? 1 : 0);
  return find_kernel(primitive, fold, static_cast<MonoidKernel>(number), built_in, spirv);
}

}  // namespace vkprims

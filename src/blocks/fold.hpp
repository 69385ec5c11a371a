// What a primitive folds: elements of a built-in type by a built-in operator, or a monoid of the
// application's own.
#pragma once

#include "blocks/operators.hpp"
#include "runtime/push.hpp"
#include "runtime/validate.hpp"
#include "vkprims/monoid.hpp"

namespace vkprims {

struct Fold {
  Type type;
  Op op;
  const Monoid* own;  // instead of these, if there is one

  std::uint32_t bytes() const { return own ? own->bytes : size_of(type); }
  std::uint32_t words() const { return bytes() / 4; }
  /// What addresses of elements must be multiples of.
  std::uint32_t alignment() const { return own ? Monoid::alignment(own->bytes) : size_of(type); }
  /// All of vkprims::Op commute.
  bool commutes() const { return !own || own->commutes; }
  /// Whether results depend on the order of combination; a monoid of the application's may.
  bool rounds() const;
  /// VKP_SPEC_OP.
  std::uint32_t operator_constant() const { return own ? 0 : fold_operator(type, op); }
};

/// The fold of a descriptor.
template <class Desc>
Fold fold_of(const Desc& desc) {
  return {desc.type, desc.op, desc.own};
}

/// Checks that the device can compute it.
Status check_fold(const char* primitive, const DeviceState& state, const Fold& fold);

/// Checks that the fold has no kernels that convert its elements, for primitives without a use for
/// them.
Status check_no_conversion(const char* primitive, const Fold& fold);

/// Checks that a Value, if given, can be an element.
Status check_value(const char* primitive, const char* name, const Value& value, const Fold& fold);

/// A value as an element; 0 if it is not given.
abi::VkpElement push_element(const Value& value, const Fold& fold);

/// Gives the kernel of a fold: the built-in one, or that of the monoid.
Status find_kernel(const char* primitive, const Fold& fold, MonoidKernel kernel,
                   const Spirv& built_in, const Spirv*& spirv);
/// The same for kernels with look-back, of which word64 follows word32.
Status find_kernel(const char* primitive, const Fold& fold, MonoidKernel word32, bool is_wide,
                   const Spirv& built_in, const Spirv*& spirv);

}  // namespace vkprims

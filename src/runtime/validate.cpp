#include "runtime/validate.hpp"

#include <cinttypes>
#include <cstring>

#include "runtime/element_value.hpp"

namespace vkprims {
namespace {

bool overlap(const Operand& a, const Operand& b) {
  return a.need && b.need && a.view.address < b.view.address + b.need &&
         b.view.address < a.view.address + a.need;
}


Status check_scratch(const char* primitive, const Operand& a) {
  const Scratch& scratch = *a.scratch;
  if (scratch.bytes < a.need) {
    const bool named = *a.needed_by != 0;
    return Status::error(Status::invalid_argument,
                         "%s: scratch.bytes is %" PRIu64 ", %s%s asks for %" PRIu64, primitive,
                         scratch.bytes, named ? a.needed_by : primitive,
                         named ? "" : "_scratch()", a.need);
  }
  if (!scratch.buffer || !scratch.address) {
    return Status::error(Status::invalid_argument,
                         "%s: scratch.%s is null; scratch_view() fills a Scratch", primitive,
                         scratch.buffer ? "address" : "buffer");
  }
  if (scratch.offset % 4 || scratch.address % a.alignment) {
    return Status::error(Status::invalid_argument,
                         "%s: scratch.address is 0x%" PRIx64 " at offset %" PRIu64
                         ", must be a multiple of %" PRIu64,
                         primitive, scratch.address, scratch.offset, a.alignment);
  }
  return {};
}

// Checks an argument by itself, whatever the others are.
Status check_operand(const char* primitive, const Operand& a) {
  if (a.not_given) {
    return Status::error(Status::invalid_argument, "%s: %s%s is not given; 0 must be said",
                         primitive, a.name, a.view.address ? ".max" : "");
  }
  if (a.no_size) {
    return Status::error(Status::invalid_argument, "%s: %s%s is given, but value_bytes is 0",
                         primitive, a.name, a.part);
  }
  if (a.need == 0) return {};
  if (a.scratch) VKPRIMS_TRY(check_scratch(primitive, a));
  if (a.view.address == 0) {
    return Status::error(Status::invalid_argument,
                         "%s: %s%s.address is 0, %s needs %" PRIu64 " bytes", primitive, a.name,
                         a.part, a.needed_by, a.need);
  }
  if (a.view.bytes < a.need) {
    return Status::error(Status::invalid_argument,
                         "%s: %s%s.bytes is %" PRIu64 ", %s needs %" PRIu64, primitive, a.name,
                         a.part, a.view.bytes, a.needed_by, a.need);
  }
  if (a.view.address % a.alignment) {
    return Status::error(Status::invalid_argument,
                         "%s: %s%s.address is 0x%" PRIx64 ", must be a multiple of %" PRIu64,
                         primitive, a.name, a.part, a.view.address, a.alignment);
  }
  if (a.view.address + a.need < a.view.address) {
    return Status::error(Status::invalid_argument,
                         "%s: %s%s ends past the address space (0x%" PRIx64 " + %" PRIu64 ")",
                         primitive, a.name, a.part, a.view.address, a.need);
  }
  return {};
}

// Whether one of them is allowed to take the place of the other, and does.
bool may_coincide(const Operand& a, const Operand& b) {
  const auto names = [](const char* name, const Operand& x) {
    return name && std::strcmp(name, x.name) == 0;
  };
  return a.view.address == b.view.address && (names(a.in_place_of, b) || names(b.in_place_of, a));
}

}  // namespace

Status check_device(const char* primitive, const Device& device) {
  if (device) return {};
  return Status::error(Status::invalid_argument, "%s: device is empty; make it with Device::create",
                       primitive);
}

Status check_recording(const char* primitive, VkCommandBuffer cmd, const Device& device) {
  const bool records = !device || !device.state()->pipelines.only_notes();
  if (records && !cmd) return Status::error(Status::invalid_argument, "%s: cmd is null", primitive);
  return check_device(primitive, device);
}

Status check_type(const char* primitive, Type type) {
  if (static_cast<std::uint32_t>(type) <= static_cast<std::uint32_t>(Type::f64)) return {};
  return Status::error(Status::invalid_argument, "%s: type is %u, must be a vkprims::Type (0 … 5)",
                       primitive, static_cast<unsigned>(type));
}

Status check_type(const char* primitive, const DeviceState& state, Type type) {
  VKPRIMS_TRY(check_type(primitive, type));
  const Features& has = state.info.enabled;
  const char* lacks = nullptr;
  if (type == Type::u64 || type == Type::i64) {
    lacks = has.int64 ? nullptr : "int64 (shaderInt64)";
  } else if (type == Type::f64) {
    lacks = has.float64 ? nullptr : "float64 (shaderFloat64)";
  }
  if (!lacks) return {};
  return Status::error(Status::unsupported, "%s: type is %s, but the device was created without %s",
                       primitive, name_of(type), lacks);
}

Status check_op(const char* primitive, Type type, Op op) {
  if (static_cast<std::uint32_t>(op) > static_cast<std::uint32_t>(Op::bit_xor)) {
    return Status::error(Status::invalid_argument, "%s: op is %u, must be a vkprims::Op (0 … 6)",
                         primitive, static_cast<unsigned>(op));
  }
  const bool is_float = type == Type::f32 || type == Type::f64;
  if (!is_float || op < Op::bit_and) return {};
  return Status::error(Status::invalid_argument,
                       "%s: op is %s, which needs an integer type, not %s", primitive, name_of(op),
                       name_of(type));
}

Status check_count(const char* primitive, const Count& count, const char* name) {
  if (count.max > kMaxCount) {
    return Status::error(Status::invalid_argument,
                         "%s: %s is %" PRIu64 ", at most %" PRIu64 " (kMaxCount) are allowed",
                         primitive, name, count.max, kMaxCount);
  }
  if (count.width != CountWidth::u32 && count.width != CountWidth::u64) {
    return Status::error(Status::invalid_argument,
                         "%s: %s.width is %u, must be CountWidth::u32 or u64", primitive, name,
                         static_cast<unsigned>(count.width));
  }
  return {};
}

Status check_element_bytes(const char* primitive, std::uint32_t bytes) {
  if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) return {};
  return Status::error(Status::invalid_argument,
                       "%s: element_bytes is %u, must be 1, 2, 4, 8 or 16", primitive, bytes);
}

Status check_kind(const char* primitive, ValueKind kind, std::uint32_t bytes) {
  VKPRIMS_TRY(check_enum(primitive, "kind", kind, ValueKind::floating));
  const bool is_float = kind == ValueKind::floating;
  if (kind == ValueKind::raw || (bytes <= 8 && (!is_float || bytes >= 4))) return {};
  return Status::error(Status::invalid_argument,
                       "%s: kind is %s, which element_bytes of %s has, not %u", primitive,
                       is_float ? "floating" : "an integer", is_float ? "4 or 8" : "1 to 8", bytes);
}

Status check_value(const char* primitive, const char* name, const Value& value, Type type) {
  return check_value(primitive, name, value, value_kind_of(type), size_of(type));
}

Status check_value(const char* primitive, const char* name, const Value& value, ValueKind kind,
                   std::uint32_t bytes) {
  const std::uint32_t alignment = bytes < 4 ? 4 : bytes;
  if (value.address) {
    if (value.address % alignment == 0) return {};
    return Status::error(Status::invalid_argument,
                         "%s: %s.address is 0x%" PRIx64 ", must be a multiple of %u", primitive,
                         name, value.address, alignment);
  }
  Value element;
  if (convert(value, kind, bytes, element)) return {};
  if (value.kind == ValueKind::raw || kind == ValueKind::raw) {
    return Status::error(Status::invalid_argument, "%s: %s has %u bytes, one element has %u",
                         primitive, name, value.bytes, bytes);
  }
  char number[32];
  print_value(value, number, sizeof(number));
  return Status::error(Status::invalid_argument, "%s: %s is %s, which %s%u does not hold exactly",
                       primitive, name, number, letter_of(kind), 8 * bytes);
}

Status check_operands(const char* primitive, std::span<const Operand> operands) {
  for (const Operand& a : operands) VKPRIMS_TRY(check_operand(primitive, a));
  for (const Operand& a : operands) {
    for (const Operand& b : operands) {
      if (&a < &b && (a.writes || b.writes) && overlap(a, b) && !may_coincide(a, b)) {
        return Status::error(Status::invalid_argument,
                             "%s: %s%s [0x%" PRIx64 ", +%" PRIu64 ") and %s%s [0x%" PRIx64
                             ", +%" PRIu64 ") overlap, which is not allowed",
                             primitive, a.name, a.part, a.view.address, a.need, b.name, b.part,
                             b.view.address, b.need);
      }
    }
  }
  if (operand_observer) operand_observer(primitive, operands);
  return {};
}

}  // namespace vkprims

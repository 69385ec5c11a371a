#include "jit/spirv_reader.hpp"

#include <algorithm>
#include <map>
#include <span>

namespace vkprims::jit {
namespace {

// These numbers are in the SPIR-V specification, chapter 3.
enum Op : std::uint32_t {
  op_execution_mode = 16,
  op_capability = 17,
  op_type_int = 21,
  op_type_float = 22,
  op_type_vector = 23,
  op_type_matrix = 24,
  op_type_array = 28,
  op_type_struct = 30,
  op_type_pointer = 32,
  op_constant = 43,
  op_variable = 59,
  op_decorate = 71,
  op_member_decorate = 72
};
enum Decoration : std::uint32_t {
  spec_id = 1,
  array_stride = 6,
  matrix_stride = 7,
  built_in = 11,
  offset = 35
};
constexpr std::uint32_t kPushConstant = 9, kPhysicalStorageBuffer = 5349, kLocalSize = 17;
constexpr std::uint32_t kNumWorkgroups = 24, kWorkgroupId = 26, kGlobalInvocationId = 28;

class Reader {
 public:
  explicit Reader(const Spirv& spirv) {
    const std::vector<std::uint32_t> all = words_of(spirv);
    const std::span words(all);
    for (std::size_t at = 5; at < words.size();) {
      const std::size_t length = std::max(words[at] >> 16, 1u);
      read(words[at] & 0xffffu, words.subspan(at, std::min(length, words.size() - at)));
      at += length;
    }
    facts_.numbers_by_x = by_x_ && !by_grid_;
    if (push_) read_push(push_);
  }
  ModuleFacts facts() && { return std::move(facts_); }

 private:
  using Words = std::span<const std::uint32_t>;

  void read(std::uint32_t op, Words words) {
    const auto at = [&](std::size_t i) { return i < words.size() ? words[i] : 0; };
    switch (op) {
      case op_capability:
        return read_capability(at(1));
      case op_execution_mode:
        if (at(2) == kLocalSize) {
          for (std::size_t i = 0; i < 3; ++i) facts_.size[i] = at(3 + i);
        }
        return;
      case op_decorate:
        if (at(2) == spec_id && at(3) == 0) facts_.has_size_constant = true;
        if (at(2) == array_stride) strides_[at(1)] = at(3);
        if (at(2) == built_in) {
          by_grid_ = by_grid_ || at(3) == kNumWorkgroups;
          by_x_ = by_x_ || at(3) == kWorkgroupId || at(3) == kGlobalInvocationId;
        }
        return;
      case op_member_decorate:
        if (at(3) == offset) offsets_[{at(1), at(2)}] = at(4);
        if (at(3) == matrix_stride) matrix_strides_[{at(1), at(2)}] = at(4);
        return;
      case op_constant:
        constants_[at(2)] = at(3);
        return;
      case op_variable:
        if (at(3) == kPushConstant) push_ = type(at(1)).size() > 3 ? type(at(1))[3] : 0;
        return;
      default:
        if (op >= op_type_int && op <= op_type_pointer) types_[at(1)] = words;
    }
  }

  void read_capability(std::uint32_t capability) {
    facts_.float64 = facts_.float64 || capability == 10;
    facts_.int64 = facts_.int64 || capability == 11;
    facts_.int64_atomics = facts_.int64_atomics || capability == 12;
    facts_.storage16 = facts_.storage16 || capability == 4433;
    facts_.storage8 = facts_.storage8 || capability == 4448;
  }

  // The instruction of a type.
  Words type(std::uint32_t id) const {
    const auto found = types_.find(id);
    return found == types_.end() ? Words() : found->second;
  }
  static std::uint32_t op_of(Words type) { return type.empty() ? 0 : type[0] & 0xffffu; }

  // Bytes of a type that is member `member` of a struct.
  std::uint32_t size_of(std::uint32_t id, std::uint32_t of, std::uint32_t member) const {
    const Words words = type(id);
    const auto stride = matrix_strides_.find({of, member});
    switch (op_of(words)) {
      case op_type_int:
      case op_type_float:
        return words[2] / 8;
      case op_type_pointer:
        return 8;
      case op_type_vector:
        return words[3] * size_of(words[2], of, member);
      case op_type_matrix:
        return stride == matrix_strides_.end() ? 0 : words[3] * stride->second;
      case op_type_array: {
        const auto each = strides_.find(id);
        const auto length = constants_.find(words[3]);
        if (each == strides_.end() || length == constants_.end()) return 0;
        return each->second * length->second;
      }
      case op_type_struct: {
        std::uint32_t end = 0;
        for (std::uint32_t i = 0; i + 2 < words.size(); ++i) {
          const auto at = offsets_.find({id, i});
          end =
              std::max(end, (at == offsets_.end() ? 0 : at->second) + size_of(words[i + 2], id, i));
        }
        return end;
      }
      default:
        return 0;
    }
  }

  void read_push(std::uint32_t id) {
    const Words block = type(id);
    facts_.has_push = true;
    for (std::uint32_t i = 0; i + 2 < block.size(); ++i) {
      const Words member = type(block[i + 2]);
      PushMember read{.size = size_of(block[i + 2], id, i)};
      if (const auto at = offsets_.find({id, i}); at != offsets_.end()) read.offset = at->second;
      const bool is_wide = read.size == 8;
      if (op_of(member) == op_type_pointer && member[2] == kPhysicalStorageBuffer) {
        read.kind = PushMember::address;
      } else if (op_of(member) == op_type_int && read.size >= 4) {
        read.kind = PushMember::number;
        read.type =
            member[3] ? (is_wide ? Type::i64 : Type::i32) : (is_wide ? Type::u64 : Type::u32);
      } else if (op_of(member) == op_type_float && read.size >= 4) {
        read.kind = PushMember::number;
        read.type = is_wide ? Type::f64 : Type::f32;
      }
      facts_.push_bytes = std::max(facts_.push_bytes, read.offset + read.size);
      facts_.push.push_back(read);
    }
  }

  ModuleFacts facts_;
  std::map<std::uint32_t, Words> types_;
  std::map<std::uint32_t, std::uint32_t> strides_, constants_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> offsets_, matrix_strides_;
  std::uint32_t push_ = 0;
  bool by_x_ = false, by_grid_ = false;
};

}  // namespace

ModuleFacts read_spirv(const Spirv& spirv) { return Reader(spirv).facts(); }

}  // namespace vkprims::jit

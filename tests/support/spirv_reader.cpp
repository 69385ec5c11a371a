#include "support/spirv_reader.hpp"

namespace vkprims::test {
namespace {

template <class F>
void for_each(const Spirv& spirv, F&& f) {
  const std::vector<std::uint32_t> all = words_of(spirv);
  const std::span<const std::uint32_t> words(all);
  for (std::size_t at = 5; at < words.size();) {
    const std::uint32_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size()) return;
    f(words[at] & 0xffff, words.subspan(at + 1, length - 1));
    at += length;
  }
}

}  // namespace

SpirvReader::SpirvReader(const Spirv& spirv) {
  std::uint32_t function = 0;
  for_each(spirv, [&](std::uint32_t op, std::span<const std::uint32_t> w) {
    switch (op) {
      case kOpCapability:
        capabilities.insert(w[0]);
        break;
      case kOpMemoryModel:
        memory_model = w[1];
        break;
      case kOpEntryPoint:
        entry_point_ = w[1];
        break;
      case kOpFunction:
        function = w[1];
        break;
      case kOpFunctionCall:
        functions_[function].calls.push_back(w[2]);
        break;
      case kOpDecorate:
        decorations.insert(w[1]);
        break;
      case kOpMemberDecorate:
        decorations.insert(w[2]);
        if (w[2] == kOffset) offsets_[w[0]][w[1]] = w[3];
        break;
      case kOpTypeStruct:
        structs_[w[0]] = {w.begin() + 1, w.end()};
        break;
      case kOpTypePointer:
        if (w[1] == kPhysicalStorageBuffer) buffer_pointer_types_.insert(w[0]);
        // Pointers to members have types of their own; the block is a struct with one struct as its
        // member.
        if (w[1] == kPushConstant && structs_.count(w[2]) && structs_[w[2]].size() == 1)
          push_block_ = w[2];
        break;
      case kOpAccessChain:
      case kOpInBoundsAccessChain:
        if (buffer_pointer_types_.count(w[0])) buffer_pointers_.insert(w[1]);
        break;
      // The memory operands of loads and stores are a mask, the alignment and scopes.
      case kOpLoad:
        if (w.size() > 3 && buffer_pointers_.count(w[2]) && (w[3] & kNonPrivatePointer))
          ++functions_[function].accesses;
        break;
      case kOpStore:
        if (w.size() > 2 && buffer_pointers_.count(w[0]) && (w[2] & kNonPrivatePointer))
          ++functions_[function].accesses;
        break;
      case kOpConstant:
        constants_[w[1]] = w[2];
        break;
      default:
        if (op >= kOpAtomicLoad && op <= kOpAtomicXor) {
          // In a store, neither a type nor a result precedes the pointer.
          const std::size_t scope = op == kOpAtomicStore ? 1 : 3;
          atomics.push_back({op, constants_[w[scope]], constants_[w[scope + 1]]});
        }
        break;
    }
  });
}

int SpirvReader::accesses_of(std::uint32_t function) const {
  const auto found = functions_.find(function);
  if (found == functions_.end()) return 0;
  int accesses = found->second.accesses;
  for (const std::uint32_t called : found->second.calls) accesses += accesses_of(called);
  return accesses;
}

std::vector<std::uint32_t> SpirvReader::push_offsets() const {
  std::vector<std::uint32_t> result;
  const auto block = structs_.find(push_block_);
  if (block != structs_.end()) append_offsets(block->second[0], 0, result);
  return result;
}

void SpirvReader::append_offsets(std::uint32_t type, std::uint32_t base,
                                 std::vector<std::uint32_t>& result) const {
  const auto members = structs_.find(type);
  if (members == structs_.end()) {
    result.push_back(base);
    return;
  }
  const auto offsets = offsets_.find(type);
  if (offsets == offsets_.end()) return;
  for (std::uint32_t i = 0; i < members->second.size(); ++i) {
    append_offsets(members->second[i], base + offsets->second.at(i), result);
  }
}

bool push_matches(const Spirv& spirv, std::size_t bytes, std::size_t tail_words) {
  const std::vector<std::uint32_t> offsets = SpirvReader(spirv).push_offsets();
  return !offsets.empty() && offsets.back() + 4 * tail_words == bytes;
}

}  // namespace vkprims::test

#include "heap.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "heap.abi.h"

namespace redact {

static_assert(Heap::kClasses == HEAP_CLASSES);
static_assert(Heap::kSmallestBlock == 1 << HEAP_UNIT_SHIFT);

namespace {

struct Totals {
  std::uint64_t units = 0;    // of memory
  std::uint64_t entries = 0;  // of lists
};

// Adds up the first `classes` classes.
Totals totals_of(const Heap::Blocks& blocks, std::size_t classes) {
  Totals totals;
  for (std::size_t k = 0; k < classes; ++k) {
    totals.units += std::uint64_t{blocks[k]} << k;
    totals.entries += blocks[k];
  }
  return totals;
}

VkpU64 halves(VkDeviceAddress address) {
  return {static_cast<uint>(address), static_cast<uint>(address >> 32)};
}

}  // namespace

Heap::Heap(vkprims::Context& context, const Blocks& blocks) {
  const Totals totals = totals_of(blocks, kClasses);
  if (totals.units > std::numeric_limits<uint>::max()) {
    throw vkprims::Error(vkprims::Status::error(
        vkprims::Status::unsupported, "a heap of %llu bytes: at most 64 GiB are possible",
        static_cast<unsigned long long>(totals.units << HEAP_UNIT_SHIFT)));
  }
  memory_ = context.allocate<std::uint32_t>((totals.units << HEAP_UNIT_SHIFT) / 4);
  lists_ = context.allocate<std::uint32_t>(totals.entries);
  HeapState state{.memory = halves(memory_.address()), .lists = halves(lists_.address())};
  for (std::size_t k = 0; k < kClasses; ++k) {
    const Totals before = totals_of(blocks, k);
    state.classes[k] = {.first = static_cast<uint>(before.units),
                        .blocks = blocks[k],
                        .list = static_cast<uint>(before.entries)};
  }
  std::vector<std::uint32_t> words(sizeof state / 4);
  std::memcpy(words.data(), &state, sizeof state);
  state_ = context.upload(words);
}

// A text that needs a block of more than 16 bytes fills more than half of it.
Heap::Blocks Heap::enough_for(std::uint64_t rows, std::uint64_t bytes) {
  Blocks blocks{};
  for (std::size_t k = 0; k < kClasses; ++k) {
    const std::uint64_t half = (kSmallestBlock << k) / 2;
    blocks[k] = static_cast<std::uint32_t>(k == 0 ? rows : std::min(rows, bytes / half));
  }
  return blocks;
}

Heap::Blocks Heap::enough_for_short(std::uint64_t rows) {
  Blocks blocks{};
  blocks[0] = blocks[1] = static_cast<std::uint32_t>(rows);
  return blocks;
}

std::uint64_t Heap::device_bytes(const Blocks& blocks) {
  const Totals totals = totals_of(blocks, kClasses);
  return (totals.units << HEAP_UNIT_SHIFT) + 4 * totals.entries + sizeof(HeapState);
}

Heap::Use Heap::use(vkprims::Context& context) const {
  HeapState state;
  const std::vector<std::uint32_t> words = context.download(state_);
  std::memcpy(&state, words.data(), sizeof state);
  Use use{.blocks = 0, .failed = state.failed};
  for (const HeapClass& c : state.classes) {
    use.blocks += c.used - static_cast<std::uint64_t>(c.listed);
  }
  return use;
}

}  // namespace redact

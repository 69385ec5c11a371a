// A row finds the slot of its bytes. The includer defines hash_of_row() and are_equal_rows().
//
// Source: open addressing with linear probing. Slots are taken by compare-exchange and never given
// back, so what an invocation has read of a slot, its bytes, stays true: relaxed atomics suffice,
// and no invocation waits. After some slots in vain the bytes are hashed anew, so that rows which
// were made to collide do not queue up; after some hashes the search goes on to the end, as at
// least half of the slots stay empty.
//
// Most rows are not the first of their kind: they only look, which many can do at once.
#ifndef STRINGS_DICTIONARY_INSERT_GLSL
#define STRINGS_DICTIONARY_INSERT_GLSL

#include "strings/dictionary/dictionary.glsl"

VkpSharedWords slot_at(uint slot) { return VkpSharedWords(word_address(push.table, slot)); }

bool is_equal(uint there, uint own, VkpText text) {
  if (((there ^ own) & ~push.row_mask) != 0u) return false;
  return are_equal_rows(text, vkp_row_text(push.a, there & push.row_mask));
}

void insert(uint row, VkpText text) {
  const uint hash = hash_of_row(text, push.seed);
  const uint own = (hash & ~push.row_mask) | row;
  uint slot = hash & push.slot_mask;
  uint tried = 0u;
  bool placed = false;
  while (!placed) {
    uint there = atomicLoad(slot_at(slot).v[0], gl_ScopeQueueFamily, 0, 0);
    if (there == EMPTY) {
      there = atomicCompSwap(slot_at(slot).v[0], EMPTY, own, gl_ScopeQueueFamily, 0, 0, 0, 0);
    }
    placed = there == EMPTY || is_equal(there, own, text);
    if (placed) {
      if (there != EMPTY && own < there) {
        atomicMin(slot_at(slot).v[0], own, gl_ScopeQueueFamily, 0, 0);
      }
    } else {
      ++tried;
      slot = slot + 1u & push.slot_mask;
      if (tried % VKP_DICTIONARY_NEIGHBOURS == 0u &&
          tried < VKP_DICTIONARY_NEIGHBOURS * VKP_DICTIONARY_HASHES) {
        slot = hash_of_row(text, push.seed + tried) & push.slot_mask;
      }
    }
  }
  store_word(push.codes, row, slot);
}

#endif

// This file has what the tiles of seed_window.comp publish, and how others see it.
//
// A tile has a record {state, pops, pushes, depth} and TILE cells, the last of which is the top of
// the stack:
//   LOCAL  pops and pushes hold, and the last `pushes` cells: the opens that the tile
//          itself leaves.
//   DONE   depth holds, too, and the last min(depth, TILE) cells: the top of the stack behind the
//          tile.
// Every cell, and every word of a record except the state, is written once, and is read only if the
// state says that it holds. Cells that LOCAL covers are not written for DONE, which adds only those
// before the last `pushes`: readers of a tile that is LOCAL and its owner never touch the same
// cell. Each symbol pushes once at most, so a slice fits, and no-ops, closes and resets only leave
// more cells before it.
//
// Order: cells are written by many invocations of one workgroup and read by many of another.
//   - Publisher: stores of cells -> barrier (vkp_buffer_barrier) -> R, the release store of the
//     state by invocation 0, which also stores the other words before it.
//   - Reader: A, the acquire load of the state by invocation 0, which loads the other words after
//     it -> barrier (vkp_buffer_barrier) -> loads of cells.
// A reads what R stored, or what a later R of the same tile stored, so R happens before A. The
// barriers make cells available to and visible from the workgroup; R and A make them available to
// and visible from the queue family, of which all invocations of the dispatch are: a chain of
// availability operations and one of visibility operations.
#ifndef VKPRIMS_STACK_MATCH_SEED_WINDOW_RECORDS_GLSL
#define VKPRIMS_STACK_MATCH_SEED_WINDOW_RECORDS_GLSL

#include "stack/stack_match/seed_window_tile.glsl"

layout(constant_id = VKP_LOOKBACK_SPEC_SPINS) const uint spin_limit = 8;
layout(constant_id = VKP_LOOKBACK_SPEC_STATISTICS) const uint statistics = 0;
layout(constant_id = VKP_LOOKBACK_SPEC_FAULTS) const uint faults = 0;
layout(constant_id = VKP_LOOKBACK_SPEC_PERIOD) const uint fault_period = 1;

const uint EMPTY = 0;
const uint LOCAL = 1;
const uint DONE = 2;

const uint NO_TILE = 0xffffffffu;

VkpSharedWords header() { return VkpSharedWords(vkp_u64(push.scratch)); }
uvec2 records() { return vkp_add64(vkp_u64(push.scratch), VKP_LOOKBACK_HEADER_BYTES); }
VkpSharedWords record_of(const uint tile) {
  return VkpSharedWords(vkp_add64(records(), vkp_mul64(tile, VKP_SEED_RECORD_BYTES)));
}
VkpSharedWords cells_of(uint tile) {
  const uvec2 cells = vkp_add64(records(), vkp_mul64(push.max_tiles, VKP_SEED_RECORD_BYTES));
  return VkpSharedWords(vkp_add64(cells, vkp_mul64(tile, 4u * TILE)));
}

bool fault(uint which, uint tile) { return (faults & which) != 0u && tile % fault_period == 0u; }

// Both are called by invocation 0 only.
void count_up(uint counter, uint n) {
  if (statistics != 0u && n != 0u) atomicAdd(header().v[counter], n, gl_ScopeQueueFamily, 0, 0);
}
void count_most(uint counter, uint n) {
  if (statistics != 0u) atomicMax(header().v[counter], n, gl_ScopeQueueFamily, 0, 0);
}

shared uint taken_tile;

// Returns which of `tiles` tiles this workgroup is to do, or NO_TILE.
uint take_tile(uint tiles) {
  if (vkp_group_index() >= tiles) return NO_TILE;  // a surplus workgroup takes no ticket
  if ((faults & VKP_SEED_ALONE) != 0u) return vkp_group_index();
  if (own() == 0u) {
    taken_tile = atomicAdd(header().v[VKP_LOOKBACK_TICKET], 1u, gl_ScopeQueueFamily, 0, 0);
  }
  barrier();
  uint tile = taken_tile;
  if ((faults & VKP_LOOKBACK_SHUFFLED) != 0u) {
    const uint first = tile - tile % fault_period;
    tile = first + min(fault_period, tiles - first) - 1u - (tile - first);
  }
  return tile;
}

void store_state(uint tile, uint state) {  // R: pairs with A in look_at()
  atomicStore(record_of(tile).v[VKP_SEED_STATE], state, gl_ScopeQueueFamily,
              gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
}

// Publishes the tile's slice, which is in shared memory.
void publish_local(uint tile, Effect e) {
  if (TILE - 1u - own() < e.pushes) cells_of(tile).v[own()] = tile * TILE + slice[own()];
  vkp_buffer_barrier();
  if (own() != 0u) return;
  if (fault(VKP_LOOKBACK_DELAYED, tile)) {
    for (uint i = 0u; i < 200u; ++i) {
      atomicAdd(header().v[VKP_LOOKBACK_DELAYS], 1u, gl_ScopeQueueFamily, 0, 0);
    }
  }
  if (fault(VKP_LOOKBACK_SILENT, tile)) return;
  record_of(tile).v[VKP_SEED_POPS] = e.pops;
  record_of(tile).v[VKP_SEED_PUSHES] = e.pushes;
  store_state(tile, LOCAL);
}

// Publishes the window: `cell` is that of this invocation, or NONE if it is in the slice or the
// stack is not as deep.
void publish_done(uint tile, uint cell, uint depth) {
  if (cell != NONE) cells_of(tile).v[own()] = cell;
  vkp_buffer_barrier();
  if (own() != 0u || fault(VKP_LOOKBACK_SILENT | VKP_SEED_NEVER_DONE, tile)) return;
  record_of(tile).v[VKP_SEED_DEPTH] = depth;
  store_state(tile, DONE);
}

struct Record {
  uint state;
  Effect effect;
  uint depth;  // if DONE
};

shared Record seen;

// Returns what is published of a tile, the same for all invocations, after at most `polls` looks.
// All of them call it.
Record look_at(uint tile, uint polls) {
  barrier();  // all have read what was seen before
  if (own() == 0u) {
    VkpSharedWords record = record_of(tile);
    uint in_vain = 0u;
    while (in_vain < polls &&
           atomicLoad(record.v[VKP_SEED_STATE], gl_ScopeQueueFamily, 0, 0) == EMPTY) {
      ++in_vain;
    }
    Record found = Record(EMPTY, Effect(0u, 0u), 0u);
    if (in_vain < polls) {  // A: pairs with R in store_state()
      found.state =
          atomicLoad(record.v[VKP_SEED_STATE], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer,
                     gl_SemanticsAcquire | gl_SemanticsMakeVisible);
      found.effect = Effect(record.v[VKP_SEED_POPS], record.v[VKP_SEED_PUSHES]);
      if (found.state == DONE) found.depth = record.v[VKP_SEED_DEPTH];
    }
    seen = found;
    count_up(VKP_LOOKBACK_POLLS, in_vain + (in_vain < polls ? 1u : 0u));
    count_up(VKP_LOOKBACK_SPUN, in_vain);
    count_most(VKP_LOOKBACK_MOST_SPINS, in_vain);
  }
  vkp_buffer_barrier();
  return seen;
}

#endif

// Decoupled look-back with fallback: every tile of a sequence learns the fold of all tiles before it,
// in one dispatch, for any monoid over VKP_T. One workgroup owns one tile.
//
// Source: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016);
// the fallback follows T. Smith, R. Levien, J. Owens, "Decoupled Fallback" (2025), with states that
// hold any monoid and may be used in place.
//
// The owner of tile t publishes its aggregate (the fold of the tile alone), walks back over tiles t-1,
// t-2, … adding aggregates on the left until it meets a tile with an inclusive prefix (the fold of
// everything up to that tile), and publishes its own inclusive prefix. One subgroup walks, a window of
// as many tiles as it has lanes at a time.
//
// States. A value of VKP_WORDS words is published as words {tag, payload}, each stored by one atomic:
// {32, 32} bits with 64-bit atomics (VKP_STATE_word64), {16, 16} without; with VKP_HAS_62_BITS as one {2, 62},
// which cannot be torn. The tag says EMPTY, FALLBACK
// or OWNER: who published. Aggregates and inclusive prefixes have places of their own, so that a complete
// aggregate stays readable while the prefix appears. A reader takes a value if the tags of all its words
// agree and are not EMPTY. Why it is then a value that somebody published, and a right one:
//   - the owner stores each word once, so words tagged OWNER are all of one value;
//   - everybody else replaces EMPTY words only, by compare-exchange, with the bits that vkp_fold_tile()
//     computes from the input of that tile. All who compute them get the same bits (same code, same
//     subgroup size, same input), so words tagged FALLBACK are all of one value, whoever stored them;
//   - the two may differ in rounding, but their tags never agree.
//   Payload and tag travel in one atomic, so no ordering between different words is needed: relaxed
//   atomics do, and they always see the modification order of their own word.
//
// Closed tiles (VKP_CLOSED_TILES). Behind a tile that is closed nothing depends on what lies before it, e.g.
// because a segment begins in it: its aggregate, from that head on, is the inclusive prefix as well. Whoever
// publishes it says so in the tags (CLOSED), readers take it as a prefix, and walks end there; its owner, who
// needs a prefix of its own all the same, publishes no other one. Nothing else changes: whether a tile is closed
// follows from its input like the value, so all who recompute it agree on the tags, too, and whoever takes an
// owner's words takes the owner's tag with them.
//
// In place (VKP_LOOKBACK_SPEC_IN_PLACE: outputs may overwrite inputs) whoever recomputes tile b must not
// use elements that b's owner has overwritten.
//   Owner:      reads its tile; barrier B1; release R = AcqRel exchange of aggregate word 0, after its
//               other words; barrier B2; first output store.
//   Recomputer: reads tile b; barrier B3; M = AcqRel read-modify-write of the same word 0.
//   M finds EMPTY or FALLBACK: M precedes R in the word's modification order, and everything between
//     them is a read-modify-write, which continues M's release sequence. R acquires M's release:
//     recomputer's reads -> B3 -> M -> R -> B2 -> output stores. The reads saw the input, and only now
//     are the other words of the value inserted.
//   M finds OWNER: M acquires R's release, R follows the owner's other words in program order, so all
//     words are readable at once; the recomputer takes those. What it read raced with the stores and is
//     thrown away: no address and no branch depended on it.
//   The barriers cover buffers (vkp_buffer_barrier), so each speaks for its whole workgroup. The owner may read
//   its own tile again at any time: nobody else writes it.
//   (To the letter of the memory model, ordering a load before another invocation's store takes more: both
//   must be non-private, and the elements are not, for speed. No device can tell: what M inserts and what the
//   stores write depend on those very loads.)
// Out of place nobody writes what a recomputer reads: no order is needed.
//
// Why it ends: the walk polls at most VKP_LOOKBACK_SPEC_SPINS times in vain, then the whole workgroup
// recomputes the tile in the way from the input and goes on behind it. Every loop either consumes a tile
// or counts towards that bound, and a tile has finitely many before it. Nobody waits for another workgroup
// beyond the bound, so no forward progress between workgroups is assumed, and no order of their starts:
// tickets only make waiting rare. (On devices that start workgroups in order their number does as well.)
//
// Scope is QueueFamily throughout: it holds all invocations of the dispatch and needs no extra feature.
//
// Needs, before it is included, the type (VKP_T, VKP_WORDS, vkp_pack, vkp_unpack) and the monoid
// (vkp_identity, vkp_combine(left, right); it need not commute), and, anywhere in the shader,
//   VKP_T vkp_fold_tile(uint tile)    the fold of a tile's input, to every invocation, bit-identical
//                                     whichever workgroup computes it; called by all invocations
//   VKP_T vkp_seed()                  what comes before tile 0
// with VKP_CLOSED_TILES, instead of the first,
//   VKP_T vkp_fold_tile(uint tile, out bool closed)
// VKP_HAS_62_BITS, if defined, says that values are numbers of 2 words, and that 2^62 - 1 does for those above it: one 64-bit
// word then holds a value and its tag;
// VKP_WORD_IS_ZERO(i), if defined, says of which words of VKP_T it is known that they are 0: those are not published,
// and -DVKP_STATE_word64 or -DVKP_STATE_word32, e.g. by `%VARIANT% STATE word64|word32`.
#ifndef VKPRIMS_LOOKBACK_GLSL
#define VKPRIMS_LOOKBACK_GLSL

#include "vkprims/device/lookback_tiles.glsl"
#include "vkprims/workgroup/workgroup.glsl"

#include "vkprims/device/lookback_state.glsl"

const uint VKP_LOOKBACK_BEGINNING = 1024;  // tiles, about as many as run at a time

#ifdef VKP_CLOSED_TILES
VKP_T vkp_fold_tile(uint tile, out bool closed);
#else
VKP_T vkp_fold_tile(const uint tile);
VKP_T vkp_fold_tile(uint tile, out bool closed) {
  closed = false;
  return vkp_fold_tile(tile);
}
#endif
VKP_T vkp_seed();

// The look-back of a tile as its workgroup sees it.
struct VkpWalk {
  uint tile;
  bool closed;
  uint blocked;  // the tile in the way, or VKP_NO_TILE
};

// Subgroup 0 keeps its state here rather than in registers, which are scarce.
shared uint vkp_lookback_blocked;               // the tile in the way
shared uint vkp_lookback_aggregate[VKP_WORDS];  // of the own tile
shared uint vkp_lookback_suffix[VKP_WORDS];     // of the tiles behind the one in the way; in the end the prefix

VKP_T vkp_shared_aggregate() {
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = vkp_lookback_aggregate[i];
  return vkp_unpack(w);
}

VKP_T vkp_shared_suffix() {
  uint w[VKP_WORDS];
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = vkp_lookback_suffix[i];
  return vkp_unpack(w);
}

// The invocation that publishes for its workgroup.
bool vkp_publisher() { return gl_SubgroupID == 0u && gl_SubgroupInvocationID == 0u; }

void vkp_lookback_count(const VkpLookback l, const uint counter, const uint n) {
  if (vkp_lookback_statistics != 0u && n != 0u && gl_SubgroupInvocationID == 0u) {
    atomicAdd(VkpSharedWords(l.scratch).v[counter], n, gl_ScopeQueueFamily, 0, 0);
  }
}

void vkp_lookback_most(const VkpLookback l, const uint counter, const uint n) {
  if (vkp_lookback_statistics != 0u && gl_SubgroupInvocationID == 0u) {
    atomicMax(VkpSharedWords(l.scratch).v[counter], n, gl_ScopeQueueFamily, 0, 0);
  }
}

// By subgroup 0: walks on from tile `look`, behind which everything is in `suffix`. Returns 0 if `suffix` is the
// exclusive prefix now, else the tile behind the one that is in the way.
uint vkp_walk(VkpLookback l, uint look, inout VKP_T suffix) {
  const uint lane = gl_SubgroupInvocationID;
  uint spins = 0u;
  uint polls = 0u;
  uint in_vain = 0u;
  uint walked = 0u;
  bool met_prefix = false;
  // Polls that come too early only hold up the stores that they wait for. But the tiles of the beginning, which
  // all start at the same time, form a chain in which pauses add up.
  uint pause = lane;
  if (look > VKP_LOOKBACK_BEGINNING) {
    for (uint i = 0u; i < vkp_lookback_pause; ++i) pause = subgroupShuffle(pause, pause);
  }
  if (pause >= gl_SubgroupSize) return look;  // never: the shuffles are not to be optimised away
  while (look != 0u && spins < vkp_lookback_spins) {
    // (2, 4, 8 tiles a lane: slower by 3, 13, 19 % in ropes of strings, by 3 to 18 % with 2 in scans; H200.)
    // The last lane polls tile look - 1, the lanes below it those before; some lie before tile 0.
    const uint distance = gl_SubgroupSize - lane;
    const bool exists = distance <= look;
    VKP_T value = vkp_identity();
    uint found = VKP_FOUND_NOTHING;
    if (exists) found = vkp_poll(l, look - distance, value);
    // Lanes from `ready` on form an unbroken run of values that ends at the tile before look; the last
    // prefix in it stands for all before.
    const uint ready = vkp_lanes_to_last(subgroupBallot(exists && found == VKP_FOUND_NOTHING));
    const uint prefix = vkp_lanes_to_last(subgroupBallot(found == VKP_FOUND_PREFIX));
    met_prefix = prefix > ready;
    const uint first = met_prefix ? prefix - 1u : ready;
    ++polls;
    if (first == gl_SubgroupSize) {
      ++spins;
      ++in_vain;
      vkp_lookback_most(l, VKP_LOOKBACK_MOST_SPINS, spins);
    } else {
      spins = 0u;
      if (lane < first) value = vkp_identity();
      suffix = vkp_combine(vkp_subgroup_fold(value), suffix);
      const uint run = min(look, gl_SubgroupSize - first);
      walked += run;
      look = met_prefix ? 0u : look - run;
    }
  }
  if (look == 0u && !met_prefix) suffix = vkp_combine(vkp_seed(), suffix);
  vkp_lookback_count(l, VKP_LOOKBACK_POLLS, polls);
  vkp_lookback_count(l, VKP_LOOKBACK_SPUN, in_vain);
  vkp_lookback_count(l, VKP_LOOKBACK_WALKED, walked);
  vkp_lookback_most(l, VKP_LOOKBACK_LONGEST, walked);
  return look;
}

// By subgroup 0: publishes what this workgroup computed for somebody else's tile, unless somebody was
// faster. Returns a value that may be used for it, and whether the tile is closed.
VKP_T vkp_insert(VkpLookback l, uint tile, VKP_T x, inout bool closed) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  uint inserted = 0u;
  uint overtaken = 0u;
  if (gl_SubgroupInvocationID == 0u) {
    const uint before = vkp_insert_states(l, tile, w, closed);
    inserted = before == VKP_TAG_EMPTY ? 1u : 0u;
    overtaken = before == VKP_TAG_OWNER && vkp_lookback_in_place != 0u ? 1u : 0u;
  }
  vkp_lookback_count(l, VKP_LOOKBACK_FALLBACKS, 1u);
  vkp_lookback_count(l, VKP_LOOKBACK_INSERTIONS, inserted);
  vkp_lookback_count(l, VKP_LOOKBACK_OVERTAKEN, overtaken);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = subgroupBroadcastFirst(w[i]);
  closed = subgroupBroadcastFirst(closed);
  return vkp_unpack(w);
}

// The three parts of a look-back, all in uniform flow:
//
//   VkpWalk walk = vkp_look_back(l, tile, aggregate);   // all inputs of the tile read
//   do {
//     vkp_walk_on(l, walk);
//     …                                                 // anything but output stores
//   } while (!vkp_prefix_known(walk, prefix));          // the fold of everything before the tile
//
// What stands at … runs while subgroup 0 walks, and again in the rare case that a tile was in the way: what
// it computes is needed behind the loop only, so that no registers hold it during a fallback.

// Publishes the tile's aggregate.
VkpWalk vkp_look_back(VkpLookback l, uint tile, VKP_T aggregate, bool closed) {
  if (vkp_lookback_in_place != 0u) vkp_buffer_barrier();  // B1
  if (vkp_publisher()) {
    if (vkp_lookback_fault(VKP_LOOKBACK_DELAYED, tile)) vkp_lookback_delay(l);
    if (!vkp_lookback_fault(VKP_LOOKBACK_SILENT, tile)) {
      vkp_publish(l, VKP_AGGREGATES, tile, aggregate, closed);
    }
    uint w[VKP_WORDS];
    vkp_pack(aggregate, w);
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) vkp_lookback_aggregate[i] = w[i];
  }
  if (gl_SubgroupID == 0u) vkp_lookback_count(l, VKP_LOOKBACK_TILES, 1u);
  return VkpWalk(tile, closed, VKP_NO_TILE);
}

VkpWalk vkp_look_back(VkpLookback l, uint tile, VKP_T aggregate) {
  return vkp_look_back(l, tile, aggregate, false);
}

// Recomputes the tile in the way, if there is one; then subgroup 0 walks on.
void vkp_walk_on(VkpLookback l, VkpWalk walk) {
  const bool recompute = walk.blocked != VKP_NO_TILE;
  VKP_T x = vkp_identity();
  bool closed = false;  // the tile in the way
  if (recompute) {
    x = vkp_fold_tile(walk.blocked, closed);
    if (vkp_lookback_in_place != 0u) vkp_buffer_barrier();  // B3
  }
  if (gl_SubgroupID != 0u) return;
  uint look = walk.tile;
  VKP_T suffix = vkp_identity();
  if (recompute) {
    look = walk.blocked;
    suffix = vkp_combine(vkp_insert(l, look, x, closed), vkp_shared_suffix());
  }
  const bool forced =
      (vkp_lookback_faults & VKP_LOOKBACK_FORCED) != 0u && !recompute && walk.tile != 0u;
  if (closed) {
    look = 0u;
  } else if (!forced) {
    look = vkp_walk(l, look, suffix);
  }
  if (gl_SubgroupInvocationID == 0u) {
    if (look == 0u) {
      const VKP_T aggregate = vkp_shared_aggregate();
      if (!vkp_lookback_fault(VKP_LOOKBACK_SILENT, walk.tile)) {
        if (!walk.closed) {
          vkp_publish(l, VKP_PREFIXES, walk.tile, vkp_combine(suffix, aggregate), false);
        }
      } else if (vkp_lookback_in_place != 0u) {
        // R, without which the tile would be lost
        vkp_publish(l, VKP_AGGREGATES, walk.tile, aggregate, walk.closed);
      }
    }
    vkp_lookback_blocked = look == 0u ? VKP_NO_TILE : look - 1u;
    uint w[VKP_WORDS];
    vkp_pack(suffix, w);
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) vkp_lookback_suffix[i] = w[i];
  }
}

// True if the walk has come to its end: then `prefix` is the fold of everything before the tile. The barriers
// in vkp_fold_tile() keep the reads of shared memory here apart from the next writes.
bool vkp_prefix_known(inout VkpWalk walk, out VKP_T prefix) {
  if (vkp_lookback_in_place != 0u) {
    vkp_buffer_barrier();  // B2
  } else {
    barrier();
  }
  walk.blocked = vkp_lookback_blocked;
  prefix = vkp_shared_suffix();
  return walk.blocked == VKP_NO_TILE;
}

#endif

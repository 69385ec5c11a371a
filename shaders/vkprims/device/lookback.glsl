// Decoupled look-back with fallback: every tile of a sequence learns the fold of all tiles before
// it, in one dispatch, for any monoid over VKP_T. One workgroup owns one tile.
//
// Source: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back"
// (2016); the fallback follows T. Smith, R. Levien, J. Owens, "Decoupled Fallback" (2025), with
// states that hold any monoid and may be used in place.
//
// The owner of tile t publishes its aggregate (the fold of the tile alone), walks back over tiles
// t-1, t-2, …, adding aggregates on the left until it meets a tile with an inclusive prefix (the
// fold of everything up to that tile), and publishes its own inclusive prefix. One subgroup walks,
// by a window of as many tiles as it has lanes at a time.
//
// States. A value of VKP_WORDS words is published as words {tag, payload}, each stored by one
// atomic: {32, 32} bits with 64-bit atomics (VKP_STATE_word64), {16, 16} bits without; with
// VKP_HAS_62_BITS it is one {2, 62} word, which cannot be torn. The tag says EMPTY, FALLBACK or
// OWNER, that is, who published. Aggregates and inclusive prefixes have places of their own, so
// that a complete aggregate stays readable while the prefix appears. A reader takes a value if the
// tags of all its words agree and are not EMPTY. It is then a value that somebody published, and a
// right one, for these reasons:
//   - The owner stores each word once, so words tagged OWNER are all of one value.
//   - Everybody else replaces only EMPTY words, by compare-exchange, with the bits that
//     vkp_fold_tile() computes from the input of that tile. All who compute them get the same bits
//     (same code, same subgroup size, same input), so words tagged FALLBACK are all of one value,
//     whoever stored them.
//   - The two values may differ in rounding, but their tags never agree.
//   Payload and tag travel in one atomic, so no ordering between different words is needed:
//   relaxed atomics suffice, as they always see the modification order of their own word.
//
// Closed tiles (VKP_CLOSED_TILES). If a tile is closed, nothing behind it depends on what lies
// before it, for example because a segment begins in it: its aggregate, from that head on, is its
// inclusive prefix as well. Whoever publishes the aggregate says so in the tags (CLOSED), readers
// take it as a prefix, and walks end there. The owner of a closed tile still needs the prefix
// before it, but publishes no inclusive prefix of its own. Nothing else changes: whether a tile is
// closed follows from its input, as the value does, so all who recompute it agree on the tags, too;
// and whoever takes an owner's words takes the owner's tag with them.
//
// In place (VKP_LOOKBACK_SPEC_IN_PLACE: outputs may overwrite inputs) whoever recomputes tile b
// must not use elements that b's owner has overwritten.
//   Owner:    reads its tile; barrier B1; release R = AcqRel exchange of aggregate word 0, after
//             its other words; barrier B2; first output store.
//   Fallback: reads tile b; barrier B3; M = AcqRel read-modify-write of the same word 0.
//   M finds EMPTY or FALLBACK: M precedes R in the word's modification order, and everything
//     between them is a read-modify-write, which continues M's release sequence. R acquires M's
//     release: the fallback's reads -> B3 -> M -> R -> B2 -> output stores. So the reads saw the
//     input. The other words of the value are inserted only after M.
//   M finds OWNER: M acquires R's release, and R follows the owner's other words in program order,
//     so all words are readable at once, and the fallback takes those. What it read itself raced
//     with the stores and is thrown away: no address and no branch depended on it.
//   The barriers cover buffers (vkp_buffer_barrier), so each speaks for its whole workgroup. The
//   owner may read its own tile again at any time, as nobody else writes it.
//   (To the letter of the memory model, ordering a load before another invocation's store takes
//   more: both must be non-private, and the elements are not, for speed. No device can tell the
//   difference: what M inserts and what the stores write depend on those very loads.)
// Out of place nobody writes what a fallback reads, so no order is needed.
//
// Why it ends: the walk polls at most VKP_LOOKBACK_SPEC_SPINS times in vain; then the whole
// workgroup recomputes the tile in the way from the input, and the walk goes on with the tiles
// before that. Every loop either consumes a tile or counts towards that bound, and a tile has
// finitely many before it. No workgroup waits for another beyond the bound, so neither forward
// progress between workgroups nor any order of their starts is assumed: tickets only make waiting
// rare. (On devices that start workgroups in order, the number of the workgroup serves as well.)
//
// The scope is QueueFamily throughout: it holds all invocations of the dispatch and needs no extra
// feature.
//
// Needs, before it is included, the type (VKP_T, VKP_WORDS, vkp_pack, vkp_unpack) and the monoid
// (vkp_identity, vkp_combine(left, right); it need not commute), and, anywhere in the shader,
//   VKP_T vkp_fold_tile(uint tile)    the fold of a tile's input, to every invocation,
//                                     bit-identical whichever workgroup computes it; called by all
//                                     invocations
//   VKP_T vkp_seed()                  what comes before tile 0
// with VKP_CLOSED_TILES, instead of the first,
//   VKP_T vkp_fold_tile(uint tile, out bool closed)
// and -DVKP_STATE_word64 or -DVKP_STATE_word32, e.g. by `%VARIANT% STATE word32|word64`.
// VKP_HAS_62_BITS, if defined, says that values are numbers of 2 words and may be clamped to
// 2^62 - 1; one 64-bit word then holds a value and its tag. VKP_WORD_IS_ZERO(i), if defined, says
// which words of VKP_T are known to be 0; those are not published.
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

// Subgroup 0 keeps its state in shared memory rather than in registers, which are scarce.
shared uint vkp_lookback_blocked;               // the tile in the way
shared uint vkp_lookback_aggregate[VKP_WORDS];  // of the own tile
// At first this is the fold of the tiles behind the one in the way; at the end it is the prefix.
shared uint vkp_lookback_suffix[VKP_WORDS];

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

// Whether this is the invocation that publishes for its workgroup.
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

// Called by subgroup 0: walks on from tile `look`; `suffix` has the fold of the tiles from `look`
// up to the one before its own. Returns 0 if `suffix` has become the exclusive prefix, else the
// number of the tile in the way plus 1.
uint vkp_walk(VkpLookback l, uint look, inout VKP_T suffix) {
  const uint lane = gl_SubgroupInvocationID;
  uint spins = 0u;
  uint polls = 0u;
  uint in_vain = 0u;
  uint walked = 0u;
  bool met_prefix = false;
  // Polls that come too early only hold up the stores that they wait for, so the walk pauses first.
  // It does not among the first tiles, which all start at the same time and form a chain in which
  // pauses add up.
  uint pause = lane;
  if (look > VKP_LOOKBACK_BEGINNING) {
    for (uint i = 0u; i < vkp_lookback_pause; ++i) pause = subgroupShuffle(pause, pause);
  }
  // This is never true, and keeps the shuffles from being optimised away.
  if (pause >= gl_SubgroupSize) return look;
  while (look != 0u && spins < vkp_lookback_spins) {
    // The last lane polls tile look - 1, and the lanes below it poll the tiles before that; some of
    // these lie before tile 0. (With 2, 4 or 8 tiles a lane, ropes of strings were slower by 3, 13
    // and 19 %, scans by 3 to 18 % with 2; H200.)
    const uint distance = gl_SubgroupSize - lane;
    const bool exists = distance <= look;
    VKP_T value = vkp_identity();
    uint found = VKP_FOUND_NOTHING;
    if (exists) found = vkp_poll(l, look - distance, value);
    // Lanes from `ready` on form an unbroken run of values that ends at tile look - 1; the last
    // prefix in this run stands for all tiles before.
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

// Called by subgroup 0: publishes what this workgroup computed for another workgroup's tile, unless
// somebody was faster. Returns a value that may be used for the tile, and whether the tile is
// closed.
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

// A look-back has three parts, all in uniform control flow:
//
//   VkpWalk walk = vkp_look_back(l, tile, aggregate);   // all inputs of the tile have been read
//   do {
//     vkp_walk_on(l, walk);
//     …                                                 // anything except output stores
//   } while (!vkp_prefix_known(walk, prefix));          // the fold of everything before the tile
//
// The work at … runs while subgroup 0 walks, and again in the rare case that a tile was in the way.
// Its results are needed only behind the loop, so that no registers hold them during a fallback.

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
  const bool falls_back = walk.blocked != VKP_NO_TILE;
  VKP_T x = vkp_identity();
  bool closed = false;  // whether the tile in the way is closed
  if (falls_back) {
    x = vkp_fold_tile(walk.blocked, closed);
    if (vkp_lookback_in_place != 0u) vkp_buffer_barrier();  // B3
  }
  if (gl_SubgroupID != 0u) return;
  uint look = walk.tile;
  VKP_T suffix = vkp_identity();
  if (falls_back) {
    look = walk.blocked;
    suffix = vkp_combine(vkp_insert(l, look, x, closed), vkp_shared_suffix());
  }
  const bool forced =
      (vkp_lookback_faults & VKP_LOOKBACK_FORCED) != 0u && !falls_back && walk.tile != 0u;
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
        // This is R, without which the input of the tile would be lost.
        vkp_publish(l, VKP_AGGREGATES, walk.tile, aggregate, walk.closed);
      }
    }
    vkp_lookback_blocked = look == 0u ? VKP_NO_TILE : look - 1u;
    uint w[VKP_WORDS];
    vkp_pack(suffix, w);
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) vkp_lookback_suffix[i] = w[i];
  }
}

// Returns true if the walk has come to its end; `prefix` is then the fold of everything before the
// tile. The barriers in vkp_fold_tile() keep the reads of shared memory here apart from the next
// writes.
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

// Bracket matching in one dispatch by slices of the stack and back-links:
// StackSchedule::seed_window.
//
// A workgroup takes a tile by ticket, one symbol for each invocation, and reduces it
// (seed_window_tile.glsl). It then knows the pops and pushes of the tile, its slice, that is, the
// opens that it leaves, and what is on top of the stack before each symbol, if that is in the tile.
// It publishes the slice (LOCAL), looks back, and publishes its window, the top TILE entries of the
// stack behind it (DONE). Each invocation asks for two levels of the stack before the tile: for its
// symbol, and for its cell of the window. A tile that is LOCAL answers the levels that its slice
// has and shifts the others by its pops and pushes; one that is DONE answers the top TILE levels.
// For deeper ones there are back-links: the bottom entry b of a full window lies on the stack
// behind the tile of symbol b - 1 as well, or is the first symbol behind that tile; so below b both
// stacks are the same. That tile lies before the one that has the window: if b is in the latter,
// all TILE symbols from b on must be opens of it, so b is its first symbol.
//
// Source: R. Levien, "The stack monoid revisited" (2021). Added are no-ops and resets, any count
// and balance, and progress that does not depend on other workgroups:
//   - polls are bounded; a workgroup that finds nothing then reduces that tile from the input, as
//     the owner of the tile does, and takes it as LOCAL. This needs nothing from other workgroups;
//   - a back-link that leads to a tile that is not DONE is not waited for: the walk goes on with
//     the tile before the one that had the link, whose pops and pushes are known. That is always
//     right, down to tile 0;
//   - every turn of the walk takes a tile away from those before, and back-links lead to earlier
//     tiles only. So each workgroup comes to its end, whether the others run or not.
//
// Work: N symbols are N / TILE tiles, each of which takes TILE log TILE steps for itself. Where
// tiles find the one before them DONE and links are few, as for random brackets, walks add O(N).
// Nothing bounds walks in general: where pairs of tiles leave one open each, a link shows only a
// cell or two more, and half of the tiles follow TILE / 2 links in a row. That is Theta(N TILE) of
// work, and hops that wait for memory one after the other. If no tile is DONE in time the work is
// N^2 / TILE, and log TILE times that if nobody publishes. So this schedule is for comparison; the
// others have bounds.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/stack_match/seed_window_records.glsl"

layout(constant_id = VKP_SEED_SPEC_INDEX_WORDS) const uint index_words = 1;

Request answered(uint found) { return Request(ALL, found); }

// Settles a request that is among the top entries that a tile's cells hold.
void ask_cells(inout Request r, uint tile, uint entries) {
  if (r.level < entries) r = answered(cells_of(tile).v[TILE - 1u - r.level]);
}

void ask_slice(inout Request r, uint tile, uint entries) {
  if (r.level < entries) r = answered(tile * TILE + slice[TILE - 1u - r.level]);
}

// A walk back is the same for all invocations, except for the requests.
struct Walk {
  Request top;   // what the symbol finds
  Request cell;  // what is in the cell
  uint wanted;   // all requests that can be answered are for a level less than this
  bool knows_depth;
  uint depth;    // depth of the stack behind the tile
  Effect after;  // of the tiles passed and the one that walks, until the depth is known
};

// Takes the walk to a tile that is DONE, and follows links. Returns the tile where the walk is
// then; `r` becomes the record of that tile.
uint take_window(inout Walk w, inout Record r, uint tile) {
  if (!w.knows_depth) {
    w.knows_depth = true;
    w.depth = r.depth - min(r.depth, w.after.pops) + w.after.pushes;
  }
  w.wanted = min(w.wanted, r.depth);
  while (true) {
    ask_cells(w.top, tile, min(r.depth, TILE));
    ask_cells(w.cell, tile, min(r.depth, TILE));
    if (w.wanted <= TILE) {
      w.wanted = 0u;
      break;
    }
    // A wanted level is deeper than the window, so there is an open before the bottom entry.
    const uint target = (cells_of(tile).v[0] - 1u) / TILE;
    const Record next = look_at(target, 1u);
    const bool refused = next.state != DONE;
    if (own() == 0u) count_up(refused ? VKP_SEED_LINKS_REFUSED : VKP_SEED_LINKS, 1u);
    if (refused) break;
    // An entry is equally far from the bottom of both stacks.
    const uint shift = next.depth - r.depth;
    if (w.top.level != ALL) w.top.level += shift;
    if (w.cell.level != ALL) w.cell.level += shift;
    w.wanted += shift;
    tile = target;
    r = next;
  }
  return tile;
}

// Lets the walk pass a tile.
void pass(inout Walk w, Effect e) {
  w.top.level = level_before(w.top.level, e);
  w.cell.level = level_before(w.cell.level, e);
  w.wanted = w.wanted <= e.pushes || e.pops == ALL ? 0u : level_before(w.wanted, e);
  if (w.knows_depth) return;
  w.after = combine(e, w.after);
  w.knows_depth = w.after.pops == ALL;
  w.depth = w.after.pushes;  // unless the stack has something before
}

void look_back(inout Walk w, uint own_tile, uint count) {
  uint look = own_tile;  // tiles before this one are not passed yet
  uint walked = 0u;
  while (look != 0u && (w.wanted != 0u || !w.knows_depth)) {
    const bool forced = (faults & VKP_LOOKBACK_FORCED) != 0u && look == own_tile;
    uint tile = look - 1u;
    Record r = Record(EMPTY, Effect(0u, 0u), 0u);
    if (!forced) r = look_at(tile, spin_limit);
    if (r.state == DONE) {
      tile = take_window(w, r, tile);
      ++walked;
    } else if (r.state == LOCAL) {
      ask_cells(w.top, tile, r.effect.pushes);
      ask_cells(w.cell, tile, r.effect.pushes);
      ++walked;
    } else {
      Request unused;
      r.effect = reduce_tile(tile, count, unused);
      ask_slice(w.top, tile, r.effect.pushes);
      ask_slice(w.cell, tile, r.effect.pushes);
      if (own() == 0u) count_up(VKP_LOOKBACK_FALLBACKS, 1u);
    }
    pass(w, r.effect);
    look = tile;
  }
  if (own() == 0u) {
    count_up(VKP_LOOKBACK_TILES, 1u);
    count_up(VKP_LOOKBACK_WALKED, walked);
    count_most(VKP_LOOKBACK_LONGEST, walked);
  }
}

// Finds what the symbol asks for before the tile, and lets others know about the tile.
void resolve(inout Walk w, uint tile, Effect e, uint count) {
  publish_local(tile, e);

  // The cells before the slice hold what is below it on the stack, unless a reset has emptied that.
  const uint below_slice = TILE - e.pushes;
  w.cell = Request(ALL, NONE);
  if (own() < below_slice && e.pops != ALL) w.cell.level = below_slice - 1u - own() + e.pops;
  // No symbol finds more pops before it.
  w.wanted = e.pops == ALL ? TILE : e.pops + max(below_slice, 1u);
  w.knows_depth = e.pops == ALL;
  w.depth = e.pushes;
  w.after = e;
  look_back(w, tile, count);
  publish_done(tile, w.cell.found, w.depth);
}

void main() {
  const uint count = vkp_read_count(push.count).x;
  const uint tile = take_tile(count / TILE + (count % TILE != 0u ? 1u : 0u));
  if (tile == NO_TILE) return;
  Walk w;
  const Effect e = reduce_tile(tile, count, w.top);
  if (w.top.found != NONE) w.top.found += tile * TILE;
  if ((faults & VKP_SEED_ALONE) == 0u) resolve(w, tile, e, count);

  const uint i = tile * TILE + own();
  if (i >= count) return;
  const uvec2 at = vkp_add64(vkp_u64(push.match), vkp_mul64(i, 4u * index_words));
  VkpWords(at).v[0] = w.top.found;
  if (index_words == 2u) VkpWords(at).v[1] = w.top.found == NONE ? NONE : 0u;
}

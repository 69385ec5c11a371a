// Paints the picture: a workgroup for each tile walks along its list.
//
// An invocation has four pixels side by side. What clips and layers save goes to memory, a word for
// each pixel: a clip saves one word and a layer five. All workgroups share this memory, and a
// workgroup takes blocks of it that double in size. Clips that cover the whole tile save nothing,
// and what is in one that covers none of it is passed over. What an opaque shape hides in the whole
// tile is not looked at.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "entries.glsl"
#include "paint.glsl"

const uint PIXELS = TILE_SIZE * TILE_SIZE;
const uint BATCH = 64u;        // entries in shared memory; the size of the workgroup
const uint SIDE_BY_SIDE = 4u;  // pixels of an invocation
const uint FIRST_BLOCK = 4u;   // words
const uint BLOCKS = 20u;
const uint LAYER_WORDS = 5u;

shared Entry entries[BATCH];
shared vec4 colours[BATCH];  // of draws

#include "hidden.glsl"
#include "winding.glsl"

shared uint blocks[BLOCKS];  // where they begin in f.saved
shared uint blocks_taken;

struct Pixel { vec4 colour; float clip; };  // premultiplied; the coverage of the clips that hold

ivec2 tile;   // in tiles
uvec2 place;  // of the invocation's first pixel in the tile
Pixel pixels[SIDE_BY_SIDE];
uint saved_words = 0u;  // of the stack, the same in all invocations
bool is_cut = false;    // there is no room for the stack

uvec2 pixel_at(uint k) { return uvec2(tile) * TILE_SIZE + place + uvec2(k, 0u); }

// Makes room for so many words on the stack. All invocations call this.
void reserve(uint words) {
  while (!is_cut && FIRST_BLOCK * ((1u << blocks_taken) - 1u) < words) {
    const uint size = FIRST_BLOCK << blocks_taken;
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
      blocks[blocks_taken] = atomicAdd(f.results.v.saved, size);
      ++blocks_taken;
    }
    barrier();
    is_cut = blocks_taken == BLOCKS || blocks[blocks_taken - 1u] + size > f.saved_room;
  }
}

// The index of a word of the stack of a pixel.
uint saved_at(uint word, uint k) {
  const uint block = findMSB(word / FIRST_BLOCK + 1u);
  const uint in_block = word - FIRST_BLOCK * ((1u << block) - 1u);
  return (blocks[block] + in_block) * PIXELS + gl_LocalInvocationIndex + k * BATCH;
}
float load_saved(uint word, uint k) { return uintBitsToFloat(f.saved.v[saved_at(word, k)]); }
void save(uint word, uint k, float x) { f.saved.v[saved_at(word, k)] = floatBitsToUint(x); }

// How much of the invocation's pixels a shape covers. All invocations call this.
vec4 cover(Entry entry) {
  if (class_of(entry.kind) == CLASS_FULL) return vec4(1.0);
  const bool even_odd = (entry.kind & ENTRY_EVEN_ODD) != 0u;
  const int winding[SIDE_BY_SIDE] = wind(entry, tile, place.y, place.x);
  vec4 covered;
  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) covered[k] = coverage(winding[k], even_odd);
  return covered;
}

void draw(Entry entry, vec4 colour) {
  const vec4 covered = cover(entry);
  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) {
    vec4 source = colour;
    if ((entry.kind & ENTRY_GRADIENT) != 0u) {
      const vec2 middle = vec2(pixel_at(k)) + 0.5;
      source = gradient_colour(f.brushes.v[entry.subject], middle) * colour.a;
    }
    source *= covered[k] * pixels[k].clip;
    pixels[k].colour = source + pixels[k].colour * (1.0 - source.a);
  }
}

void begin_clip(Entry entry) {
  reserve(saved_words + 1u);
  const vec4 covered = cover(entry);
  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) {
    if (!is_cut) save(saved_words, k, pixels[k].clip);
    pixels[k].clip *= covered[k];
  }
  ++saved_words;
}

void end_clip() {
  --saved_words;
  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) {
    if (!is_cut) pixels[k].clip = load_saved(saved_words, k);
  }
}

void begin_layer() {
  reserve(saved_words + LAYER_WORDS);
  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) {
    if (!is_cut) {
      [[unroll]] for (uint i = 0u; i < 4u; ++i) save(saved_words + i, k, pixels[k].colour[i]);
      save(saved_words + 4u, k, pixels[k].clip);
    }
    pixels[k] = Pixel(vec4(0.0), 1.0);
  }
  saved_words += LAYER_WORDS;
}

void end_layer(Entry entry) {
  saved_words -= LAYER_WORDS;
  const float opacity = f.ops.v[entry.subject].values[0];
  if (is_cut) return;
  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) {
    vec4 below;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) below[i] = load_saved(saved_words + i, k);
    pixels[k].clip = load_saved(saved_words + 4u, k);
    const vec4 source = pixels[k].colour * opacity * pixels[k].clip;
    pixels[k].colour = source + below * (1.0 - source.a);
  }
}

void end_of(Entry entry) {
  const uint kind = kind_of(entry.kind);
  if (kind == KIND_LAYER || kind == KIND_END_LAYER) {
    end_layer(entry);
  } else if (class_of(entry.kind) == CLASS_PARTIAL) {
    end_clip();
  }
}

// Walks along a list. Returns how many beginnings are open that lie in a clip that covers nothing
// of the tile, that clip included.
uint walk(uint begin, uint end) {
  uint passed_over = 0u;
  for (uint first = begin; first < end && !is_cut; first += BATCH) {
    barrier();
    const uint own = first + gl_LocalInvocationIndex;
    if (own < end) {
      const Entry entry = f.entries.v[own];
      entries[gl_LocalInvocationIndex] = entry;
      if (kind_of(entry.kind) == KIND_DRAW) {
        colours[gl_LocalInvocationIndex] = f.brushes.v[entry.subject].colour;
      }
    }
    barrier();
    const uint n = min(BATCH, end - first);
    for (uint i = 0u; i < n && !is_cut; ++i) {
      const Entry entry = entries[i];
      const uint kind = kind_of(entry.kind), covers = class_of(entry.kind);
      if (passed_over != 0u) {
        if (is_beginning(kind)) ++passed_over;
        if (is_end(kind)) --passed_over;
      } else if (kind == KIND_DRAW) {
        if (covers != CLASS_EMPTY) draw(entry, colours[i]);
      } else if (kind == KIND_LAYER) {
        begin_layer();
      } else if (kind == KIND_CLIP) {
        if (covers == CLASS_PARTIAL) begin_clip(entry);
        if (covers == CLASS_EMPTY) passed_over = 1u;
      } else {
        end_of(entry);
      }
    }
  }
  return passed_over;
}

// Ends what is still open, innermost first: the scene left it open, or there was no room for the
// end. The first `passed_over` of them have saved nothing.
void end_all(uint begin, uint end, uint passed_over) {
  uint ended = 0u;
  for (uint i = end; i > begin && saved_words != 0u && !is_cut; --i) {
    const Entry entry = f.entries.v[i - 1u];
    if (is_end(entry.kind)) {
      ++ended;
    } else if (is_beginning(entry.kind)) {
      if (ended != 0u) {
        --ended;
      } else if (passed_over != 0u) {
        --passed_over;
      } else {
        end_of(entry);
      }
    }
  }
}

void main() {
  f = frame.v;
  const uint number = vkp_group_index();
  if (number >= f.tiles_across * f.tiles_down) return;
  tile = ivec2(number % f.tiles_across, number / f.tiles_across);
  const uint across = TILE_SIZE / SIDE_BY_SIDE;
  place = uvec2(gl_LocalInvocationIndex % across * SIDE_BY_SIDE, gl_LocalInvocationIndex / across);
  if (gl_LocalInvocationIndex == 0u) blocks_taken = 0u;
  barrier();
  const vec4 background = unpackUnorm4x8(f.background);
  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) pixels[k] = Pixel(background, 1.0);

  const uint begin = f.tile_begins.v[number], end = f.tile_begins.v[number + 1u];
  if (begin < end) {
    edges_end = f.cell_begins.v[end - 1u] + f.cell_counts.v[end - 1u];
    const uint shown = first_shown(begin, end);
    const uint passed_over = walk(shown, end);
    end_all(shown, end, passed_over);
  }

  [[unroll]] for (uint k = 0u; k < SIDE_BY_SIDE; ++k) {
    const uvec2 at = pixel_at(k);
    if (at.x < f.width && at.y < f.height) {
      const vec4 colour = clamp(pixels[k].colour, 0.0, 1.0);
      const uvec4 bytes = uvec4(floor(colour * 255.0 + 0.5));
      f.picture.v[at.y * f.width + at.x] =
          bytes.x | bytes.y << 8u | bytes.z << 16u | bytes.w << 24u;
    }
  }
  if (gl_LocalInvocationIndex == 0u) {
    f.tile_sizes.v[number] = end - begin;
    atomicMax(f.results.v.deepest, FIRST_BLOCK * ((1u << blocks_taken) - 1u));
    atomicMax(f.results.v.longest, end - begin);
  }
}

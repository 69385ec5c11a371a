// Paints the picture: a workgroup for each tile walks along its list.
//
// An invocation has two pixels. What clips and layers save goes to memory, a word for each pixel: a
// clip saves one word and a layer five. All workgroups share this memory, and a workgroup takes
// blocks of it that double in size. Clips that cover the whole tile save nothing, and what is in
// one that covers none of it is passed over.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "frame.glsl"
#include "entries.glsl"
#include "paint.glsl"

const uint PIXELS = TILE_SIZE * TILE_SIZE;
const uint BATCH = 128u;      // entries in shared memory; the size of the workgroup
const uint FIRST_BLOCK = 4u;  // words
const uint BLOCKS = 20u;
const uint LAYER_WORDS = 5u;

shared Entry entries[BATCH];
shared vec4 colours[BATCH];  // of draws

#include "winding.glsl"

shared uint blocks[BLOCKS];  // where they begin in f.saved
shared uint blocks_taken;

struct Pixel { vec4 colour; float clip; };  // premultiplied; the coverage of the clips that hold

uvec2 corner;  // of the tile, in pixels
uvec2 place;   // of the invocation's first pixel in the tile; the other one is below it
Pixel pixels[2];
uint saved_words = 0u;  // of the stack, the same in all invocations
bool is_cut = false;    // there is no room for the stack

ivec2 place_of(uint k) { return ivec2(place.x, place.y + k); }

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
  return (blocks[block] + in_block) * PIXELS + gl_LocalInvocationIndex + k * (PIXELS / 2u);
}
float load_saved(uint word, uint k) { return uintBitsToFloat(f.saved.v[saved_at(word, k)]); }
void save(uint word, uint k, float x) { f.saved.v[saved_at(word, k)] = floatBitsToUint(x); }

// How much of the invocation's pixels a shape covers.
vec2 cover(Entry entry, uint slot) {
  if (class_of(entry) == CLASS_FULL) return vec2(1.0);
  const bool even_odd = (entry.kind & ENTRY_EVEN_ODD) != 0u;
  const uint word = (slot * TILE_SIZE + place.y) * ROW_WORDS + place.x;
  return vec2(coverage(windings[word], even_odd), coverage(windings[word + ROW_WORDS], even_odd));
}

void draw(Entry entry, vec4 colour, uint slot) {
  const vec2 covered = cover(entry, slot);
  [[unroll]] for (uint k = 0u; k < 2u; ++k) {
    vec4 source = colour;
    if ((entry.kind & ENTRY_GRADIENT) != 0u) {
      const vec2 middle = vec2(corner) + vec2(place_of(k)) + 0.5;
      source = gradient_colour(f.brushes.v[entry.subject], middle) * colour.a;
    }
    source *= covered[k] * pixels[k].clip;
    pixels[k].colour = source + pixels[k].colour * (1.0 - source.a);
  }
}

void begin_clip(Entry entry, uint slot) {
  reserve(saved_words + 1u);
  const vec2 covered = cover(entry, slot);
  [[unroll]] for (uint k = 0u; k < 2u; ++k) {
    if (!is_cut) save(saved_words, k, pixels[k].clip);
    pixels[k].clip *= covered[k];
  }
  ++saved_words;
}

void end_clip() {
  --saved_words;
  [[unroll]] for (uint k = 0u; k < 2u; ++k) {
    if (!is_cut) pixels[k].clip = load_saved(saved_words, k);
  }
}

void begin_layer() {
  reserve(saved_words + LAYER_WORDS);
  [[unroll]] for (uint k = 0u; k < 2u; ++k) {
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
  [[unroll]] for (uint k = 0u; k < 2u; ++k) {
    vec4 below;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) below[i] = load_saved(saved_words + i, k);
    pixels[k].clip = load_saved(saved_words + 4u, k);
    const vec4 source = pixels[k].colour * opacity * pixels[k].clip;
    pixels[k].colour = source + below * (1.0 - source.a);
  }
}

void end_of(Entry entry) {
  const uint kind = kind_of(entry);
  if (kind == KIND_LAYER || kind == KIND_END_LAYER) {
    end_layer(entry);
  } else if (class_of(entry) == CLASS_PARTIAL) {
    end_clip();
  }
}

// Walks along the list of the tile. Returns how many beginnings are open that lie in a clip that
// covers nothing of the tile, that clip included.
uint walk(uint begin, uint end) {
  uint passed_over = 0u;
  for (uint first = begin; first < end && !is_cut; first += BATCH) {
    barrier();
    const uint own = first + gl_LocalInvocationIndex;
    if (own < end) {
      const Entry entry = f.entries.v[own];
      entries[gl_LocalInvocationIndex] = entry;
      if (kind_of(entry) == KIND_DRAW) {
        colours[gl_LocalInvocationIndex] = f.brushes.v[entry.subject].colour;
      }
    }
    barrier();
    const uint n = min(BATCH, end - first);
    uint wound = 0u;  // the entry behind those whose winding integrals are there
    uint slot = 0u;   // of the next shape
    for (uint i = 0u; i < n && !is_cut; ++i) {
      const Entry entry = entries[i];
      if (needs_slot(entry) && i >= wound && passed_over == 0u) {
        wound = wind_shapes(i, n, ivec2(corner));
        slot = 0u;
      }
      const uint kind = kind_of(entry), covers = class_of(entry);
      const bool is_beginning = kind == KIND_CLIP || kind == KIND_LAYER;
      if (passed_over != 0u) {
        if (is_beginning) ++passed_over;
        if (kind >= KIND_END_CLIP) --passed_over;
      } else if (kind == KIND_DRAW) {
        if (covers != CLASS_EMPTY) draw(entry, colours[i], slot);
      } else if (kind == KIND_LAYER) {
        begin_layer();
      } else if (kind == KIND_CLIP) {
        if (covers == CLASS_PARTIAL) begin_clip(entry, slot);
        if (covers == CLASS_EMPTY) passed_over = 1u;
      } else {
        end_of(entry);
      }
      if (needs_slot(entry) && i < wound) ++slot;
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
    const uint kind = kind_of(entry);
    if (kind >= KIND_END_CLIP) {
      ++ended;
    } else if (kind != KIND_DRAW && ended != 0u) {
      --ended;
    } else if (kind != KIND_DRAW && passed_over != 0u) {
      --passed_over;
    } else if (kind != KIND_DRAW) {
      end_of(entry);
    }
  }
}

void main() {
  f = frame.v;
  const uint tile = vkp_group_index();
  if (tile >= f.tiles_across * f.tiles_down) return;
  corner = uvec2(tile % f.tiles_across, tile / f.tiles_across) * TILE_SIZE;
  place = uvec2(gl_LocalInvocationIndex % TILE_SIZE, gl_LocalInvocationIndex / TILE_SIZE * 2u);
  if (gl_LocalInvocationIndex == 0u) blocks_taken = 0u;
  barrier();
  const vec4 background = unpackUnorm4x8(f.background);
  [[unroll]] for (uint k = 0u; k < 2u; ++k) pixels[k] = Pixel(background, 1.0);

  const uint begin = f.tile_begins.v[tile], end = f.tile_begins.v[tile + 1u];
  const uint passed_over = walk(begin, end);
  end_all(begin, end, passed_over);

  [[unroll]] for (uint k = 0u; k < 2u; ++k) {
    const uvec2 at = corner + uvec2(place_of(k));
    if (at.x < f.width && at.y < f.height) {
      const vec4 colour = clamp(pixels[k].colour, 0.0, 1.0);
      const uvec4 bytes = uvec4(floor(colour * 255.0 + 0.5));
      f.picture.v[at.y * f.width + at.x] =
          bytes.x | bytes.y << 8u | bytes.z << 16u | bytes.w << 24u;
    }
  }
  if (gl_LocalInvocationIndex == 0u) {
    f.tile_sizes.v[tile] = end - begin;
    atomicMax(f.results.v.deepest, FIRST_BLOCK * ((1u << blocks_taken) - 1u));
    atomicMax(f.results.v.longest, end - begin);
  }
}

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
const uint BATCH = 128u;  // entries that the workgroup has in shared memory; its size
const uint FIRST_BLOCK = 4u;  // words
const uint BLOCKS = 20u;
const uint LAYER_WORDS = 5u;

shared Entry entries[BATCH];
shared ivec4 batch_edges[BATCH];
shared uint blocks[BLOCKS];  // where they begin in f.saved
shared uint blocks_taken;

struct Pixel { vec4 colour; float clip; };  // premultiplied; the coverage of the clips that hold

uvec2 corner;  // of the tile, in pixels
uvec2 place;   // of the invocation's first pixel in the tile; the other one is half a tile lower
Pixel pixels[2];
uint saved_words = 0u;  // of the stack, the same in all invocations
bool is_cut = false;    // there is no room for the stack

ivec2 place_of(uint k) { return ivec2(place.x, place.y + k * (TILE_SIZE / 2)); }

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

// The winding integral that an edge adds to a pixel, in 1/65536; coordinates count from the tile.
int winding_of(ivec4 edge, ivec2 pixel) {
  const ivec4 e = edge.y < edge.w ? edge : edge.zwxy;
  const int top = max(e.y, pixel.y * 4096), bottom = min(e.w, pixel.y * 4096 + 4096);
  if (top >= bottom) return 0;
  const float slope = float(e.z - e.x) / float(e.w - e.y);
  const float left = float(e.x - pixel.x * 4096) / 4096.0;
  const float xa = left + float(top - e.y) * slope / 4096.0;
  const float xb = left + float(bottom - e.y) * slope / 4096.0;
  const float low = min(xa, xb), high = max(xa, xb);
  // The mean of clamp(1 - x, 0, 1) for x between low and high.
  float mean = clamp(1.0 - 0.5 * (low + high), 0.0, 1.0);
  if (high - low > 1e-4) {
    const float a = clamp(low, 0.0, 1.0), b = clamp(high, 0.0, 1.0);
    mean = (min(high, 0.0) - min(low, 0.0) + (b - a) * (1.0 - 0.5 * (a + b))) / (high - low);
  }
  const int area = int(round(float(bottom - top) * mean * 16.0));
  return edge.y < edge.w ? area : -area;
}

// How much of the invocation's pixels a shape covers. All invocations call this.
vec2 cover(Entry entry) {
  const uint kind = entry.kind & 15u;
  if (entry.kind >> 4u == CLASS_FULL) return vec2(1.0);
  const ivec2 place0 = place_of(0u), place1 = place_of(1u);
  ivec2 winding = ivec2(f.left.v[entry.left + uint(place0.y) * entry.tiles_across],
                        f.left.v[entry.left + uint(place1.y) * entry.tiles_across]) * 16;
  const ivec2 origin = ivec2(corner) * 4096;
  for (uint first = 0u; first < entry.edges; first += BATCH) {
    barrier();
    const uint own = first + gl_LocalInvocationIndex;
    if (own < entry.edges) {
      batch_edges[gl_LocalInvocationIndex] =
          f.edges.v[f.cell_edges.v[entry.edges_begin + own]] - origin.xyxy;
    }
    barrier();
    const uint n = min(BATCH, entry.edges - first);
    for (uint i = 0u; i < n; ++i) {
      const ivec4 edge = batch_edges[i];
      winding += ivec2(winding_of(edge, place0), winding_of(edge, place1));
    }
  }
  const bool even_odd = is_even_odd(f.ops.v[entry.subject]);
  return vec2(coverage(winding.x, even_odd), coverage(winding.y, even_odd));
}

void draw(Entry entry) {
  const vec2 covered = cover(entry);
  const Brush brush = f.brushes.v[entry.subject];
  for (uint k = 0u; k < 2u; ++k) {
    vec4 source = brush.colour;
    if (brush.kind != 0u) {
      const vec2 middle = vec2(corner) + vec2(place_of(k)) + 0.5;
      source = gradient_colour(brush, middle) * brush.colour.a;
    }
    source *= covered[k] * pixels[k].clip;
    pixels[k].colour = source + pixels[k].colour * (1.0 - source.a);
  }
}

void begin_clip(Entry entry) {
  reserve(saved_words + 1u);
  const vec2 covered = cover(entry);
  for (uint k = 0u; k < 2u; ++k) {
    if (!is_cut) save(saved_words, k, pixels[k].clip);
    pixels[k].clip *= covered[k];
  }
  ++saved_words;
}

void end_clip() {
  --saved_words;
  for (uint k = 0u; k < 2u; ++k) {
    if (!is_cut) pixels[k].clip = load_saved(saved_words, k);
  }
}

void begin_layer() {
  reserve(saved_words + LAYER_WORDS);
  for (uint k = 0u; k < 2u; ++k) {
    if (!is_cut) {
      for (uint i = 0u; i < 4u; ++i) save(saved_words + i, k, pixels[k].colour[i]);
      save(saved_words + 4u, k, pixels[k].clip);
    }
    pixels[k] = Pixel(vec4(0.0), 1.0);
  }
  saved_words += LAYER_WORDS;
}

void end_layer(Entry entry) {
  saved_words -= LAYER_WORDS;
  const float opacity = f.ops.v[entry.subject].values[0];
  for (uint k = 0u; k < 2u && !is_cut; ++k) {
    vec4 below;
    for (uint i = 0u; i < 4u; ++i) below[i] = load_saved(saved_words + i, k);
    pixels[k].clip = load_saved(saved_words + 4u, k);
    const vec4 source = pixels[k].colour * opacity * pixels[k].clip;
    pixels[k].colour = source + below * (1.0 - source.a);
  }
}

void end_of(Entry entry) {
  const uint kind = entry.kind & 15u;
  if (kind == KIND_LAYER || kind == KIND_END_LAYER) {
    end_layer(entry);
  } else if (entry.kind >> 4u == CLASS_PARTIAL) {
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
    if (own < end) entries[gl_LocalInvocationIndex] = f.entries.v[own];
    barrier();
    const uint n = min(BATCH, end - first);
    for (uint i = 0u; i < n && !is_cut; ++i) {
      const Entry entry = entries[i];
      const uint kind = entry.kind & 15u, covers = entry.kind >> 4u;
      const bool is_beginning = kind == KIND_CLIP || kind == KIND_LAYER;
      if (passed_over != 0u) {
        if (is_beginning) ++passed_over;
        if (kind >= KIND_END_CLIP) --passed_over;
      } else if (kind == KIND_DRAW) {
        if (covers != CLASS_EMPTY) draw(entry);
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
    const uint kind = entry.kind & 15u;
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
  place = uvec2(gl_LocalInvocationIndex % TILE_SIZE, gl_LocalInvocationIndex / TILE_SIZE);
  if (gl_LocalInvocationIndex == 0u) blocks_taken = 0u;
  barrier();
  const vec4 background = unpackUnorm4x8(f.background);
  for (uint k = 0u; k < 2u; ++k) pixels[k] = Pixel(background, 1.0);

  const uint begin = f.tile_begins.v[tile], end = f.tile_begins.v[tile + 1u];
  const uint passed_over = walk(begin, end);
  end_all(begin, end, passed_over);

  for (uint k = 0u; k < 2u; ++k) {
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
  }
}

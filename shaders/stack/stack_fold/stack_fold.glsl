// This is what the kernels of stack_fold have in common: values in memory, and what lies below
// tiles.
//
// The fold of an item is that of the opens on the stack before it, from the bottom up. The base
// fold of a tile is that of the opens below its first survivor. The folds of the survivors by rank,
// counted from the first one, are at the survivors' places in `out` until rows.comp stores results
// there.
#ifndef VKPRIMS_STACK_FOLD_GLSL
#define VKPRIMS_STACK_FOLD_GLSL

#include "stack/stack_fold/stack_fold.abi.h"
#define VKP_STACK_OWN_PUSH
#include "vkprims/core.glsl"
layout(push_constant) uniform Push { StackFoldPush fold_push; };
#define push fold_push.stack
#include "stack/stack_match/search.glsl"
#include "stack/stack_fold/monoids.glsl"
#include "vkprims/subgroup/subgroup.glsl"

// One load may take this many words.
layout(constant_id = VKP_SPEC_ROW_WORDS) const uint value_words = 1;

// Through these, values are read that other lanes of the subgroup have stored.
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Shared1 {
  nonprivate uint v[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Shared2 {
  nonprivate uvec2 v[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Shared4 {
  nonprivate uvec4 v[];
};

uvec2 value_at(const uvec2 base, const uvec2 element) {
  return vkp_add64(base, vkp_mul64(element, 4u * VKP_WORDS));
}

// The host lets one load take 2 or 4 words only where the words of a value are a multiple of them.
VKP_T load_value(const uvec2 at) {
  uint w[VKP_WORDS];
#if VKP_WORDS % 4 == 0
  if (value_words == 4u) {
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; i += 4u) {
      const uvec4 x = Shared4(at).v[i / 4u];
      [[unroll]] for (uint k = 0u; k < 4u; ++k) w[i + k] = x[k];
    }
    return vkp_unpack(w);
  }
#endif
#if VKP_WORDS % 2 == 0
  if (value_words == 2u) {
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; i += 2u) {
      const uvec2 x = Shared2(at).v[i / 2u];
      w[i] = x.x;
      w[i + 1u] = x.y;
    }
    return vkp_unpack(w);
  }
#endif
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = Shared1(at).v[i];
  return vkp_unpack(w);
}
void store_value(const uvec2 at, const VKP_T x) {
  uint w[VKP_WORDS];
  vkp_pack(x, w);
#if VKP_WORDS % 4 == 0
  if (value_words == 4u) {
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; i += 4u) {
      Shared4(at).v[i / 4u] = uvec4(w[i], w[i + 1u], w[i + 2u], w[i + 3u]);
    }
    return;
  }
#endif
#if VKP_WORDS % 2 == 0
  if (value_words == 2u) {
    [[unroll]] for (uint i = 0u; i < VKP_WORDS; i += 2u) {
      Shared2(at).v[i / 2u] = uvec2(w[i], w[i + 1u]);
    }
    return;
  }
#endif
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) Shared1(at).v[i] = w[i];
}

VKP_T load_in(uvec2 element) { return load_value(value_at(vkp_u64(fold_push.values), element)); }
// Loads the fold before an element. Where folds after elements are wanted, it is at the place of
// the element before; the fold before the first element is then not stored, and is the identity.
VKP_T load_out(uvec2 element) {
  if (one_more != 0u && element == uvec2(0u)) return vkp_identity();
  return load_value(value_at(vkp_u64(fold_push.out_base), vkp_sub64(element, uvec2(one_more, 0u))));
}
void store_out(uvec2 element, VKP_T x) {
  if (one_more != 0u && element == uvec2(0u)) return;
  store_value(value_at(vkp_u64(fold_push.out_base), vkp_sub64(element, uvec2(one_more, 0u))), x);
}

// A fold below a tile, as far as it is known: what is further below is below the first survivor of
// tile `link`.
struct BaseFold {
  uint link;  // NONE: nothing is further below
  VKP_T fold;
};
uvec2 fold_at(const uvec2 folds, const uint tile) {
  return vkp_add64(folds, vkp_mul64(tile, VKP_STACK_FOLD_ROOM(VKP_WORDS)));
}
void store_fold(const uvec2 folds, const uint tile, const BaseFold x) {
  uint w[VKP_WORDS];
  vkp_pack(x.fold, w);
  const uvec2 at = fold_at(folds, tile);
  VkpWords(at).v[0] = x.link;
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) VkpWords(at).v[1u + i] = w[i];
}
BaseFold load_fold(uvec2 folds, uint tile) {
  uint w[VKP_WORDS];
  const uvec2 at = fold_at(folds, tile);
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) w[i] = VkpWords(at).v[1u + i];
  return BaseFold(VkpWords(at).v[0], vkp_unpack(w));
}

uint survivors_of(Effect e) { return uint(e.change - e.floor); }

// Returns the fold of the survivors of a tile up to the one at a level. The value of the first
// survivor is read where it came from: its place in `out` may have the fold of what is before the
// tile, see seeds.comp.
VKP_T survivors_upto(Found f, uvec2 level) {
  const uvec2 element = open_at(f, level);
  if (level == f.base) return load_in(element);
  return load_out(element);
}

#endif

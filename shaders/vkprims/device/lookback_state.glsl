// The words in which lookback.glsl publishes values; that file explains what they mean and why they
// are correct.
#ifndef VKPRIMS_LOOKBACK_STATE_GLSL
#define VKPRIMS_LOOKBACK_STATE_GLSL

#include "vkprims/device/lookback_tiles.glsl"

const uint VKP_TAG_EMPTY = 0;
const uint VKP_TAG_FALLBACK = 1;
const uint VKP_TAG_OWNER = 2;
const uint VKP_TAG_PUBLISHER = 3;  // the bits that say which of these
const uint VKP_TAG_CLOSED = 4;     // added to these in the aggregate of a closed tile

#if defined(VKP_STATE_word64)
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define VKP_STATE uint64_t
#define VKP_STATE_BYTES 8
#ifdef VKP_HAS_62_BITS
#ifdef VKP_CLOSED_TILES
#error "lookback.glsl: VKP_HAS_62_BITS leaves no bit for VKP_CLOSED_TILES"
#endif
#define VKP_STATES 1  // of a value
#define VKP_PAYLOAD uvec2
VKP_STATE vkp_state(const uint tag, const uvec2 payload) {
  return packUint2x32(uvec2(payload.x, tag << 30 | payload.y));
}
uint vkp_state_tag(const VKP_STATE s) { return unpackUint2x32(s).y >> 30; }
uvec2 vkp_state_payload(const VKP_STATE s) { return unpackUint2x32(s) & uvec2(~0u, ~0u >> 2); }
#else
#define VKP_STATES VKP_WORDS
#define VKP_PAYLOAD uint
VKP_STATE vkp_state(const uint tag, const uint payload) {
  return packUint2x32(uvec2(payload, tag));
}
uint vkp_state_tag(const VKP_STATE s) { return unpackUint2x32(s).y; }
uint vkp_state_payload(const VKP_STATE s) { return unpackUint2x32(s).x; }
#endif
#elif defined(VKP_STATE_word32)
#define VKP_STATE uint
#define VKP_STATE_BYTES 4
#define VKP_STATES (2 * VKP_WORDS)
#define VKP_PAYLOAD uint
VKP_STATE vkp_state(const uint tag, const uint payload) { return tag << 16 | payload; }
uint vkp_state_tag(const VKP_STATE s) { return s >> 16; }
uint vkp_state_payload(const VKP_STATE s) { return s & 0xffffu; }
#else
#error "lookback.glsl: define VKP_STATE_word64 or VKP_STATE_word32"
#endif

// Words of a value that are known to be 0 need no state. Word 0 is never one of them. The parameter
// is not const, so that the function is inlined, and most calls come to nothing.
#ifndef VKP_WORD_IS_ZERO
#define VKP_WORD_IS_ZERO(word) false
#endif
bool vkp_has_state(uint i) { return !VKP_WORD_IS_ZERO(i * VKP_WORDS / VKP_STATES); }

uint vkp_publisher_of(const VKP_STATE s) { return vkp_state_tag(s) & VKP_TAG_PUBLISHER; }
bool vkp_is_closed(const VKP_STATE s) { return (vkp_state_tag(s) & VKP_TAG_CLOSED) != 0u; }

layout(buffer_reference, std430, buffer_reference_align = VKP_STATE_BYTES) buffer VkpStates {
  nonprivate VKP_STATE v[];
};

// A tile's slot has the words of its aggregate, then those of its inclusive prefix.
const uint VKP_AGGREGATES = 0;
const uint VKP_PREFIXES = VKP_STATES;

uvec2 vkp_slot(const VkpLookback l, const uint tile) {
  const uvec2 slots = vkp_add64(l.scratch, VKP_LOOKBACK_HEADER_BYTES);
  return vkp_add64(slots, vkp_mul64(tile, VKP_LOOKBACK_SLOT_BYTES(VKP_WORDS)));
}

VKP_STATE vkp_load_state(VkpStates slot, uint values, uint i) {
  VKP_STATE state = VKP_STATE(0);
  if (vkp_has_state(i)) state = atomicLoad(slot.v[values + i], gl_ScopeQueueFamily, 0, 0);
  return state;
}

// Converts payload i of a value, and back.
VKP_PAYLOAD vkp_payload(uint w[VKP_WORDS], uint i) {
#if defined(VKP_STATE_word64) && defined(VKP_HAS_62_BITS)
  return w[1] >> 30 == 0u ? uvec2(w[0], w[1]) : uvec2(~0u, ~0u >> 2);
#elif defined(VKP_STATE_word64)
  return w[i];
#else
  return (w[i / 2u] >> (16u * (i % 2u))) & 0xffffu;
#endif
}

VKP_T vkp_from_states(VKP_STATE states[VKP_STATES]) {
  uint w[VKP_WORDS];
#if defined(VKP_STATE_word64) && defined(VKP_HAS_62_BITS)
  const uvec2 payload = vkp_state_payload(states[0]);
  w = uint[](payload.x, payload.y);
#else
  [[unroll]] for (uint i = 0u; i < VKP_WORDS; ++i) {
#if defined(VKP_STATE_word64)
    w[i] = vkp_state_payload(states[i]);
#else
    w[i] = vkp_state_payload(states[2u * i]) | vkp_state_payload(states[2u * i + 1u]) << 16;
#endif
  }
#endif
  return vkp_unpack(w);
}

uint vkp_tag(uint publisher, bool closed) {
  return closed ? publisher | VKP_TAG_CLOSED : publisher;
}

// Called by the owner, in one invocation.
void vkp_publish(const VkpLookback l, const uint values, const uint tile, const VKP_T x,
                 const bool closed) {
  const uint tag = vkp_tag(VKP_TAG_OWNER, closed);
  uint w[VKP_WORDS];
  vkp_pack(x, w);
  VkpStates slot = VkpStates(vkp_slot(l, tile));
  [[unroll]] for (uint i = VKP_STATES - 1u; i > 0u; --i) {
    if (vkp_has_state(i)) {
      atomicStore(slot.v[values + i], vkp_state(tag, vkp_payload(w, i)), gl_ScopeQueueFamily, 0,
                  0);
    }
  }
  const VKP_STATE first = vkp_state(tag, vkp_payload(w, 0u));
  if (values == VKP_AGGREGATES && vkp_lookback_in_place != 0u) {
    atomicExchange(slot.v[VKP_AGGREGATES], first, gl_ScopeQueueFamily,
                   gl_StorageSemanticsBuffer,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |
                       gl_SemanticsMakeVisible);
  } else {
    atomicStore(slot.v[values], first, gl_ScopeQueueFamily, 0, 0);
  }
}

// Called by a workgroup that has recomputed a tile, in one invocation: inserts w where nothing has
// been published. Returns who had published word 0 before. If that is OWNER and outputs may
// overwrite inputs, w and closed become the owner's.
uint vkp_insert_states(VkpLookback l, uint tile, inout uint w[VKP_WORDS], inout bool closed) {
  const uint tag = vkp_tag(VKP_TAG_FALLBACK, closed);
  const VKP_STATE mine = vkp_state(tag, vkp_payload(w, 0u));
  VkpStates slot = VkpStates(vkp_slot(l, tile));
  VKP_STATE before;
  if (vkp_lookback_in_place == 0u) {
    before = atomicCompSwap(slot.v[VKP_AGGREGATES], VKP_STATE(0), mine, gl_ScopeQueueFamily, 0, 0,
                            0, 0);
  } else {
    before = atomicCompSwap(
        slot.v[VKP_AGGREGATES], VKP_STATE(0), mine, gl_ScopeQueueFamily,
        gl_StorageSemanticsBuffer,
        gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible,
        gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
    if (vkp_publisher_of(before) == VKP_TAG_FALLBACK) {
      // A compare-exchange that fails writes nothing and so releases nothing; M needs a write.
      before = atomicOr(slot.v[VKP_AGGREGATES], VKP_STATE(0), gl_ScopeQueueFamily,
                        gl_StorageSemanticsBuffer,
                        gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable |
                            gl_SemanticsMakeVisible);
    }
    if (vkp_publisher_of(before) == VKP_TAG_OWNER) {
      VKP_STATE owners[VKP_STATES];
      [[unroll]] for (uint i = 0u; i < VKP_STATES; ++i) {
        owners[i] = vkp_load_state(slot, VKP_AGGREGATES, i);
      }
      vkp_pack(vkp_from_states(owners), w);
      closed = vkp_is_closed(before);
      return VKP_TAG_OWNER;
    }
  }
  [[unroll]] for (uint i = 1u; i < VKP_STATES; ++i) {
    if (vkp_has_state(i)) {
      atomicCompSwap(slot.v[VKP_AGGREGATES + i], VKP_STATE(0), vkp_state(tag, vkp_payload(w, i)),
                     gl_ScopeQueueFamily, 0, 0, 0, 0);
    }
  }
  return vkp_publisher_of(before);
}

const uint VKP_FOUND_NOTHING = 0;
const uint VKP_FOUND_AGGREGATE = 1;
const uint VKP_FOUND_PREFIX = 2;

bool vkp_complete(VKP_STATE states[VKP_STATES]) {
  const uint tag = vkp_state_tag(states[0]);
  uint differ = 0u;  // without branches
  [[unroll]] for (uint i = 1u; i < VKP_STATES; ++i) {
    differ |= vkp_has_state(i) ? vkp_state_tag(states[i]) ^ tag : 0u;
  }
  return tag != VKP_TAG_EMPTY && differ == 0u;
}

// Reads what is published of a tile and returns one of VKP_FOUND_*. The value is chosen without
// branches, lest compilers load the aggregate only after they have seen that there is no prefix: a
// walk takes as long as its dependent loads.
uint vkp_poll(VkpLookback l, uint tile, inout VKP_T value) {
  VkpStates slot = VkpStates(vkp_slot(l, tile));
  VKP_STATE aggregate[VKP_STATES];
  VKP_STATE prefix[VKP_STATES];
  [[unroll]] for (uint i = 0u; i < VKP_STATES; ++i) {
    prefix[i] = vkp_load_state(slot, VKP_PREFIXES, i);
    aggregate[i] = vkp_load_state(slot, VKP_AGGREGATES, i);
  }
  const bool has_prefix = vkp_complete(prefix);
  const bool has_aggregate = vkp_complete(aggregate);
  VKP_STATE states[VKP_STATES];
  [[unroll]] for (uint i = 0u; i < VKP_STATES; ++i) {
    states[i] = has_prefix ? prefix[i] : aggregate[i];
  }
  if (has_prefix || has_aggregate) value = vkp_from_states(states);
  const bool is_closed = vkp_is_closed(aggregate[0]);
  const bool is_prefix = has_aggregate && is_closed;
  if (has_prefix || is_prefix) return VKP_FOUND_PREFIX;
  return has_aggregate ? VKP_FOUND_AGGREGATE : VKP_FOUND_NOTHING;
}

#endif

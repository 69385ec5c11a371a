// A few heights of the tree of least keys above one that exists. This is the second kind of
// dispatches of nearest_smaller: there are as many as it takes to come to one key.
//
// Each invocation has a node of 8 keys; the nodes above are made in shared memory as far as the
// workgroup reaches, 4 heights with 512 invocations.
// %VARIANT% KEY word|pair
// %UNROLL% driver
#version 460
#extension GL_GOOGLE_include_directive : require
#include "stack/nearest_smaller/tree.glsl"

shared VKP_KEY least_keys[gl_WorkGroupSize.x];

void main() {
  const uint own = gl_LocalInvocationIndex;
  Nodes below = nodes_at(tiles_of(load_sequence()), push.height);
  if (below.count <= 1u) return;
  uint node = vkp_group_index() * gl_WorkGroupSize.x + own;
  Nodes nodes = nodes_above(below);
  VKP_KEY key = LAST;
  if (node < nodes.count) {
    const uint first = node * FAN_OUT;
    key = least_of_node(tree_keys(), below.begin + first, below.count - first);
    store_key(tree_keys(), nodes.begin + node, key);
  }
  for (uint width = gl_WorkGroupSize.x / FAN_OUT; width != 0u; width /= FAN_OUT) {
    if (nodes.count <= 1u) return;  // that was the root
    barrier();
    least_keys[own] = key;
    barrier();
    nodes = nodes_above(nodes);
    node = vkp_group_index() * width + own;
    if (own < width) {
      key = LAST;
      [[unroll]] for (uint k = 0u; k < FAN_OUT; ++k) {
        key = least_of(key, least_keys[FAN_OUT * own + k]);
      }
      if (node < nodes.count) store_key(tree_keys(), nodes.begin + node, key);
    }
  }
}

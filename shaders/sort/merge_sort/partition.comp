// Merge sort, before each merge of runs: finds where its tiles begin in their two runs.
// %INLINE% all
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sort/merge_sort/records.glsl"
#include "sort/merge_sort/run_merges.glsl"

void main() {
  vkp_record_tiles(vkp_push.tile_items, vkp_u64(vkp_push.records), vkp_push.tiles);
}

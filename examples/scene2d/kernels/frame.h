/* Where everything is that the kernels of a frame read and write; read by GLSL and C++. */
#ifndef SCENE2D_FRAME_H
#define SCENE2D_FRAME_H
#ifdef __cplusplus
#include <cstdint>
namespace scene2d {
using uint = std::uint32_t;
#define ARRAY_OF(block) std::uint64_t /* the device address of an array */
#else
#define ARRAY_OF(block) block
#endif

#define TILE_SIZE 16   /* pixels along each side; edges count in 1/4096 pixel, so a tile is 2^16 */
#define NOTHING 0xffffffffu

/* DeviceReport of the library. */
struct Report {
  uint code, reserved, count_low, count_high, first_low, first_high, needed_low, needed_high;
};

/* What only the GPU knows; the host reads it when the frame is done. */
struct Results {
  uint items, items_high, pairs, pairs_high, lines, lines_high, edges, edges_high;
  uint crossings, crossings_high, tiles, tiles_high;
  uint saved;      /* words for each pixel of a tile that were asked for */
  uint deepest;    /* words that one tile needs */
  uint longest;    /* list of a tile */
  uint reserved;   /* brackets begin at a multiple of 8 */
  uint brackets[10]; /* vkprims::StackHeader of clips and layers */
  Report pair_report, line_report, edge_report, crossing_report;
  uint draw[4]; /* VkDrawIndirectCommand */
};

#ifndef __cplusplus
layout(buffer_reference, std430, buffer_reference_align = 8) buffer ResultsBlock { Results v; };
#endif

struct Frame {
  /* The scene, written by the host. */
  ARRAY_OF(VkpUints) tags; /* four to a word */
  ARRAY_OF(Points) points;
  ARRAY_OF(Ops) ops;
  ARRAY_OF(Paints) paints;
  ARRAY_OF(Stops) stops;

  /* Of words of tags: what comes before them. */
  ARRAY_OF(PathCountsArray) counts_before;
  /* Of segments. Lines are what they are flattened to. */
  ARRAY_OF(Segments) segments;
  ARRAY_OF(Boxes) segment_boxes;
  ARRAY_OF(VkpUints) line_counts;
  ARRAY_OF(VkpUints) line_begins;
  ARRAY_OF(Subpaths) subpaths;

  /* Of operations. */
  ARRAY_OF(VkpUints) op_segments; /* where the segments of the shape begin */
  ARRAY_OF(VkpUints) transform_symbols;
  ARRAY_OF(Matrices) transforms;
  ARRAY_OF(Matrices) matrices; /* products of the transforms that hold */
  ARRAY_OF(VkpUints) clip_symbols;
  ARRAY_OF(VkpUints) clip_match;
  ARRAY_OF(Boxes) op_boxes;    /* of shapes */
  ARRAY_OF(Boxes) clip_values; /* what clips and layers confine to */
  ARRAY_OF(Boxes) clip_boxes;  /* intersections of those that hold */
  ARRAY_OF(Items) op_items;
  ARRAY_OF(Brushes) brushes;
  ARRAY_OF(VkpUints) item_of_op; /* NOTHING: cannot be seen */

  /* Of items, which are the operations that can be seen. */
  ARRAY_OF(Items) items;
  ARRAY_OF(VkpUints) pair_counts;
  ARRAY_OF(VkpUints) pair_begins;

  /* Of pairs of an item and a tile, row by row of each item. */
  ARRAY_OF(VkpUints) pair_items;
  ARRAY_OF(VkpUints) pair_ranks;
  ARRAY_OF(VkpUints) pair_tiles;
  ARRAY_OF(VkpUints) pair_numbers;
  ARRAY_OF(VkpUints) sorted_tiles;
  ARRAY_OF(VkpUints) sorted_pairs;
  ARRAY_OF(VkpInts) backdrops; /* the winding numbers at the upper left corners of their tiles */
  ARRAY_OF(VkpUints) places; /* of each pair among the sorted ones, where it is called a cell */

  /* Of cells, so that the edges of a tile are together. */
  ARRAY_OF(VkpUints) cell_counts; /* crossings in the cell */
  ARRAY_OF(VkpUints) cell_begins;
  ARRAY_OF(Entries) entries;

  /* Of lines, and of the edges that they become. */
  ARRAY_OF(VkpUints) line_segments;
  ARRAY_OF(VkpUints) line_ranks;
  ARRAY_OF(Lines) lines;
  ARRAY_OF(VkpUints) edge_counts;
  ARRAY_OF(VkpUints) edge_begins;
  ARRAY_OF(VkpUints) edge_lines;
  ARRAY_OF(VkpUints) edge_ranks;
  ARRAY_OF(Edges) edges;
  ARRAY_OF(VkpUints) edge_items;
  ARRAY_OF(VkpUints) crossing_counts;
  ARRAY_OF(VkpUints) crossing_begins;

  /* Of crossings of an edge and a tile. */
  ARRAY_OF(VkpUints) crossing_edges;
  ARRAY_OF(VkpUints) crossing_ranks;
  ARRAY_OF(VkpUints) crossing_cells; /* NOTHING: outside of the item's tiles */
  ARRAY_OF(VkpUints) crossing_slots;
  ARRAY_OF(VkpUints) cell_edges; /* the edges of each cell */

  /* Of tiles. */
  ARRAY_OF(VkpUints) tile_begins;
  ARRAY_OF(VkpUints) tile_sizes;  /* entries */
  ARRAY_OF(VkpUints) drawn_tiles; /* the tiles that have entries */
  ARRAY_OF(VkpUints) saved;      /* what clips and layers save, a word for each pixel of a tile */

  ARRAY_OF(VkpUints) picture; /* a pixel a word: r | g << 8 | b << 16 | a << 24 */
  ARRAY_OF(ResultsBlock) results;

  uint words, ops_in_all, segments_in_all;
  uint width, height;                /* of the picture, in pixels */
  uint tiles_across, tiles_down;
  uint background;                   /* as a pixel of the picture */
  uint line_room, edge_room, pair_room, crossing_room;
  uint saved_room;                   /* words for each pixel of a tile */
  uint infinite_boxes;               /* 1: clips are not used to leave work out */
};

#ifdef __cplusplus
}
#endif
#endif

/* What callers of lookback.glsl need to know; read by GLSL and C++. */
#ifndef VKPRIMS_LOOKBACK_H
#define VKPRIMS_LOOKBACK_H

#include "vkprims/spec.h"

/* Specialization constants (struct LookbackConstants). */
#define VKP_LOOKBACK_SPEC_SPINS (VKP_SPEC_LOOKBACK + 0)      /* polls in vain before the fallback */
#define VKP_LOOKBACK_SPEC_PAUSE (VKP_SPEC_LOOKBACK + 1)      /* shuffles before the first poll */
#define VKP_LOOKBACK_SPEC_BY_GROUP (VKP_SPEC_LOOKBACK + 2)   /* 1: tile = number of the workgroup */
#define VKP_LOOKBACK_SPEC_IN_PLACE (VKP_SPEC_LOOKBACK + 3)   /* 1: outputs may overwrite inputs */
#define VKP_LOOKBACK_SPEC_STATISTICS (VKP_SPEC_LOOKBACK + 4) /* 1: count into the header */
#define VKP_LOOKBACK_SPEC_FAULTS (VKP_SPEC_LOOKBACK + 5)     /* bits below, for tests */
#define VKP_LOOKBACK_SPEC_PERIOD (VKP_SPEC_LOOKBACK + 6)     /* of the faults, in tiles; not 0 */

/* Faults that tests inject. */
/* A tile whose number is a multiple of the period never publishes; in place it publishes its
   aggregate, but only just before its first output. */
#define VKP_LOOKBACK_SILENT 1
#define VKP_LOOKBACK_DELAYED 2  /* such a tile publishes late */
#define VKP_LOOKBACK_SHUFFLED 4 /* each run of `period` tickets is handed out backwards */
#define VKP_LOOKBACK_FORCED 8   /* every tile recomputes the one before it at once */

/* Scratch: a header of words, all 0 before the dispatch, then the states of the tiles, all 0. */
#define VKP_LOOKBACK_TICKET 0       /* the next tile */
#define VKP_LOOKBACK_POLLS 1        /* from here on statistics: reads of a window of states */
#define VKP_LOOKBACK_SPUN 2         /* reads that found nothing new */
#define VKP_LOOKBACK_FALLBACKS 3    /* tiles recomputed by another workgroup */
#define VKP_LOOKBACK_INSERTIONS 4   /* recomputed tiles whose result was published first */
#define VKP_LOOKBACK_OVERTAKEN 5    /* recomputed tiles that owners published first (in place) */
#define VKP_LOOKBACK_WALKED 6       /* states consumed by all tiles together */
#define VKP_LOOKBACK_LONGEST 7      /* states consumed by one walk, at most */
#define VKP_LOOKBACK_MOST_SPINS 8   /* polls in vain in a row, at most */
#define VKP_LOOKBACK_DELAYS 9       /* counts up while a delayed tile waits */
#define VKP_LOOKBACK_TILES 10         /* tiles done */
#define VKP_LOOKBACK_OWN 12           /* from here on 4 words of the includer's own */
#define VKP_LOOKBACK_HEADER_BYTES 64
/* The bytes of state per tile for an element of `words` 32-bit words: two values of 8 bytes a word.
   Slots do not share the units in which caches serve requests, as the few tiles that everybody
   polls would be a hot spot (H200: 12 % of a scan). */
#define VKP_LOOKBACK_SLOT_BYTES(words) ((words) <= 4 ? 64 : 16 * (words))

#endif

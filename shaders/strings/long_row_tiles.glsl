// What tiles of rows (vkprims/strings/row_tiles.glsl) need to leave long rows (long_rows.glsl) to
// others. It is included before.
#ifndef STRINGS_LONG_ROW_TILES_GLSL
#define STRINGS_LONG_ROW_TILES_GLSL

#include "vkprims/strings/tiles.glsl"
#include "strings/long_rows.glsl"

#define VKP_LONG_ROW LongRow
#define VKP_LONG_ROW_OF(row, x) long_row(row, x.text)
#define VKP_IS_LEFT(y) is_known(y)

#endif

// Scenes as text, one operation per line. Words in capitals stand for values; those in [] may be
// left out. A # at the beginning of a line, or between blanks, begins a comment.
//
//   size W H [COLOUR]                              the picture in pixels, and its background
//   linear NAME x0 y0 x1 y1 [SPREAD] AT COLOUR…    names a gradient. AT is 0 … 1, ascending, and
//   radial NAME cx cy r fx fy [SPREAD] AT COLOUR…  SPREAD is pad, reflect or repeat.
//   push a b c d e f | pop                         a transform, and its end
//   clip [evenodd] SHAPE | unclip                  a clip, and its end
//   layer OPACITY | unlayer                        a layer, and its end
//   fill PAINT [evenodd] [opacity O] SHAPE
//   stroke PAINT WIDTH [cap CAP] [join JOIN] [miter LIMIT] [opacity O] SHAPE
//   SHAPE: rect x y w h | round x y w h rx ry | ellipse cx cy rx ry | polygon x y… | path DATA
//   PAINT: #rrggbb | #rrggbbaa | the NAME of a gradient
//
// COLOUR is one of the first two paints, CAP is butt, round or square, JOIN miter, round or bevel,
// and DATA that of SVG. Ends without a beginning are legal, and so is the reverse.
#pragma once

#include <string_view>

#include "scene.hpp"

namespace scene2d {

// Throws std::runtime_error, "line N: …", if something is wrong with the text.
Scene read_scene_text(std::string_view text);

}  // namespace scene2d

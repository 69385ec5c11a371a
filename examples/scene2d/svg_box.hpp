// The bounding boxes of elements.
#pragma once

#include "svg_document.hpp"
#include "svg_shapes.hpp"
#include "svg_walk.hpp"

namespace scene2d {

// The box of what the element consists of, in its own coordinates, as objectBoundingBox means it:
// strokes, clips and whether something is visible do not matter.
Box box_of(Document& document, Route& route, const Element& element);

}  // namespace scene2d

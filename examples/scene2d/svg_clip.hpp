// What the clip-path of an element leaves of it.
#pragma once

#include <cstddef>

#include "scene.hpp"
#include "svg_document.hpp"
#include "svg_walk.hpp"

namespace scene2d {

// Begins the clips that an element has, and returns how many there are. A <clipPath> is one, and
// that which clips it is another.
std::size_t begin_clips(Scene& scene, Document& document, Route& route, const Element& element);

}  // namespace scene2d

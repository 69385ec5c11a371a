// The renderer on the CPU: slow, simple and exact, to compare the other one with.
#pragma once

#include "picture.hpp"
#include "scene.hpp"

namespace scene2d {

// PICTURE.md says what the picture is. find_error() must find nothing in the scene.
Picture render_cpu(const Scene& scene);

}  // namespace scene2d

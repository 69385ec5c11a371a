// What the example claims, checked: scene2d --check.
#pragma once

#include "gpu.hpp"
#include "scene.hpp"

namespace scene2d {

// Prints a line for each check. Returns how many failed. `full` takes the scenes at their full
// sizes, which is for GPUs; otherwise they are of a size that lavapipe renders in seconds.
int check_all(Gpu& gpu, bool full);

// Renders with both renderers and prints how they differ; returns whether they agree.
bool verify(Gpu& gpu, const Scene& scene, const std::string& name);

}  // namespace scene2d

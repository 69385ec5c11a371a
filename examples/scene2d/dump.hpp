// Prints what each stage has made: scene2d --dump.
#pragma once

#include "frame_arrays.hpp"

namespace scene2d {

// The arrays of a frame that has finished. Copies them to the host first.
void dump(Gpu& gpu, const FrameArrays& arrays, const Results& results);

}  // namespace scene2d

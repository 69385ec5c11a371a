// The compiled shaders of the graphics pass.
#pragma once

#include <cstdint>

namespace scene2d {

inline constexpr std::uint32_t kTilesVert[] = {
#include "tiles_vert.inc"
};
inline constexpr std::uint32_t kTilesFrag[] = {
#include "tiles_frag.inc"
};

}  // namespace scene2d

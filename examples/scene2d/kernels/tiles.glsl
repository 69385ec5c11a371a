// What both shaders of the graphics pass read.
#extension GL_EXT_buffer_reference : require

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Uints { uint v[]; };
layout(push_constant) uniform Push {
  Uints drawn;    // tiles
  Uints picture;  // pixels
  uint tiles_across, tile_size;
  uvec2 size;  // of the picture in pixels
};

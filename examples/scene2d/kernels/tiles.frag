// Samples the picture.
#version 460

layout(set = 0, binding = 0) uniform sampler2D picture;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 colour;

void main() { colour = texture(picture, at / vec2(textureSize(picture, 0))); }

/* What keys.glsl makes of the constant that says what keys are; read by GLSL and C++. */
#ifndef VKPRIMS_KEYS_H
#define VKPRIMS_KEYS_H

/* A vkprims::Type, and added to that of floats where they compare by value, not by bits: */
#define VKP_KEY_BY_VALUE 8

#endif

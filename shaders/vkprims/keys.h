/* The specialization constant of keys.glsl that says what keys are; read by GLSL and C++. */
#ifndef VKPRIMS_KEYS_H
#define VKPRIMS_KEYS_H

/* The constant is a vkprims::Type; this is added for floats that compare by value, not by bits. */
#define VKP_KEY_BY_VALUE 8

#endif

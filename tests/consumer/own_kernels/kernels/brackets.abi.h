/* Which numbers stand for an opening bracket; read by GLSL and C++. */
#define BRACKETS_IS_OPEN(i) (((i)*2654435761u) >> 31 == 0u)

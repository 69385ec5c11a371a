// Names of up to 24 bytes, with the least significant byte first, and numbers of 64 bits.
#extension GL_ARB_gpu_shader_int64 : require
struct Name {
  uint letters[6];
  uint64_t number;
};
#define VKP_T Name
bool vkp_less(Name a, Name b) {
  for (int i = 0; i < 6; ++i) {
    if (a.letters[i] != b.letters[i]) return a.letters[i] < b.letters[i];
  }
  return a.number < b.number;
}

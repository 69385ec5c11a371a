// 7 words, of which the last is compared, and then the first.
struct Words { uint w[7]; };
#define VKP_T Words
bool vkp_less(Words a, Words b) {
  return a.w[6] < b.w[6] || (a.w[6] == b.w[6] && a.w[0] < b.w[0]);
}

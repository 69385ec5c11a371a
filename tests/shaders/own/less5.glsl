// 5 words, of which the last is compared, and then the first.
struct Words { uint w[5]; };
#define VKP_T Words
bool vkp_less(Words a, Words b) {
  return a.w[4] < b.w[4] || (a.w[4] == b.w[4] && a.w[0] < b.w[0]);
}

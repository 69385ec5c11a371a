// 6 words, of which the last is compared, and then the first.
struct Words { uint w[6]; };
#define VKP_T Words
bool vkp_less(Words a, Words b) {
  return a.w[5] < b.w[5] || (a.w[5] == b.w[5] && a.w[0] < b.w[0]);
}

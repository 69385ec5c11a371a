// Samples of 32 bytes, by a channel and two bounds of 8 bytes.
struct Sample {
  uint channel;
  float weights[5];
  uint64_t time;
};
struct Window {
  uint64_t from, before;
  uint channel, unused;
};

bool vkp_predicate(Sample x, uvec2 index, Window w) {
  return x.channel == w.channel && x.time >= w.from && x.time < w.before;
}

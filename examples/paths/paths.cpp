// Finds out in one scan what a vector renderer has to know before it draws: which path and
// transform each segment has, and the bounding boxes of the paths. The monoid is in segments.glsl.
// That tags of segments form one is an idea of Vello, a renderer of vector graphics.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "paths/segments.hpp"
#include "vkprims/context.hpp"

using paths::segments::Segment;  // made of the struct in GLSL

namespace {

std::uint32_t tag(bool begins, bool transforms, int dx, int dy) {
  const auto bits = [](int move) { return static_cast<std::uint32_t>(move) & 0x7fff; };
  return begins | transforms << 1 | bits(dx) << 2 | bits(dy) << 17;
}

// Follows the pen from segment to segment.
class Pen {
 public:
  Segment move(bool begins, bool transforms, int dx, int dy) {
    int(&box)[4] = now_.box;
    x_ += dx;
    y_ += dy;
    now_.path += begins;
    now_.transform += transforms;
    box[0] = begins ? x_ : std::min(box[0], x_);
    box[1] = begins ? y_ : std::min(box[1], y_);
    box[2] = begins ? x_ : std::max(box[2], x_);
    box[3] = begins ? y_ : std::max(box[3], y_);
    return now_;
  }

 private:
  Segment now_{.path = ~0u, .transform = 0, .box = {}};
  int x_ = 0, y_ = 0;
};

}  // namespace

int main() try {
  constexpr std::uint32_t kSegments = 200000;
  std::vector<std::uint32_t> tags;
  std::vector<Segment> expected;
  Pen pen;
  for (std::uint32_t i = 0; i < kSegments; ++i) {
    const bool begins = i % 23 == 0, transforms = i % 46 == 0;
    const int dx = static_cast<int>(i * 7919 % 401) - 200, dy = static_cast<int>(i % 301) - 150;
    tags.push_back(tag(begins, transforms, dx, dy));
    expected.push_back(pen.move(begins, transforms, dx, dy));
  }

  vkprims::Context context;
  const auto packed = context.upload(tags);
  const auto unpacked = context.allocate<Segment>(kSegments);
  context.run([&](vkprims::Recorder& r) { paths::segments::scan(r, {}, packed, unpacked); });

  const std::vector<Segment> segments = context.download(unpacked);
  const bool right =
      std::memcmp(segments.data(), expected.data(), sizeof(Segment) * kSegments) == 0;
  const auto& [path, transform, box] = segments.back();
  std::printf("path %u has transform %u and lies in (%d, %d) … (%d, %d): %s\n", path, transform,
              box[0], box[1], box[2], box[3], right ? "right" : "wrong");
  return right ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "paths: %s\n", error.what());
  return 1;
}

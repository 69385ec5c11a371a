// Benchmark rows of scans, reductions and rolling windows over monoids as users write them: the
// built-in sum, to compare, boxes of 16 bytes, tags of 4 bytes that become a struct of 16 and this
// an index, and those of examples/paths, which become a struct of 32 bytes and this one of 24.
#include <algorithm>

#include "harness.hpp"
#include "vkprims-bench/bounds.hpp"
#include "vkprims-bench/path.hpp"
#include "vkprims-bench/segments.hpp"
#include "vkprims-bench/sum.hpp"
#include "vkprims/reduce.hpp"
#include "vkprims/rolling.hpp"
#include "vkprims/scan.hpp"

namespace vkprims::bench {
namespace {

using own::bounds::Bounds;
using own::path::Path;
using own::segments::Segment;
using own::segments::Walk;

// The functions of the monoids on the host.
std::uint32_t combined(std::uint32_t a, std::uint32_t b) { return a + b; }
Bounds combined(const Bounds& a, const Bounds& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}
Path combined(const Path& a, const Path& b) {
  return {a.points + b.points, a.paths + b.paths, a.transforms + b.transforms,
          b.points_of_path + (b.paths == 0 ? a.points_of_path : 0)};
}
Walk combined(const Walk& a, const Walk& b) {
  Walk x{.paths = a.paths + b.paths, .transforms = a.transforms + b.transforms};
  for (int k = 0; k < 2; ++k) x.pen[k] = a.pen[k] + b.pen[k];
  for (int k = 0; k < 4; ++k) {
    x.box[k] = b.box[k] + a.pen[k % 2];
    if (b.paths == 0)
      x.box[k] = k < 2 ? std::min(a.box[k], x.box[k]) : std::max(a.box[k], x.box[k]);
  }
  return x;
}
struct Sum {
  using In = std::uint32_t;
  using Out = std::uint32_t;
  static constexpr const Monoid& monoid() { return own::sum::monoid; }
  static std::uint32_t identity() { return 0; }
  static std::uint32_t load(std::uint32_t x) { return x; }
  static std::uint32_t store(std::uint32_t exclusive, std::uint32_t, std::uint32_t) {
    return exclusive;
  }
};
struct Boxes {
  using In = Bounds;
  using Out = Bounds;
  static constexpr const Monoid& monoid() { return own::bounds::monoid; }
  static Bounds identity() { return {3e38f, 3e38f, -3e38f, -3e38f}; }
  static Bounds load(const Bounds& x) { return x; }
  static Bounds store(const Bounds& exclusive, const Bounds&, std::uint32_t) { return exclusive; }
};
struct Tags {
  using In = std::uint32_t;
  using Out = std::uint32_t;
  static constexpr const Monoid& monoid() { return own::path::monoid; }
  static Path identity() { return {}; }
  static Path load(std::uint32_t tag) {
    const std::uint32_t points = tag & 7, ends = tag >> 3 & 1;
    return {points, ends, tag >> 4 & 1, ends ? 0 : points};
  }
  static std::uint32_t store(const Path& exclusive, const Path& inclusive, std::uint32_t index) {
    return exclusive.points ^ exclusive.points_of_path << 8 ^ inclusive.transforms << 20 ^ index;
  }
};
struct Segments {
  using In = std::uint32_t;
  using Out = Segment;
  static constexpr const Monoid& monoid() { return own::segments::monoid; }
  static Walk identity() {
    constexpr std::int32_t kFar = 1 << 30;
    return {.paths = 0, .transforms = 0, .pen = {}, .box = {kFar, kFar, -kFar, -kFar}};
  }
  static Walk load(std::uint32_t tag) {
    const auto bits = static_cast<std::int32_t>(tag);
    const std::int32_t x = bits << 15 >> 17, y = bits >> 17;
    return {.paths = tag & 1, .transforms = tag >> 1 & 1, .pen = {x, y}, .box = {x, y, x, y}};
  }
  static Segment store(const Walk&, const Walk& inclusive, std::uint32_t) {
    Segment x{.path = inclusive.paths - 1, .transform = inclusive.transforms};
    std::ranges::copy(inclusive.box, x.box);
    return x;
  }
};

struct Memory {
  Buffer<std::uint32_t> in, out;
  Session::ScratchBlock scratch;
};

template <class T>
std::vector<std::uint32_t> words_of(const std::vector<T>& values) {
  std::vector<std::uint32_t> words(values.size() * sizeof(T) / 4);
  std::memcpy(words.data(), values.data(), words.size() * 4);
  return words;
}

template <class M>
std::vector<typename M::In> inputs(std::uint64_t n) {
  const auto words = host_data<std::uint32_t>(
      std::is_same_v<M, Boxes> ? data_for<float>() : data_for<std::uint32_t>(),
      n * sizeof(typename M::In) / 4);
  std::vector<typename M::In> values(n);
  if (n) std::memcpy(values.data(), words.data(), words.size() * 4);
  return values;
}

template <class M>
std::shared_ptr<Memory> memory_for(Session& session, std::uint64_t n, std::uint64_t out_bytes,
                                   const ScratchNeed& need) {
  auto m = std::make_shared<Memory>();
  m->in = session.allocate<std::uint32_t>(n * sizeof(typename M::In) / 4);
  m->out = session.allocate<std::uint32_t>(out_bytes / 4);
  m->scratch = session.allocate_scratch(need);
  session.generate(m->in.address(), n * sizeof(typename M::In) / 4,
                   std::is_same_v<M, Boxes> ? data_for<float>() : data_for<std::uint32_t>());
  return m;
}

template <class M>
Case make_scan(Session& session, std::uint64_t n) {
  using Out = typename M::Out;
  const ScanDesc desc{.own = &M::monoid(), .count = n};
  const auto m = memory_for<M>(session, n, n * sizeof(Out), scan_scratch(session.device(), desc));
  Case result;
  result.items = n;
  result.ideal_bytes = n * (sizeof(typename M::In) + sizeof(Out));
  result.record = [&session, m, desc](VkCommandBuffer cmd) {
    return record_scan(cmd, session.device(), desc,
                       {m->in.view(), m->out.view(), m->scratch.scratch});
  };
  result.mismatch = [&session, m, n] {
    std::vector<Out> want;
    auto total = M::identity();
    for (const auto& x : inputs<M>(n)) {
      const auto next = combined(total, M::load(x));
      want.push_back(M::store(total, next, static_cast<std::uint32_t>(want.size())));
      total = next;
    }
    return first_difference(session.context().download(m->out), words_of(want));
  };
  return result;
}

template <class M>
Case make_reduce(Session& session, std::uint64_t n) {
  const ReduceDesc desc{.own = &M::monoid(), .count = n};
  const auto m =
      memory_for<M>(session, n, M::monoid().bytes, reduce_scratch(session.device(), desc));
  Case result;
  result.items = n;
  result.ideal_bytes = n * sizeof(typename M::In);
  result.record = [&session, m, desc](VkCommandBuffer cmd) {
    return record_reduce(cmd, session.device(), desc,
                         {m->in.view(), m->out.view(), m->scratch.scratch});
  };
  result.mismatch = [&session, m, n] {
    auto total = M::identity();
    for (const auto& x : inputs<M>(n)) total = combined(total, M::load(x));
    return first_difference(session.context().download(m->out), words_of(std::vector{total}));
  };
  return result;
}

template <class M, std::int64_t kWindow>
Case make_rolling(Session& session, std::uint64_t n) {
  using T = typename M::In;
  const RollingDesc desc{.own = &M::monoid(), .count = n, .preceding = kWindow};
  const auto m = memory_for<M>(session, n, n * sizeof(T), rolling_scratch(session.device(), desc));
  Case result;
  result.items = n;
  result.ideal_bytes = 2 * n * sizeof(T);
  result.record = [&session, m, desc](VkCommandBuffer cmd) {
    return record_rolling(
        cmd, session.device(), desc,
        {.in = m->in.view(), .out = m->out.view(), .scratch = m->scratch.scratch});
  };
  result.mismatch = [&session, m, n] {
    const std::vector<T> in = inputs<M>(n);
    const std::uint64_t rows = std::min<std::uint64_t>(n, 50'000'000 / kWindow);  // the last ones
    std::vector<T> want;
    for (std::uint64_t i = n - rows; i < n; ++i) {
      T fold = M::identity();
      for (std::uint64_t e = i + 1 - std::min<std::uint64_t>(i + 1, kWindow); e <= i; ++e) {
        fold = combined(fold, in[e]);
      }
      want.push_back(fold);
    }
    const std::uint64_t words = sizeof(T) / 4;
    return first_difference(session.context().download(m->out, (n - rows) * words, rows * words),
                            words_of(want));
  };
  return result;
}

const RegisterOther kRows({
    {.name = "own_monoid/scan_u32_sum", .bytes_per_item = 8, .make = make_scan<Sum>},
    {.name = "own_monoid/scan_boxes", .bytes_per_item = 32, .make = make_scan<Boxes>},
    {.name = "own_monoid/scan_tags_to_indices", .bytes_per_item = 8, .make = make_scan<Tags>},
    {.name = "own_monoid/scan_tags_to_segments", .bytes_per_item = 28, .make = make_scan<Segments>},
    {.name = "own_monoid/reduce_u32_sum", .bytes_per_item = 4, .make = make_reduce<Sum>},
    {.name = "own_monoid/reduce_boxes", .bytes_per_item = 16, .make = make_reduce<Boxes>},
    {.name = "own_monoid/reduce_tags", .bytes_per_item = 4, .make = make_reduce<Tags>},
    {.name = "own_monoid/rolling_u32_sum_w100",
     .bytes_per_item = 8,
     .make = make_rolling<Sum, 100>},
    {.name = "own_monoid/rolling_boxes_w4", .bytes_per_item = 32, .make = make_rolling<Boxes, 4>},
    {.name = "own_monoid/rolling_boxes_w100",
     .bytes_per_item = 32,
     .make = make_rolling<Boxes, 100>},
    {.name = "own_monoid/rolling_boxes_w3000",
     .bytes_per_item = 32,
     .make = make_rolling<Boxes, 3000>},
    {.name = "own_monoid/rolling_boxes_w100000",
     .bytes_per_item = 32,
     .make = make_rolling<Boxes, 100'000>},
});

}  // namespace
}  // namespace vkprims::bench

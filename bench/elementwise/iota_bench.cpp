// Benchmark rows of iota.
#include "harness.hpp"
#include "oracles/iota.hpp"
#include "vkprims/iota.hpp"

namespace vkprims::bench {
namespace {

template <class T>
struct Iota {
  Buffer<T> out;
  IotaDesc desc;
};

// `offset` is the number of elements between a multiple of 16 bytes and `out`.
template <class T, std::uint64_t offset = 0>
Case make_iota(Session& session, std::uint64_t n) {
  constexpr T start(7), step(3);
  auto c = std::make_shared<Iota<T>>();
  c->out = session.allocate<T>(n + 1);
  c->desc = {.type = type_of<T>(), .count = n, .start = start, .step = step};

  Case result;
  result.items = n;
  result.ideal_bytes = n * sizeof(T);
  result.record = [&session, c, n](VkCommandBuffer cmd) {
    return record_iota(cmd, session.device(), c->desc, {.out = c->out.slice(offset, n).view()});
  };
  result.mismatch = [&session, c, n] {
    std::vector<T> want(n);
    oracle::iota<T>(want, start, step);
    return first_difference(session.context().download(c->out, offset, n), want);
  };
  return result;
}

const Register kRows({
    headline(
        "elementwise",
        {.name = "iota/u32", .bytes_per_item = 4, .main = true, .make = make_iota<std::uint32_t>}),
    {.name = "iota/f32", .bytes_per_item = 4, .make = make_iota<float>},
    {.name = "iota/unaligned4", .bytes_per_item = 4, .make = make_iota<std::uint32_t, 1>},
    {.name = "iota/u64",
     .bytes_per_item = 8,
     .needs = &Features::int64,
     .make = make_iota<std::uint64_t>},
    {.name = "iota/f64",
     .bytes_per_item = 8,
     .needs = &Features::float64,
     .make = make_iota<double>},
});

}  // namespace
}  // namespace vkprims::bench

// Benchmark rows of fill.
#include "harness.hpp"
#include "oracles/fill.hpp"
#include "vkprims/fill.hpp"

namespace vkprims::bench {
namespace {

template <class T>
struct Fill {
  Buffer<std::uint32_t> out;
  FillDesc desc;
  FillBuffers buffers;
};

template <class T>
Case make_fill(Session& session, std::uint64_t n, std::uint64_t offset) {
  const auto value = static_cast<T>(0x9e3779b97f4a7c15u);
  auto c = std::make_shared<Fill<T>>();
  c->out = session.allocate<std::uint32_t>((n * sizeof(T) + offset + 3) / 4 + 1);
  c->desc = {.element_bytes = sizeof(T), .count = n, .value = value};
  c->buffers = {.out = {c->out.address() + offset, n * sizeof(T)}};

  Case result;
  result.items = n;
  result.ideal_bytes = n * sizeof(T);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_fill(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [&session, c, n, offset, value] {
    const auto words = session.context().download(c->out);
    std::vector<T> got(n), want(n);
    if (n)
      std::memcpy(got.data(), reinterpret_cast<const char*>(words.data()) + offset, n * sizeof(T));
    oracle::fill<T>(want, value);
    return first_difference(got, want);
  };
  return result;
}

template <class T>
Row fill_row(const char* name, bool main, std::uint64_t offset = 0) {
  return {.name = name,
          .bytes_per_item = sizeof(T),
          .main = main,
          .make = [offset](Session& s, std::uint64_t n) { return make_fill<T>(s, n, offset); }};
}

const Register kRows({
    headline("elementwise", fill_row<std::uint32_t>("fill/u32", true)),
    fill_row<std::uint8_t>("fill/u8", false),
    fill_row<std::uint64_t>("fill/u64", false),
    fill_row<std::uint32_t>("fill/unaligned4", false, 4),
});

}  // namespace
}  // namespace vkprims::bench

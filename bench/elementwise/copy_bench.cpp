// Benchmark rows of copy.
#include "harness.hpp"
#include "oracles/copy.hpp"
#include "vkprims/copy.hpp"

namespace vkprims::bench {
namespace {

template <class T>
struct Copy {
  Buffer<std::uint32_t> in, out;  // words, so that any offset can be made
  Buffer<std::uint32_t> count;
  Session::ScratchBlock scratch;
  CopyDesc desc;
  CopyBuffers buffers;
};

struct Shape {
  std::uint64_t in_offset = 0;  // bytes from a multiple of 16
  std::uint64_t percent =
      0;  // 0: the count is known on the host; else this much of n is counted on the GPU
};

template <class T>
Case make_copy(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  auto c = std::make_shared<Copy<T>>();
  const std::uint64_t bytes = n * sizeof(T);
  const std::uint64_t words = (bytes + shape.in_offset + 3) / 4 + 1;
  const std::uint64_t items = shape.percent ? n * shape.percent / 100 : n;
  c->in = session.allocate<std::uint32_t>(words);
  c->out = session.allocate<std::uint32_t>(words);
  session.generate(c->in.address(), words, Data::bits);
  c->desc = {.element_bytes = sizeof(T), .count = n};
  if (shape.percent) {
    c->count = context.upload(std::vector<std::uint32_t>{static_cast<std::uint32_t>(items)});
    c->desc.count = Count(n, c->count.address());
  }
  c->scratch = session.allocate_scratch(copy_scratch(session.device(), c->desc));
  c->buffers = {.in = {c->in.address() + shape.in_offset, bytes},
                .out = {c->out.address(), bytes},
                .scratch = c->scratch.scratch};

  Case result;
  result.items = items;
  result.ideal_bytes = 2 * items * sizeof(T);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_copy(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [&session, c, n, items, shape] {
    const auto all = host_data<std::uint8_t>(Data::bits, shape.in_offset + n * sizeof(T));
    std::vector<T> in(n), want(n);
    if (n) std::memcpy(in.data(), all.data() + shape.in_offset, n * sizeof(T));
    if (n) std::memset(want.data(), kPoison & 0xff, n * sizeof(T));  // kept beyond the count
    oracle::copy<T>(std::span<const T>(in).first(items), want);
    const auto words_out = session.context().download(c->out);
    std::vector<T> got(n);
    if (n) std::memcpy(got.data(), words_out.data(), n * sizeof(T));
    return first_difference(got, want);
  };
  return result;
}

template <class T>
Row copy_row(const char* name, bool main, Shape shape = {}) {
  return {.name = name,
          .bytes_per_item = 2 * sizeof(T),
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_copy<T>(s, n, shape); }};
}

// The driver's own copy, for comparison.
Case make_vkcmdcopy(Session& session, std::uint64_t n) {
  auto in = std::make_shared<Buffer<std::uint32_t>>(session.allocate<std::uint32_t>(n + 1));
  auto out = std::make_shared<Buffer<std::uint32_t>>(session.allocate<std::uint32_t>(n + 1));
  session.generate(in->address(), n, Data::bits);
  Case result;
  result.items = n;
  result.ideal_bytes = 8 * n;
  result.record = [&session, in, out, n](VkCommandBuffer cmd) {
    const VkBufferCopy region{0, 0, 4 * n};
    if (n) session.vk().vkCmdCopyBuffer(cmd, in->handle(), out->handle(), 1, &region);
    return Status();
  };
  result.mismatch = [&session, out, n] {
    return first_difference(session.context().download(*out, 0, n),
                            host_data<std::uint32_t>(Data::bits, n));
  };
  return result;
}

const Register kRows({
    headline("elementwise", copy_row<std::uint32_t>("copy/u32", true)),
    copy_row<std::uint8_t>("copy/u8", false),
    copy_row<std::uint32_t>("copy/unaligned4", true, {.in_offset = 4}),
    copy_row<std::uint8_t>("copy/unaligned1", false, {.in_offset = 1}),
    copy_row<std::uint32_t>("copy/count_1_percent", false, {.percent = 1}),
    copy_row<std::uint32_t>("copy/count_100_percent", false, {.percent = 100}),
});

const RegisterOther kDriversCopy({
    {.name = "vkcmdcopy/u32", .bytes_per_item = 8, .make = make_vkcmdcopy},
});

}  // namespace
}  // namespace vkprims::bench

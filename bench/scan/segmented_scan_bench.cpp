// Benchmark rows of segmented_scan.
#include "harness.hpp"
#include "oracles/segmented_scan.hpp"
#include "vkprims/segmented_scan.hpp"

namespace vkprims::bench {
namespace {

struct SegmentedScan {
  Buffer<std::uint32_t> in, out, segments;
  Session::ScratchBlock scratch;
  SegmentedScanDesc desc;
  SegmentedScanBuffers buffers;
};

// Segments have about 16 elements.
Data data_of(SegmentForm form) {
  if (form == SegmentForm::offsets) return Data::offsets_16;
  return form == SegmentForm::flags ? Data::head_bytes_16 : Data::head_bits_16;
}

std::vector<bool> heads_of(SegmentForm form, const std::vector<std::uint32_t>& words,
                           std::uint64_t n) {
  std::vector<bool> heads(n);
  if (form == SegmentForm::offsets) {
    for (const std::uint32_t offset : words) {
      if (offset < n) heads[offset] = true;
    }
    return heads;
  }
  const std::uint64_t per_word = form == SegmentForm::flags ? 4 : 32;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint32_t rest = words[i / per_word] >> (32 / per_word * (i % per_word));
    heads[i] = (rest & (form == SegmentForm::flags ? 0xff : 1)) != 0;
  }
  return heads;
}

Case make_scan(Session& session, std::uint64_t n, SegmentForm form) {
  const std::uint64_t segments = (n + 15) / 16;
  const std::uint64_t words = form == SegmentForm::offsets ? segments + 1
                              : form == SegmentForm::flags ? (n + 3) / 4
                                                           : (n + 31) / 32;
  auto c = std::make_shared<SegmentedScan>();
  c->in = session.allocate<std::uint32_t>(n);
  c->out = session.allocate<std::uint32_t>(n);
  c->segments = session.allocate<std::uint32_t>(words);
  session.generate(c->in.address(), n, Data::bits);
  session.generate(c->segments.address(), words, data_of(form));
  c->desc = {.count = n, .form = form, .segments = segments};
  c->scratch = session.allocate_scratch(segmented_scan_scratch(session.device(), c->desc));
  c->buffers = {.in = c->in.view(),
                .segments = c->segments.view(),
                .out = c->out.view(),
                .scratch = c->scratch.scratch};

  Case result;
  result.items = n;
  result.ideal_bytes = 8 * n + 4 * words;
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_segmented_scan(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const auto values = host_data<std::uint32_t>(Data::bits, n);
    const auto heads = heads_of(form, host_data<std::uint32_t>(data_of(form), words), n);
    return first_difference(
        session.context().download(c->out, 0, n),
        oracle::segmented_scan<std::uint32_t>(values, heads, Op::add, ScanKind::exclusive));
  };
  return result;
}

Row scan_row(const char* name, SegmentForm form) {
  return {.name = name,
          .bytes_per_item = 10,
          .main = true,
          .make = [form](Session& s, std::uint64_t n) { return make_scan(s, n, form); }};
}

const Register kRows({
    headline("scan", scan_row("segmented_scan/u32_mean_16_offsets", SegmentForm::offsets)),
    scan_row("segmented_scan/u32_mean_16_flags", SegmentForm::flags),
    scan_row("segmented_scan/u32_mean_16_bits", SegmentForm::bits),
});

}  // namespace
}  // namespace vkprims::bench

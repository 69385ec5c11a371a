// Benchmark rows of scan_by_key.
#include "harness.hpp"
#include "oracles/scan_by_key.hpp"
#include "vkprims/scan_by_key.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  Data keys;
  std::uint64_t key_offset = 0;  // bytes from a multiple of 16
  Schedule schedule = Schedule::automatic;
  bool in_place = false, with_run_count = false;
};

template <class T>
struct ScanByKey {
  Buffer<std::uint32_t> keys;
  Buffer<T> in, out;
  Buffer<std::uint64_t> run_count;
  Session::ScratchBlock scratch;
  ScanByKeyDesc desc;
  ScanByKeyBuffers buffers;
};

template <class T>
Case make_scan(Session& session, std::uint64_t n, const Shape& shape) {
  const Data data = data_for<T>();
  auto c = std::make_shared<ScanByKey<T>>();
  c->keys = session.allocate<std::uint32_t>(n + 4);
  c->in = session.allocate<T>(n);
  c->out = session.allocate<T>(shape.in_place ? 0 : n);
  const VkDeviceAddress keys = c->keys.address() + shape.key_offset;
  const auto generate = [&session, c, n, data] {
    session.generate(c->in.address(), n * sizeof(T) / 4, data);
  };
  session.generate(keys, n, shape.keys);
  generate();
  c->desc = {.type = type_of<T>(), .count = n, .schedule = shape.schedule};
  c->scratch = session.allocate_scratch(scan_by_key_scratch(session.device(), c->desc));
  c->buffers = {.keys = {keys, n * 4},
                .in = c->in.view(),
                .out = shape.in_place ? c->in.view() : c->out.view(),
                .scratch = c->scratch.scratch};
  if (shape.with_run_count) {
    c->run_count = session.allocate<std::uint64_t>(1);
    c->buffers.run_count = c->run_count.view();
  }

  Case result;
  result.items = n;
  result.ideal_bytes = n * (4 + 2 * sizeof(T));
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_scan_by_key(cmd, session.device(), c->desc, c->buffers);
  };
  if (shape.in_place) result.prepare = generate;
  result.mismatch = [=, &session] {
    const auto host_keys = host_data<std::uint32_t>(shape.keys, n);
    const auto values = host_data<T>(data, n);
    if (shape.with_run_count) {
      const std::string found = first_difference(session.context().download(c->run_count),
                                                 {oracle::run_count<std::uint32_t>(host_keys)});
      if (!found.empty()) return "run_count: " + found;
    }
    return first_difference(
        session.context().download(shape.in_place ? c->in : c->out, 0, n),
        oracle::scan_by_key<std::uint32_t, T>(host_keys, values, Op::add, ScanKind::exclusive));
  };
  return result;
}

template <class T>
Row scan_row(const char* name, bool main, Shape shape, bool Features::*needs = nullptr) {
  return {.name = name,
          .bytes_per_item = static_cast<std::uint32_t>(4 + (shape.in_place ? 1 : 2) * sizeof(T)),
          .needs = needs,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_scan<T>(s, n, shape); }};
}

using u32 = std::uint32_t;

const Register kRows({
    scan_row<u32>("scan_by_key/u32_random", true, {Data::bits}),
    headline("scan", scan_row<u32>("scan_by_key/u32_runs_of_16", true, {Data::runs_16})),
    scan_row<u32>("scan_by_key/u32_runs_of_256", true, {Data::runs_256}),
    scan_row<u32>("scan_by_key/u32_one_run", true, {Data::zeros}),
    scan_row<float>("scan_by_key/f32_runs_of_16", false, {Data::runs_16}),
    scan_row<std::uint64_t>("scan_by_key/u64_runs_of_16", false, {Data::runs_16}, &Features::int64),
    scan_row<u32>("scan_by_key/u32_runs_of_16_keys_unaligned4", false, {Data::runs_16, 4}),
    scan_row<u32>("scan_by_key/u32_runs_of_16_in_place", false,
                  {.keys = Data::runs_16, .in_place = true}),
    scan_row<u32>("scan_by_key/u32_runs_of_16_multi_pass", false,
                  {.keys = Data::runs_16, .schedule = Schedule::multi_pass}),
    scan_row<u32>("scan_by_key/u32_runs_of_16_count", false,
                  {.keys = Data::runs_16, .with_run_count = true}),
    scan_row<u32>(
        "scan_by_key/u32_runs_of_16_count_multi_pass", false,
        {.keys = Data::runs_16, .schedule = Schedule::multi_pass, .with_run_count = true}),
});

}  // namespace
}  // namespace vkprims::bench

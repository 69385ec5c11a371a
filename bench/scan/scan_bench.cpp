// Benchmark rows of scan.
#include "harness.hpp"
#include "oracles/scan.hpp"
#include "runtime/device_hooks.hpp"
#include "vkprims/device/lookback.h"
#include "vkprims/scan.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  ScanKind kind = ScanKind::exclusive;
  Op op = Op::add;
  std::uint64_t in_offset = 0, out_offset = 0;  // bytes from a multiple of 16
  std::uint64_t percent =
      0;  // 0: the count is known on the host; else this much of n is counted on the GPU
  bool in_place = false, with_total = false;
  Schedule schedule = Schedule::automatic;
  Determinism determinism = Determinism::fastest;
};

template <class In, class T>
struct Scan {
  Buffer<std::uint32_t> in;
  Buffer<T> out, total;
  Buffer<std::uint32_t> count;
  Session::ScratchBlock scratch;
  ScanDesc desc;
  ScanBuffers buffers;
};

// Returns what the look-back of one execution did, counted by a Device made for this; nothing for
// other paths.
template <class In, class T>
std::map<std::string, double> statistics(Session& session, const Scan<In, T>& c) {
  Context& context = session.context();
  if (c.desc.count.address || c.desc.schedule == Schedule::multi_pass) return {};
  DeviceInfo info;
  info.instance = context.instance();
  info.physical_device = context.physical_device();
  info.device = context.vk_device();
  info.get_instance_proc_addr = context.get_instance_proc_addr();
  info.enabled = context.device().features();
  info.tuning = session.tuning();
  DeviceHooks hooks;
  hooks.lookback.statistics = true;
  Device device;
  throw_if_error(create_device(info, hooks, device));
  if (scan_scratch(device, c.desc).bytes < VKP_LOOKBACK_HEADER_BYTES) return {};
  context.run([&](Recorder& r) {
    r.commands(
        [&](VkCommandBuffer cmd) { throw_if_error(record_scan(cmd, device, c.desc, c.buffers)); });
  });
  const std::vector<std::uint32_t> header =
      context.download(c.scratch.memory, 0, VKP_LOOKBACK_HEADER_BYTES / 4);
  const double tiles = header[VKP_LOOKBACK_TILES];
  if (tiles == 0) return {};
  return {{"lookback_mean", header[VKP_LOOKBACK_WALKED] / tiles},
          {"lookback_max", header[VKP_LOOKBACK_LONGEST]},
          {"polls_per_tile", header[VKP_LOOKBACK_POLLS] / tiles},
          {"polls_in_vain_per_tile", header[VKP_LOOKBACK_SPUN] / tiles},
          {"fallbacks", header[VKP_LOOKBACK_FALLBACKS]}};
}

template <class In, class T>
Case make_scan(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  const std::uint64_t items = shape.percent ? n * shape.percent / 100 : n;
  const Data data = data_for<T>();
  auto c = std::make_shared<Scan<In, T>>();
  c->in = session.allocate<std::uint32_t>((n * sizeof(In) + 31) / 4);
  if (!shape.in_place) c->out = session.allocate<T>(n + 4);
  const VkDeviceAddress in = c->in.address() + shape.in_offset;
  const auto generate = [&session, c, in, n, data] {
    session.generate(in, (n * sizeof(In) + 3) / 4, data);
  };
  generate();
  c->desc = {.type = type_of<T>(),
             .op = shape.op,
             .kind = shape.kind,
             .count = n,
             .input = sizeof(In) == 1   ? ScanInput::u8
                      : sizeof(In) == 2 ? ScanInput::u16
                                        : ScanInput::as_type,
             .schedule = shape.schedule,
             .determinism = shape.determinism};
  if (shape.percent) {
    c->count = context.upload(std::vector<std::uint32_t>{static_cast<std::uint32_t>(items)});
    c->desc.count = Count(n, c->count.address());
  }
  c->scratch = session.allocate_scratch(scan_scratch(session.device(), c->desc));
  c->buffers = {.in = {in, n * sizeof(In)},
                .out = {shape.in_place ? in : c->out.address() + shape.out_offset, n * sizeof(T)},
                .scratch = c->scratch.scratch};
  if (shape.with_total) {
    c->total = session.allocate<T>(1);
    c->buffers.total = c->total.view();
  }

  Case result;
  result.items = items;
  result.ideal_bytes = items * (sizeof(In) + sizeof(T));
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_scan(cmd, session.device(), c->desc, c->buffers);
  };
  if (shape.in_place) result.prepare = generate;
  result.mismatch = [=, &session] {
    const std::vector<In> values = host_data<In>(data, items);
    const std::vector<T> want = oracle::scan<T, In>(values, shape.op, shape.kind);
    if (shape.with_total) {
      const std::vector<T> upto = oracle::scan<T, In>(values, shape.op, ScanKind::inclusive);
      const std::string found =
          first_difference(session.context().download(c->total), {items ? upto.back() : T{}});
      if (!found.empty()) return "total: " + found;
    }
    if (!shape.in_place) {
      return first_difference(
          session.context().download(c->out, shape.out_offset / sizeof(T), items), want);
    }
    const std::vector<std::uint32_t> words =
        session.context().download(c->in, shape.in_offset / 4, items * sizeof(T) / 4);
    std::vector<T> got(items);
    if (items) std::memcpy(got.data(), words.data(), items * sizeof(T));
    return first_difference(got, want);
  };
  result.extra = [&session, c] { return statistics(session, *c); };
  return result;
}

template <class In, class T = In>
Row scan_row(const char* name, bool main, Shape shape, bool Features::*needs = nullptr) {
  return {.name = name,
          .bytes_per_item =
              static_cast<std::uint32_t>(shape.in_place ? sizeof(T) : sizeof(In) + sizeof(T)),
          .needs = needs,
          .main = main,
          .make = [shape](Session& s, std::uint64_t n) { return make_scan<In, T>(s, n, shape); }};
}

constexpr auto kInclusive = ScanKind::inclusive;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

const Register kRows({
    headline("scan", scan_row<u32>("scan/u32_exclusive", true, {})),
    scan_row<u32>("scan/u32_inclusive", false, {.kind = kInclusive}),
    scan_row<float>("scan/f32_inclusive", true, {.kind = kInclusive}),
    scan_row<float>("scan/f32_inclusive_run_to_run", true,
                    {.kind = kInclusive, .determinism = Determinism::run_to_run}),
    scan_row<u64>("scan/u64_exclusive", true, {}, &Features::int64),
    scan_row<double>("scan/f64_inclusive", false, {.kind = kInclusive}, &Features::float64),
    scan_row<u8, u32>("scan/u32_exclusive_from_u8", true, {}),
    scan_row<u16, u32>("scan/u32_exclusive_from_u16", false, {}),
    scan_row<u8, u64>("scan/u64_exclusive_from_u8", false, {}, &Features::int64),
    scan_row<u32>("scan/u32_max", false, {.kind = kInclusive, .op = Op::max}),
    scan_row<u32>("scan/u32_total", false, {.with_total = true}),
    scan_row<u32>("scan/u32_in_place", false, {.in_place = true}),
    scan_row<u32>("scan/u32_unaligned4", true, {.in_offset = 4, .out_offset = 4}),
    scan_row<u32>("scan/u32_in_unaligned4", false, {.in_offset = 4}),
    scan_row<u32>("scan/u32_multi_pass", false, {.schedule = Schedule::multi_pass}),
    scan_row<u32>("scan/u32_count_1_percent", false, {.percent = 1}),
    scan_row<u32>("scan/u32_count_100_percent", false, {.percent = 100}),
});

}  // namespace
}  // namespace vkprims::bench

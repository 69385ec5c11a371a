// The five forms of examples/redact, from the call to the finished column, and the kernel of forms
// d and e by itself: as vkprims_add_string_kernel() makes it, and built as the library's own are.
#include <algorithm>
#include <chrono>

#include "redact/forms.hpp"
#include "spirv/redact_rope.hpp"
#include "spirv/redact_short_rows.hpp"
#include "strings/redact_data.hpp"

namespace vkprims::bench {
namespace {

// pooled: the memory of earlier calls' results is reused. unpooled: the device makes all buffers of
// a call during the call.
enum class Memory { pooled, unpooled };

constexpr std::uint64_t kSizes[] = {1 << 15,    1 << 18, 600'000,   1 << 21,
                                    10'000'000, 1 << 25, 1ull << 27};

struct Rows {
  Rows(Context& context, std::uint64_t n)
      : names(upload_repeated(context, RedactBlock::get().names, n)),
        visibilities(upload_repeated(context, RedactBlock::get().visibilities, n)) {}
  // Leaves room for any result, as far as offsets of 32 bits go.
  redact::Input input() const {
    redact::Input in{names, visibilities};
    in.most_bytes = std::min<std::uint64_t>(in.byte_bound() + 1, kMaxStringBytes);
    return in;
  }
  StringColumn names, visibilities;
};

// ---- The bytes that a form moves: everything that each dispatch reads and writes is counted once.
// They are averages per row.

struct Traffic {
  double name = 0, visibility = 0, result = 0;           // bytes
  double shown = 0, first = 0, second = 0, initial = 0;  // of what the chain makes in between
  static constexpr double kOffset = 4, kBit = 0.125, kPiece = 12;

  Traffic() {
    const RedactBlock& block = RedactBlock::get();
    for (std::uint64_t i = 0; i < RedactBlock::kRows; ++i) {
      const std::string& of_name = block.names[i];
      const bool is_public = block.visibilities[i] == "public";
      const std::size_t space = of_name.find(' ');
      name += double(of_name.size());
      visibility += double(block.visibilities[i].size());
      result += double(block.results[i].size());
      shown += is_public ? double(of_name.size()) : 3;
      first += is_public ? double(space) : 1;
      second += is_public ? double(of_name.size() - space - 1) : 1;
      initial += 1;
    }
    for (double* sum : {&name, &visibility, &result, &shown, &first, &second, &initial}) {
      *sum /= double(RedactBlock::kRows);
    }
  }
  double inputs() const { return name + visibility + 2 * kOffset; }
  double output() const { return result + kOffset; }
  double ideal() const { return inputs() + output(); }
  double chain() const {
    const double contains = visibility + kOffset + kBit;
    const double copy_if_else = kBit + name + kOffset + shown + kOffset;
    const double split = 2 * (shown + 2 * kOffset + kBit) + first + second;
    const double slice = 2 * (initial + kOffset + kBit);
    const double concatenate = initial + first + 2 * (kOffset + kBit) + output() + kBit;
    return contains + copy_if_else + split + slice + concatenate;
  }
  double heap() const {
    const double allocate = inputs() + kPiece + result, free = kPiece + 4;  // and its entry
    return allocate + kPiece + result + output() + kBit + free;
  }
  double slots() const { return inputs() + 2 * (kPiece + result) + output(); }
  double two_passes() const { return inputs() + ideal(); }
};

// ---- The forms.

struct FormInfo {
  char letter;
  int dispatches;
  double (Traffic::*bytes)() const;
  std::uint32_t bytes_per_item;  // of device memory
};

constexpr FormInfo kForms[] = {{'a', 6, &Traffic::chain, 150},
                               {'b', 3, &Traffic::heap, 120},
                               {'c', 2, &Traffic::slots, 85},
                               {'d', 2, &Traffic::two_passes, 52},
                               {'e', 1, &Traffic::ideal, 52}};

StringColumn record(Recorder& r, char letter, const redact::Forms& forms, const redact::Input& in,
                    const redact::Heap& heap) {
  switch (letter) {
    case 'a':
      return redact::by_chain(r, in);
    case 'b':
      return forms.by_heap(r, in, heap);
    case 'c':
      return forms.by_slots(r, in);
    case 'd':
      return forms.by_rope(r, in, Schedule::multi_pass);
    default:
      return forms.by_rope(r, in, Schedule::look_back);
  }
}

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Sample {
  double wall, gpu;  // seconds
};

// Runs one call, from its first line to the finished column.
Sample run_once(Context& context, char letter, const redact::Forms& forms, const redact::Input& in,
                const redact::Heap& heap, StringColumn& result) {
  const auto start = Clock::now();
  Job job = context.submit([&](Recorder& r) { result = record(r, letter, forms, in, heap); });
  job.wait();
  const double wall = seconds_since(start);
  return {wall, 1e-3 * job.gpu_ms()};
}

// Times the parts of form b, each as a submission of its own, in microseconds.
std::map<std::string, double> time_heap_parts(Context& context, const redact::Forms& forms,
                                              const redact::Input& in, const redact::Heap& heap,
                                              std::size_t samples) {
  std::vector<double> allocate, make, free;
  for (std::size_t i = 0; i < samples; ++i) {
    redact::Pieces pieces;
    StringColumn column;
    const auto gpu_us = [&](auto&& steps) { return 1e3 * context.submit(steps).gpu_ms(); };
    allocate.push_back(gpu_us([&](Recorder& r) { pieces = forms.allocate(r, in, heap); }));
    make.push_back(gpu_us([&](Recorder& r) { column = forms.make_column(r, pieces, in.room()); }));
    free.push_back(gpu_us([&](Recorder& r) { forms.free(r, pieces, heap); }));
  }
  return {{"redact_us", median_of(allocate)},
          {"make_column_us", median_of(make)},
          {"free_us", median_of(free)}};
}

std::string mismatch_of(Context& context, const StringColumn& column, std::uint64_t n) {
  const auto& want = RedactBlock::get().results;
  if (column.rows() != n) return "other number of rows";
  if (column.nullable()) {
    const auto words = context.download(column.validity());
    for (std::uint64_t i = 0; i < n; ++i) {
      if ((words[i / 32] >> (i % 32) & 1) == 0) return "row " + std::to_string(i) + " is null";
    }
  }
  if (column.offsets64().size()) {
    return repeated_mismatch(context, column.offsets64(), column.chars(), want, n);
  }
  return repeated_mismatch(context, column.offsets32(), column.chars(), want, n);
}

HostTimes time_form(Session& session, const FormInfo& info, Memory memory, std::uint64_t n) {
  Context& context = session.context();
  context.trim();
  const auto rows = std::make_shared<Rows>(context, n);
  const redact::Input in = rows->input();
  const redact::Forms forms(context);
  const redact::Heap heap(
      context, info.letter == 'b' ? redact::Heap::enough_for_short(n) : redact::Heap::Blocks{});
  const auto result = std::make_shared<StringColumn>();
  const auto once = [&] {
    *result = {};
    if (memory == Memory::unpooled) context.trim();
    return run_once(context, info.letter, forms, in, heap, *result);
  };
  // The first call compiles and fills the pool. It may take longer than the GPU stays awake, and at
  // low clocks a call takes several times as long, so the clocks are raised after it. The time of a
  // second call says how many samples there is time for.
  session.raise_clocks();
  once();
  HostTimes times;
  times.items = n;
  std::vector<double> gpu;
  double slowdown = 0;
  constexpr double kTolerance = 1.05;
  for (int attempt = 0; attempt < 4 && (attempt == 0 || slowdown > kTolerance); ++attempt) {
    session.raise_clocks();
    const double seconds = once().wall;
    const auto count = static_cast<std::size_t>(std::clamp(1.0 / seconds, 3.0, 31.0));
    times.samples.clear();
    gpu.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const Sample sample = once();
      times.samples.push_back(sample.wall);
      gpu.push_back(sample.gpu);
    }
    slowdown = session.slowdown();
  }
  const Traffic traffic;
  const double ideal = traffic.ideal() * double(n);
  times.counters = {{"wall_ms", 1e3 * median_of(times.samples)},
                    {"gpu_us", 1e6 * median_of(gpu)},
                    {"gpu_min_us", 1e6 * *std::min_element(gpu.begin(), gpu.end())},
                    {"copy_slowdown", slowdown},
                    {"gpu_GB/s", 1e-9 * ideal / median_of(gpu)},
                    {"dispatches", info.dispatches},
                    {"bytes/ideal", (traffic.*info.bytes)() / traffic.ideal()},
                    {"GB/s", 1e-9 * ideal / median_of(times.samples)}};
  if (info.letter == 'b') {
    times.counters.merge(time_heap_parts(context, forms, in, heap, gpu.size()));
    times.counters["heap_failed"] = double(heap.use(context).failed);
  }
  times.mismatch = [&context, rows, result, n] { return mismatch_of(context, *result, n); };
  return times;
}

// ---- The kernel by itself, measured as other operations are: buffers and scratch exist already.

strings::RopeKernel built_in(const strings::RopeDesc& desc) {
  strings::RopeKernel kernel = desc.kernel;
  const bool is_short = strings::is_short(desc);
  kernel.word64 = is_short ? &spirv::redact_short_rows_word64 : &spirv::redact_rope_word64;
  kernel.word32 = is_short ? &spirv::redact_short_rows_word32 : &spirv::redact_rope_word32;
  return kernel;
}

Case make_kernel(Session& session, Schedule schedule, bool own, std::uint64_t n) {
  struct Kernel {
    Rows rows;
    Buffer<std::uint32_t> offsets;
    Buffer<std::uint8_t> chars;
    Session::ScratchBlock scratch;
    strings::RopeDesc desc;
  };
  auto c = std::make_shared<Kernel>(Kernel{.rows = Rows(session.context(), n)});
  c->desc = redact::Forms::rope_desc(c->rows.names, schedule);
  if (!own) c->desc.kernel = built_in(c->desc);
  c->offsets = session.allocate<std::uint32_t>(n + 1);
  c->chars = session.allocate<std::uint8_t>(c->rows.input().room());
  c->scratch = session.allocate_scratch(strings::rope_scratch(session.device(), c->desc));
  Case result;
  result.items = n;
  result.ideal_bytes = static_cast<std::uint64_t>(Traffic().ideal() * static_cast<double>(n)) + 12;
  result.record = [&session, c](VkCommandBuffer cmd) {
    return strings::record_rope(cmd, session.device(), c->desc,
                                {.a = c->rows.names.view(),
                                 .b = c->rows.visibilities.view(),
                                 .out = {.offsets = c->offsets.view(), .chars = c->chars.view()},
                                 .scratch = c->scratch.scratch});
  };
  result.mismatch = [&session, c, n] {
    return repeated_mismatch(session.context(), c->offsets, c->chars, RedactBlock::get().results,
                             n);
  };
  return result;
}

std::vector<Row> rows() {
  const std::vector<std::uint64_t> sizes(std::begin(kSizes), std::end(kSizes));
  std::vector<Row> all;
  for (const FormInfo& info : kForms) {
    for (const Memory memory : {Memory::pooled, Memory::unpooled}) {
      const char* name = memory == Memory::pooled ? "_pooled" : "_unpooled";
      all.push_back({.name = std::string("redact/") + info.letter + name,
                     .bytes_per_item = info.bytes_per_item,
                     .sizes = sizes,
                     .host = [&info, memory](Session& session, std::uint64_t n) {
                       return time_form(session, info, memory, n);
                     }});
    }
  }
  for (const Schedule schedule : {Schedule::multi_pass, Schedule::look_back}) {
    for (const bool own : {true, false}) {
      const std::string name =
          schedule == Schedule::look_back ? "redact/e_kernel" : "redact/d_kernel";
      all.push_back({.name = own ? name : name + "_built_in",
                     .bytes_per_item = 60,
                     .sizes = sizes,
                     .make = [=](Session& session, std::uint64_t n) {
                       return make_kernel(session, schedule, own, n);
                     }});
    }
  }
  return all;
}

const RegisterOther kRows(rows());

}  // namespace
}  // namespace vkprims::bench

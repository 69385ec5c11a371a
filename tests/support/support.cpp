#include "support/support.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>

#include "support/shared_pipelines.hpp"
#include "support/turns.hpp"

namespace vkprims::test {
namespace {

Validation wanted_validation() {
  const char* name = std::getenv("VKPRIMS_TEST_VALIDATION");
  if (!name || !*name) return Validation::off;
  return std::strcmp(name, "gpu") == 0 ? Validation::gpu_assisted : Validation::core;
}

ContextInfo context_info() {
  ContextInfo info;
  info.validation = wanted_validation();
  info.pipeline_cache_file = false;
  if (counts_turns()) info.get_instance_proc_addr = counting_get_instance_proc_addr;
  info.log = [](LogLevel level, const char* message) {
    if (level != LogLevel::info) std::fprintf(stderr, "%s\n", message);
  };
  return info;
}

}  // namespace

Context& context() {
  // The Context is never destroyed, because unloading a driver at exit confuses sanitizers.
  static Context& instance = *new Context(context_info());
  return instance;
}

Device& device(const Tuning& tuning, const LookbackDiagnostics& lookback) {
  struct Entry {
    Tuning tuning;
    LookbackDiagnostics lookback;
    Device device;
  };
  Context& c = context();
  static std::list<Entry> devices;
  for (Entry& e : devices) {
    if (!std::memcmp(&e.tuning, &tuning, sizeof tuning) &&
        e.lookback.statistics == lookback.statistics && e.lookback.faults == lookback.faults &&
        e.lookback.period == lookback.period) {
      return e.device;
    }
  }
  devices.push_back({tuning, lookback, {}});
  DeviceInfo info;
  info.instance = c.instance();
  info.physical_device = c.physical_device();
  info.device = c.vk_device();
  spy().get_instance_proc_addr = sharing_get_instance_proc_addr;
  info.get_instance_proc_addr = spying_get_instance_proc_addr;
  info.enabled = c.device().features();
  info.tuning = tuning;
  DeviceHooks hooks = limits();
  hooks.lookback = lookback;
  throw_if_error(create_device(info, hooks, devices.back().device));
  observe(devices.back().device);
  return devices.back().device;
}

bool subset() {
  static const bool value = std::getenv("VKPRIMS_TEST_SUBSET") != nullptr;
  return value;
}

bool exhaustive() {
  static const bool value = !subset() && std::getenv("VKPRIMS_TEST_ALL") != nullptr;
  return value;
}

bool validated() { return wanted_validation() != Validation::off; }

int repeats() {
  const char* text = std::getenv("VKPRIMS_TEST_REPEATS");
  return text ? std::atoi(text) : 300;
}

// A subset run takes few combinations anyway.
bool paired(std::size_t sum) { return exhaustive() || subset() || sum % 2 == 0; }

std::vector<Type> types() {
  const Features& has = context().device().features();
  std::vector<Type> list = {Type::u32};
  if (!subset()) list.insert(list.end(), {Type::i32, Type::f32});
  if (has.int64) list.push_back(Type::u64);
  if (has.int64 && !subset()) list.push_back(Type::i64);
  if (has.float64 && !subset()) list.push_back(Type::f64);
  return list;
}

std::vector<Op> ops(Type type) {
  if (subset()) {
    if (!context().device().features().int64) return {Op::add, Op::max};
    return {type == Type::u64 ? Op::max : Op::add};
  }
  const auto is_float = [](Type t) { return t == Type::f32 || t == Type::f64; };
  std::vector<Op> list = {Op::add, Op::mul, Op::min, Op::max};
  if (!is_float(type)) {
    list.insert(list.end(), {Op::bit_and, Op::bit_or, Op::bit_xor});
  }
  if (exhaustive()) return list;
  std::size_t first = 0;  // two for each earlier type of the same kind
  for (const Type other : types()) {
    if (other == type) break;
    if (is_float(other) == is_float(type)) first += 2;
  }
  return {list[first % list.size()], list[(first + 1) % list.size()]};
}

bool goes_first_way() {
  std::uint32_t hash = 2166136261;  // FNV-1a, the same on every platform
  for (const char* at = doctest::getContextOptions()->currentTest->m_name; *at; ++at) {
    hash = (hash ^ static_cast<unsigned char>(*at)) * 16777619;
  }
  return (hash >> 8 & 1) == (subset() ? 1 : 0);
}

std::vector<Tuning> either_tuning(std::vector<Tuning> both) {
  if (subset() || exhaustive()) return tunings(std::move(both));
  return {both[goes_first_way() ? 0 : 1]};
}

std::vector<Tuning> tunings(std::vector<Tuning> all) {
  if (!subset()) return all;
  std::erase_if(all, [](const Tuning& tuning) {
    constexpr Tuning chosen{};
    return !std::memcmp(&tuning, &chosen, sizeof tuning);
  });
  return all;
}

std::vector<std::uint64_t> edge_counts(std::uint64_t tile) {
  const std::uint64_t s = context().device().state()->subgroup_size;
  return {0, 1, 2, s - 1, s, s + 1, tile - 1, tile, tile + 1, 3 * tile + 5};
}

void run(FunctionRef<void(VkCommandBuffer)> record) {
  spy().clear();
  context().run([&](Recorder& r) { r.commands([&](VkCommandBuffer cmd) { record(cmd); }); });
  CHECK(spy().hazards.hazards() == "");
}

void replay(const Device& d, FunctionRef<void()> prepare,
            FunctionRef<Status(VkCommandBuffer, int)> record, FunctionRef<void()> verify) {
  spy().clear();
  const Plan plan = context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      throw_if_error(record(cmd, 0));
      throw_if_error(record_barrier(cmd, d));
      throw_if_error(record(cmd, 1));
    });
  });
  CHECK(spy().hazards.hazards() == "");
  for (int i = 0; i < 100; ++i) {
    prepare();
    context().submit(plan).wait();
    verify();
  }
}

void expect_error(Status::Code code, std::initializer_list<const char*> words,
                  FunctionRef<Status(VkCommandBuffer)> call) {
  spy().clear();
  context().run([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      const Status status = call(cmd);
      CHECK(status.code() == code);
      const std::string message = status.message();
      CAPTURE(message);
      for (const char* word : words) {
        CAPTURE(std::string(word));
        CHECK(message.find(word) != std::string::npos);
      }
    });
  });
  CHECK(spy().recorded.empty());
}

VkDeviceSize check_monotone(FunctionRef<VkDeviceSize(std::uint64_t)> scratch) {
  VkDeviceSize last = 0;
  for (std::uint64_t n = 1; n <= kMaxCount; n *= 2) {
    const VkDeviceSize bytes = scratch(n);
    CHECK(bytes >= last);
    last = bytes;
  }
  return last;
}

// Each buffer has guards that differ from those of earlier ones, so that a copy from one guard to
// another is noticed.
Guarded::Guarded(std::span<const std::byte> bytes, std::uint64_t misalign)
    : size_(bytes.size()), at_(256 + misalign) {
  static std::atomic<unsigned> made{0};
  guard_ = static_cast<std::uint8_t>(0x81 + made++ % 63);
  std::vector<std::uint8_t> image(at_ + size_ + 64, guard_);
  if (size_) std::memcpy(image.data() + at_, bytes.data(), size_);
  buffer_ = context().upload(image);
}

void Guarded::read(void* to, std::uint64_t bytes) const {
  const std::vector<std::uint8_t> image = context().download(buffer_);
  const auto intact = [this](std::uint8_t b) { return b == guard_; };
  CHECK(std::all_of(image.begin(), image.begin() + static_cast<std::ptrdiff_t>(at_), intact));
  CHECK(std::all_of(image.begin() + static_cast<std::ptrdiff_t>(at_ + size_), image.end(), intact));
  if (bytes) std::memcpy(to, image.data() + at_, bytes);
}

DirtyScratch::DirtyScratch(const ScratchNeed& need)
    : need_(need), buffer_(context().upload(std::vector<std::uint8_t>(need.bytes + 64, 0xff))) {}

DirtyScratch::~DirtyScratch() {
  const auto tail = context().download(buffer_, need_.bytes, 64);
  CHECK(std::all_of(tail.begin(), tail.end(), [](std::uint8_t b) { return b == 0xff; }));
}

std::vector<std::uint32_t> DirtyScratch::words(std::uint64_t n) const {
  const std::vector<std::uint8_t> bytes = context().download(buffer_, 0, 4 * n);
  std::vector<std::uint32_t> result(n);
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

template std::string difference(const std::vector<std::uint8_t>&, const std::vector<std::uint8_t>&);
template std::string difference(const std::vector<std::uint32_t>&,
                                const std::vector<std::uint32_t>&);
template std::string difference(const std::vector<std::int32_t>&, const std::vector<std::int32_t>&);
template std::string difference(const std::vector<float>&, const std::vector<float>&);
template std::string difference(const std::vector<std::uint64_t>&,
                                const std::vector<std::uint64_t>&);
template std::string difference(const std::vector<std::int64_t>&, const std::vector<std::int64_t>&);
template std::string difference(const std::vector<double>&, const std::vector<double>&);

}  // namespace vkprims::test

#include "vkprims/context.hpp"

#include <doctest/doctest.h>
#include <vulkan/vulkan.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "vkprims/vkprims.hpp"

namespace vkprims::test {
namespace {

using Words = std::vector<std::uint32_t>;

// Settings of a Context in these tests: without a cache file, validated where the run is.
ContextInfo plain() {
  ContextInfo info;
  const char* validation = std::getenv("VKPRIMS_TEST_VALIDATION");
  if (validation && *validation) info.validation = Validation::core;
  info.pipeline_cache_file = false;
  return info;
}

// A Context of which validation must have nothing to say.
struct Clean : Context {
  explicit Clean(const ContextInfo& info = plain()) : Context(info) {}
  ~Clean() { CHECK(statistics().validation_messages == 0); }
};

Words counting(std::uint64_t n) {
  Words values(n);
  std::iota(values.begin(), values.end(), 1u);
  return values;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The error that `call` throws, which must have this code and these words in its message.
template <class F>
void expect(Status::Code code, std::initializer_list<std::string> words, F&& call) {
  try {
    call();
    FAIL("no Error");
  } catch (const Error& error) {
    const std::string message = error.what();
    CAPTURE(message);
    CHECK(error.status().code() == code);
    for (const std::string& word : words) {
      CAPTURE(word);
      CHECK(contains(message, word));
    }
  }
}

// An environment variable for the time of a test.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    set(&value);
  }
  Environment(const Environment&) = delete;
  ~Environment() { set(before_ ? &*before_ : nullptr); }

 private:
  void set(const std::string* value) {
#ifdef _WIN32
    _putenv_s(name_, value ? value->c_str() : "");
#else
    if (value) {
      setenv(name_, value->c_str(), 1);
    } else {
      unsetenv(name_);
    }
#endif
  }
  const char* name_;
  std::optional<std::string> before_;
};

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    static std::atomic<int> number{0};
    path = std::filesystem::temp_directory_path() /
           ("vkprims-test-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "-" +
            std::to_string(number++));
    std::filesystem::create_directories(path);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  // In a directory of this one; others besides the library write here, too.
  std::vector<std::filesystem::path> files(const char* directory) const {
    std::vector<std::filesystem::path> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(path / directory, ignored)) {
      found.push_back(entry.path());
    }
    return found;
  }
  std::filesystem::path path;
};

// Messages of a Context, from any thread.
struct Log {
  std::mutex mutex;
  std::string text;
  std::function<void(LogLevel, const char*)> callback() {
    return [this](LogLevel, const char* message) {
      const std::lock_guard lock(mutex);
      text += message;
      text += '\n';
    };
  }
};

// A loader whose devices fail on demand, and which counts what they create.
struct Faults {
  bool lose_submit = false;
  bool lose_wait = false;
  bool no_memory = false;
  VkDeviceSize max_allocation = 0;  // 0: the device's
  std::atomic<int> created{0};
};
Faults faults;
struct Real {
  PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr;
  PFN_vkGetPhysicalDeviceProperties2 vkGetPhysicalDeviceProperties2;
  PFN_vkQueueSubmit vkQueueSubmit;
  PFN_vkWaitForFences vkWaitForFences;
  PFN_vkAllocateMemory vkAllocateMemory;
  PFN_vkAllocateCommandBuffers vkAllocateCommandBuffers;
  PFN_vkCreateBuffer vkCreateBuffer;
  PFN_vkCreateFence vkCreateFence;
  PFN_vkCreateQueryPool vkCreateQueryPool;
} real;

VKAPI_ATTR VkResult VKAPI_CALL queue_submit(VkQueue queue, std::uint32_t n,
                                            const VkSubmitInfo* infos, VkFence fence) {
  return faults.lose_submit ? VK_ERROR_DEVICE_LOST : real.vkQueueSubmit(queue, n, infos, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL wait_for_fences(VkDevice device, std::uint32_t n,
                                               const VkFence* fences, VkBool32 all,
                                               std::uint64_t timeout) {
  const VkResult result = real.vkWaitForFences(device, n, fences, all, timeout);
  return faults.lose_wait ? VK_ERROR_DEVICE_LOST : result;
}
VKAPI_ATTR VkResult VKAPI_CALL allocate_memory(VkDevice device, const VkMemoryAllocateInfo* info,
                                               const VkAllocationCallbacks* host,
                                               VkDeviceMemory* memory) {
  if (faults.no_memory) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  ++faults.created;
  return real.vkAllocateMemory(device, info, host, memory);
}
VKAPI_ATTR VkResult VKAPI_CALL allocate_commands(VkDevice device,
                                                 const VkCommandBufferAllocateInfo* info,
                                                 VkCommandBuffer* buffers) {
  ++faults.created;
  return real.vkAllocateCommandBuffers(device, info, buffers);
}
VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice device, const VkBufferCreateInfo* info,
                                             const VkAllocationCallbacks* host, VkBuffer* buffer) {
  ++faults.created;
  return real.vkCreateBuffer(device, info, host, buffer);
}
VKAPI_ATTR VkResult VKAPI_CALL create_fence(VkDevice device, const VkFenceCreateInfo* info,
                                            const VkAllocationCallbacks* host, VkFence* fence) {
  ++faults.created;
  return real.vkCreateFence(device, info, host, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL create_queries(VkDevice device, const VkQueryPoolCreateInfo* info,
                                              const VkAllocationCallbacks* host,
                                              VkQueryPool* pool) {
  ++faults.created;
  return real.vkCreateQueryPool(device, info, host, pool);
}
VKAPI_ATTR void VKAPI_CALL physical_properties(VkPhysicalDevice physical,
                                               VkPhysicalDeviceProperties2* properties) {
  real.vkGetPhysicalDeviceProperties2(physical, properties);
  for (auto* s = static_cast<VkBaseOutStructure*>(properties->pNext); s; s = s->pNext) {
    if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES) continue;
    auto* limits = reinterpret_cast<VkPhysicalDeviceMaintenance3Properties*>(s);
    if (faults.max_allocation) limits->maxMemoryAllocationSize = faults.max_allocation;
  }
}

PFN_vkVoidFunction wrap(const char* name, PFN_vkVoidFunction found);

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL faulty_device_proc(VkDevice device, const char* name) {
  return wrap(name, real.vkGetDeviceProcAddr(device, name));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL faulty_instance_proc(VkInstance instance,
                                                              const char* name) {
  return wrap(name, vkGetInstanceProcAddr(instance, name));
}

PFN_vkVoidFunction wrap(const char* name, PFN_vkVoidFunction found) {
#define VKPRIMS_WRAP(vk_name, wrapper)                     \
  if (found && !std::strcmp(name, #vk_name)) {             \
    real.vk_name = reinterpret_cast<PFN_##vk_name>(found); \
    return reinterpret_cast<PFN_vkVoidFunction>(wrapper);  \
  }
  VKPRIMS_WRAP(vkGetDeviceProcAddr, faulty_device_proc)
  VKPRIMS_WRAP(vkGetPhysicalDeviceProperties2, physical_properties)
  VKPRIMS_WRAP(vkQueueSubmit, queue_submit)
  VKPRIMS_WRAP(vkWaitForFences, wait_for_fences)
  VKPRIMS_WRAP(vkAllocateMemory, allocate_memory)
  VKPRIMS_WRAP(vkAllocateCommandBuffers, allocate_commands)
  VKPRIMS_WRAP(vkCreateBuffer, create_buffer)
  VKPRIMS_WRAP(vkCreateFence, create_fence)
  VKPRIMS_WRAP(vkCreateQueryPool, create_queries)
#undef VKPRIMS_WRAP
  return found;
}

ContextInfo faulty() {
  faults.lose_submit = faults.lose_wait = faults.no_memory = false;
  faults.max_allocation = 0;
  faults.created = 0;
  ContextInfo info;
  info.pipeline_cache_file = false;
  info.get_instance_proc_addr = faulty_instance_proc;
  return info;
}

// A round trip through the GPU, by the library's copy kernel.
void check_works(Context& context) {
  const Words values = counting(10000);
  const auto in = context.upload(values);
  const auto out = context.allocate<std::uint32_t>(values.size());
  context.run([&](Recorder& r) { copy(r, {}, in, out); });
  CHECK(context.download(out) == values);
}

DeviceEntry entry_of(const Context& context) {
  for (const DeviceEntry& e : list_devices()) {
    if (e.name == context.properties().deviceName && e.driver == context.driver()) return e;
  }
  FAIL("the device of the Context is not in the list");
  return {};
}

}  // namespace

TEST_CASE("context: list_devices describes every device, and says why there is no GPU") {
  std::string note;
  const std::vector<DeviceEntry> entries = list_devices(&note);
  REQUIRE(!entries.empty());
  bool only_cpu = true;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    CHECK(entries[i].index == i);
    CHECK(!entries[i].name.empty());
    CHECK(entries[i].uuid.size() == 32);
    CHECK(!entries[i].driver.empty());
    CHECK(entries[i].usable == entries[i].reason.empty());
    only_cpu = only_cpu && entries[i].type == "CPU";
  }
  CHECK(note.empty() != only_cpu);
}

TEST_CASE("context: a device is chosen by index, by part of its name in any case, and by UUID") {
  const Clean by_default;
  const DeviceEntry entry = entry_of(by_default);
  std::string part = entry.name.substr(1, 5);
  for (char& c : part) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string uuid = entry.uuid;
  for (const std::size_t dash : {20u, 16u, 12u, 8u}) uuid.insert(dash, "-");
  for (const std::string& wanted : {std::to_string(entry.index), part, entry.uuid, uuid}) {
    CAPTURE(wanted);
    ContextInfo info = plain();
    info.device = wanted;
    const Clean chosen(info);
    CHECK(entry_of(chosen).index == entry.index);
    const Environment variable("VKPRIMS_DEVICE", wanted);
    const Clean from_environment;
    CHECK(entry_of(from_environment).index == entry.index);
  }
}

TEST_CASE("context: a name that no device has is an error that lists the devices") {
  const std::string name = list_devices().front().name;
  ContextInfo info = plain();
  info.device = "no such device";
  expect(Status::invalid_argument, {"device 'no such device'", "0: " + name},
         [&] { Context c(info); });
  const Environment variable("VKPRIMS_DEVICE", "999");
  expect(Status::invalid_argument, {"VKPRIMS_DEVICE '999'", "0: " + name},
         [] { Context c(plain()); });
}

TEST_CASE("context: a mask takes features away, and an unknown name in it is an error") {
  ContextInfo info = plain();
  info.mask = "int64,subgroup_size_control,workgroup128";
  const Clean masked(info);
  CHECK(!masked.device().features().int64);
  CHECK(!masked.device().features().int64_atomics);
  CHECK(masked.device().features().workgroup128);

  info.mask = "int63";
  expect(Status::invalid_argument, {"int63", "int64"}, [&] { Context c(info); });
  const Environment variable("VKPRIMS_MASK", "storage8");
  const Clean from_environment;
  CHECK(!from_environment.device().features().storage8);
  const Environment wrong("VKPRIMS_MASK", "int63");
  expect(Status::invalid_argument, {"VKPRIMS_MASK", "int63"}, [] { Context c(plain()); });
}

TEST_CASE("context: uploads and downloads of any size return the same bytes") {
  Clean context;
  // The last are larger than the staging buffer, and odd.
  for (const std::uint64_t n : {0u, 1u, 3u, 255u, 65536u, (32u << 20) + 1, (70u << 20) + 3}) {
    CAPTURE(n);
    std::vector<std::uint8_t> values(n);
    for (std::uint64_t i = 0; i < n; ++i)
      values[i] = static_cast<std::uint8_t>(i * 2654435761u >> 13);
    const auto buffer = context.upload(values);
    CHECK(buffer.size() == n);
    CHECK(buffer.address() != 0);
    CHECK(buffer.address() % 256 == 0);
    CHECK((context.download(buffer) == values));
  }
}

TEST_CASE("context: parts of a buffer are written and read, and a part outside is an error") {
  Clean context;
  Words expected = counting(1000);
  const auto buffer = context.upload(expected);
  context.write(buffer, Words{7, 8, 9}, 500);
  for (std::uint32_t i = 0; i < 3; ++i) expected[500 + i] = 7 + i;
  context.run([&](Recorder& r) { r.update(buffer, 10, Words{70, 80}); });
  expected[10] = 70;
  expected[11] = 80;
  CHECK(context.download(buffer) == expected);
  CHECK(context.download(buffer, 499, 3) == Words{500, 7, 8});
  CHECK(context.download(buffer, 1000, 0).empty());

  expect(Status::invalid_argument, {"998", "1000"}, [&] {
    context.write(buffer, Words{1, 2, 3}, 998);
  });
  expect(Status::invalid_argument, {"1001"}, [&] { (void)context.download(buffer, 1001, 0); });
  expect(Status::invalid_argument, {"update", "65536"}, [&] {
    const auto large = context.allocate<std::uint32_t>(20000);
    context.run([&](Recorder& r) { r.update(large, 0, Words(20000)); });
  });
}

TEST_CASE("context: a download can follow a count that lies on the device") {
  Clean context;
  const Words values = counting(100);
  const auto buffer = context.upload(values);
  const auto some = context.upload(std::vector<std::uint64_t>{42});
  const auto too_many = context.upload(Words{4000000000u});
  CHECK(context.download(buffer, some) == counting(42));
  CHECK(context.download(buffer, too_many) == values);
}

TEST_CASE("context: freed buffers are reused, and a steady state creates nothing") {
  Context context(faulty());
  const Words values = counting(100000);
  Plan plan;
  const auto x = context.upload(values);
  const auto y = context.allocate<std::uint32_t>(1);
  plan = context.record([&](Recorder& r) { reduce(r, {}, x, y); });
  const auto round = [&] {
    const auto in = context.upload(values);
    const auto out = context.allocate<std::uint32_t>(in.size());
    Job job = context.submit([&](Recorder& r) {
      const auto temporary = context.allocate<std::uint32_t>(in.size());
      copy(r, {}, in, temporary);
      copy(r, {}, temporary, out);
      reduce(r, {}, out, y);
    });
    context.submit(plan).wait();
    job.wait();
    CHECK(context.download(y)[0] == 705082704u);
  };
  for (int i = 0; i < 3; ++i) round();
  const ContextStatistics before = context.statistics();
  const int created = faults.created;
  CHECK(before.device_allocations > 0);
  CHECK(before.device_bytes > 0);
  for (int i = 0; i < 100; ++i) round();
  const ContextStatistics after = context.statistics();
  CHECK(after.device_allocations == before.device_allocations);
  CHECK(after.device_bytes == before.device_bytes);
  CHECK(after.live_buffers == 2);
  CHECK(after.idle_buffers == before.idle_buffers);
  CHECK(after.submissions > before.submissions + 200);
  CHECK(faults.created == created);
}

TEST_CASE("context: trim gives memory of freed buffers back") {
  Clean context;
  const auto kept = context.upload(counting(100));
  { const auto freed = context.allocate<std::uint8_t>(200 << 20); }
  CHECK(context.statistics().idle_buffers >= 1);
  CHECK(context.statistics().device_bytes >= 200u << 20);
  context.trim();
  CHECK(context.statistics().idle_buffers == 0);
  CHECK(context.statistics().live_buffers == 1);
  CHECK(context.statistics().device_bytes < 200u << 20);
  CHECK(context.download(kept) == counting(100));
  check_works(context);
}

TEST_CASE("context: steps see what those before them wrote, and share scratch that grows") {
  Clean context;
  const auto x = context.upload(Words(1 << 20, 1));
  const auto sums = context.allocate<std::uint32_t>(1);
  std::vector<VkDeviceAddress> scratch;
  context.run([&](Recorder& r) {
    for (const std::uint64_t bytes : {100u, 1000u, 1u << 20, 100u, 3u << 20}) {
      r.step({bytes, 256}, [&](VkCommandBuffer, const Scratch& s) {
        CHECK(s.bytes == bytes);
        CHECK(s.address % 256 == 0);
        scratch.push_back(s.address);
        return Status();
      });
    }
    r.step({100, 4096}, [&](VkCommandBuffer, const Scratch& s) {
      CHECK(s.address % 4096 == 0);
      return Status();
    });
    reduce(r, {}, x, sums);
    for (int i = 0; i < 20; ++i) {
      ReduceDesc more;
      more.initial = Value::at(sums.address());
      reduce(r, more, x, sums);
    }
  });
  CHECK(scratch[0] == scratch[1]);
  CHECK(scratch[2] == scratch[3]);
  CHECK(context.download(sums)[0] == 21u << 20);
}

TEST_CASE("context: a plan is replayed 100 times, several of them in flight") {
  Clean context;
  const auto x = context.upload(counting(1000));
  const auto sum = context.upload(Words{0});
  const Plan plan = context.record([&](Recorder& r) {
    ReduceDesc desc;
    desc.initial = Value::at(sum.address());
    reduce(r, desc, x, sum);
  });
  CHECK(context.download(sum)[0] == 0);
  std::vector<Job> jobs;
  for (int i = 0; i < 100; ++i) jobs.push_back(context.submit(plan));
  jobs.back().wait();
  for (Job& job : jobs) {
    CHECK(job.done());
    CHECK(job.gpu_ms() > 0);
  }
  CHECK(context.download(sum)[0] == 100 * 500500);
}

TEST_CASE("context: a plan that is empty or of another context is refused") {
  Clean context;
  expect(Status::invalid_argument, {"plan"}, [&] { context.submit(Plan()); });
  Clean other;
  const Plan plan = other.record([](Recorder&) {});
  expect(Status::invalid_argument, {"plan"}, [&] { context.submit(plan); });
  expect(Status::invalid_argument, {"steps"}, [&] { context.run(nullptr); });
}

TEST_CASE("context: an exception in the callback submits nothing and leaves the context usable") {
  Clean context;
  const auto x = context.upload(counting(10));
  const auto y = context.upload(Words(10));
  const auto before = context.statistics();
  const auto record = [&](Recorder& r) {
    copy(r, {}, x, y);
    throw std::runtime_error("mine");
  };
  CHECK_THROWS_WITH_AS(context.run(record), "mine", std::runtime_error);
  CHECK_THROWS_AS((void)context.record(record), std::runtime_error);
  // A step that fails: in and out overlap.
  expect(Status::invalid_argument, {"copy"},
         [&] { context.run([&](Recorder& r) { copy(r, {}, x, x); }); });
  CHECK(context.statistics().submissions == before.submissions);
  CHECK(context.download(y) == Words(10));
  check_works(context);
}

TEST_CASE("context: a callback may use the context, and buffers freed in it outlast its commands") {
  Clean context;
  const Words values = counting(5000);
  const auto x = context.upload(values);
  const auto y = context.allocate<std::uint32_t>(values.size());
  std::optional<Plan> plan = context.record([&](Recorder& r) {
    {
      const auto temporary = context.allocate<std::uint32_t>(values.size());
      copy(r, {}, x, temporary);
      copy(r, {}, temporary, y);
    }
    // Would get the memory of `temporary` if it were free already.
    const auto z = context.upload(Words(values.size(), 3));
    context.run([&](Recorder& inner) {
      const auto w = context.allocate<std::uint32_t>(values.size());
      copy(inner, {}, z, w);
    });
    CHECK(context.download(z) == Words(values.size(), 3));
  });
  std::vector<Buffer<std::uint32_t>> others;
  for (int i = 0; i < 10; ++i) others.push_back(context.upload(Words(values.size(), 4)));
  for (int i = 0; i < 3; ++i) {
    context.write(y, Words(values.size(), 0));
    context.submit(*plan).wait();
    CHECK(context.download(y) == values);
  }
  for (const auto& other : others) CHECK(context.download(other) == Words(values.size(), 4));
  // Destroyed in flight.
  Job job = context.submit(*plan);
  plan.reset();
  job.wait();
  CHECK(context.download(y) == values);
}

TEST_CASE("context: jobs, plans and buffers end in any order") {
  Job job;
  Plan plan;
  {
    std::optional<Clean> context(std::in_place);
    auto y = context->allocate<std::uint32_t>(1 << 20);
    {
      const auto x = context->upload(counting(1 << 20));
      job = context->submit([&](Recorder& r) { copy(r, {}, x, y); });
    }
    const auto other = context->upload(Words(1 << 20, 9));  // takes the memory of x
    CHECK(context->download(y) == counting(1 << 20));
    job = context->submit([&](Recorder& r) { copy(r, {}, other, y); });
    plan = context->record([&](Recorder& r) { copy(r, {}, other, y); });
    context->submit(plan);
    Clean moved(plain());
    y = {};
  }
  CHECK(job.done());
  job.wait();
  CHECK(job.gpu_ms() > 0);
  CHECK(Job().done());
  CHECK(Job().gpu_ms() == 0);
}

TEST_CASE("context: time on the GPU is measured, and grows with the work") {
  Clean context;
  const auto x = context.allocate<std::uint32_t>(4 << 20);
  const auto y = context.allocate<std::uint32_t>(4 << 20);
  const auto time = [&](int steps) {
    return context
        .submit([&](Recorder& r) {
          for (int i = 0; i < steps; ++i) copy(r, {}, x, y);
        })
        .gpu_ms();
  };
  time(1);
  const double one = time(1);
  const double many = time(32);
  CHECK(one > 0);
  CHECK(many > one);
}

TEST_CASE("context: two of them work in one process, and in two threads at once") {
  Clean first;
  Clean second;
  check_works(first);
  check_works(second);
  std::atomic<int> wrong{0};
  const auto work = [&wrong](Context& context) {
    const Words values = counting(50000);
    const auto x = context.upload(values);
    const auto y = context.allocate<std::uint32_t>(1);
    for (int i = 0; i < 20; ++i) {
      context.run([&](Recorder& r) { reduce(r, {}, x, y); });
      if (context.download(y)[0] != 1250025000u) ++wrong;
    }
  };
  std::thread a([&] { work(first); });
  std::thread b([&] { work(second); });
  std::thread c([&] {
    Context third(plain());
    work(third);
  });
  a.join();
  b.join();
  c.join();
  CHECK(wrong == 0);
}

TEST_CASE("context: a moved context keeps its buffers") {
  Clean context;
  auto x = context.upload(counting(100));
  Context moved = std::move(static_cast<Context&>(context));
  CHECK(moved.download(x) == counting(100));
  x = {};
  static_cast<Context&>(context) = std::move(moved);
  check_works(context);
}

TEST_CASE("context: an adopted device works like one of its own, and is left alone") {
  Clean owner;
  Adopt adopt{.instance = owner.instance(),
              .physical_device = owner.physical_device(),
              .device = owner.vk_device(),
              .queue = owner.queue(),
              .queue_family = owner.queue_family(),
              .get_instance_proc_addr = owner.get_instance_proc_addr(),
              .enabled = owner.device().features()};
  {
    Context guest(adopt);
    check_works(guest);
    CHECK(guest.driver() == owner.driver());
    CHECK(guest.heap_bytes() == owner.heap_bytes());
    CHECK(guest.timestamp_bits() == owner.timestamp_bits());
    // Both on one queue: the one reads what the other wrote, without a wait between.
    const auto x = guest.upload(counting(1000));
    const auto y = owner.allocate<std::uint32_t>(1000);
    const auto z = guest.allocate<std::uint32_t>(1000);
    owner.submit([&](Recorder& r) { copy(r, {}, x, y); });
    guest.submit([&](Recorder& r) { copy(r, {}, y, z); });
    CHECK(guest.download(z) == counting(1000));
  }
  adopt.get_instance_proc_addr = nullptr;  // the system's
  {
    Context guest(adopt);
    check_works(guest);
  }
  check_works(owner);

  adopt.queue_family = 77;
  expect(Status::invalid_argument, {"queue_family", "77"}, [&] { Context c(adopt); });
  adopt.queue = VK_NULL_HANDLE;
  expect(Status::invalid_argument, {"queue is null"}, [&] { Context c(adopt); });
  adopt.physical_device = VK_NULL_HANDLE;
  expect(Status::invalid_argument, {"physical_device is null"}, [&] { Context c(adopt); });
  adopt.instance = VK_NULL_HANDLE;
  expect(Status::invalid_argument, {"instance is null"}, [&] { Context c(adopt); });
}

TEST_CASE(
    "context: an allocation that is too large is an error that names the bytes and the limit") {
  Clean context;
  const auto allocate = [&](std::uint64_t bytes) { (void)context.allocate<std::uint8_t>(bytes); };
  for (const std::uint64_t bytes : {std::uint64_t{1} << 45, std::uint64_t{1} << 62}) {
    try {
      allocate(bytes);
      FAIL("no Error");
    } catch (const Error& error) {
      CHECK((error.status() == Status::unsupported || error.status() == Status::out_of_memory));
      CHECK(contains(error.what(), std::to_string(bytes)));
    }
  }
  expect(Status::unsupported, {"2^62"},
         [&] { (void)context.allocate<std::uint64_t>(~std::uint64_t{0}); });
  check_works(context);
}

TEST_CASE(
    "context: a buffer above the limit of one allocation is sparse, or refused with the limit") {
  const ContextInfo info = faulty();
  faults.max_allocation = 4 << 20;
  Context context(info);
  const Words values = counting(5 << 20);
  try {
    const auto x = context.upload(values);
    CHECK(x.address() % 256 == 0);
    const auto y = context.allocate<std::uint32_t>(values.size());
    context.run([&](Recorder& r) { copy(r, {}, x, y); });
    CHECK((context.download(y) == values));
    CHECK(context.statistics().device_allocations >= 10);
  } catch (const Error& error) {
    CHECK(error.status() == Status::unsupported);
    CHECK(contains(error.what(), "20971520 bytes"));
    CHECK(contains(error.what(), "maxMemoryAllocationSize of 4194304"));
  }
  context.trim();
  CHECK(context.statistics().live_buffers == 0);
}

TEST_CASE("context: a lost device is an error, and everything can still be destroyed") {
  Context context(faulty());
  const auto x = context.upload(counting(1000));
  const auto y = context.allocate<std::uint32_t>(1000);
  const Plan plan = context.record([&](Recorder& r) { copy(r, {}, x, y); });
  const auto submissions = context.statistics().submissions;

  faults.lose_submit = true;
  expect(Status::device_lost, {"vkQueueSubmit", "lost"}, [&] { context.submit(plan); });
  expect(Status::device_lost, {"lost"},
         [&] { context.run([&](Recorder& r) { copy(r, {}, x, y); }); });
  expect(Status::device_lost, {"lost"}, [&] { (void)context.download(y); });
  expect(Status::device_lost, {"lost"}, [&] { (void)context.upload(counting(25 << 20)); });
  CHECK(context.statistics().submissions == submissions);
  faults.lose_submit = false;

  Job job = context.submit(plan);
  faults.lose_wait = true;
  expect(Status::device_lost, {"lost"}, [&] { job.wait(); });
  expect(Status::device_lost, {"lost"}, [&] { (void)job.gpu_ms(); });
  CHECK(job.done());
  expect(Status::device_lost, {"lost"}, [&] { (void)context.download(y); });
  faults.lose_wait = false;
  context.trim();
  check_works(context);  // it was not lost in earnest
  faults.lose_submit = faults.lose_wait = true;
}

TEST_CASE(
    "context: memory that runs out is an error, after freed buffers have been given up for it") {
  Context context(faulty());
  const auto kept = context.upload(counting(1000));
  { const auto freed = context.allocate<std::uint8_t>(100 << 20); }
  faults.no_memory = true;
  expect(Status::out_of_memory, {"300000000 bytes", "out of device memory"},
         [&] { (void)context.allocate<std::uint8_t>(300000000); });
  CHECK(context.statistics().idle_buffers == 0);
  expect(Status::out_of_memory, {"out of device memory"}, [&] {
    context.run([&](Recorder& r) {
      r.step({300000000, 16}, [](VkCommandBuffer, const Scratch&) { return Status(); });
    });
  });
  faults.no_memory = false;
  CHECK(context.download(kept) == counting(1000));
  check_works(context);
}

TEST_CASE("context: compiled pipelines are kept in a file, and a damaged file is ignored") {
  const TemporaryDirectory directory;
  const Environment variable("XDG_CACHE_HOME", directory.path.string());
  Log log;
  ContextInfo info = plain();
  info.log = log.callback();
  info.pipeline_cache_file = true;
  const auto run = [&] {
    log.text.clear();
    Context context(info);
    check_works(context);
  };
  const auto read = [](const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  run();
  CHECK(contains(log.text, "pipeline cache: 0 bytes from"));
  REQUIRE(directory.files("vkprims").size() == 1);
  const std::filesystem::path file = directory.files("vkprims")[0];
  const std::string good = read(file);
  run();
  CHECK(contains(log.text, "pipeline cache: " + std::to_string(good.size() - 24) + " bytes from"));

  // Cut off, with a wrong byte, of another device, with a length that lies, empty.
  std::string wrong_byte = good;
  wrong_byte.back() = static_cast<char>(wrong_byte.back() ^ 1);
  for (const std::string& bad : {good.substr(0, good.size() - 1), wrong_byte, good.substr(0, 10),
                                 good + "x", std::string()}) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bad;
    run();
    CHECK(contains(log.text, "pipeline cache: 0 bytes from"));
    CHECK(directory.files("vkprims").size() == 1);
    CHECK(read(file).size() == good.size());
  }

  std::filesystem::remove_all(directory.path / "vkprims");
  std::ofstream(directory.path / "vkprims") << "in the way";
  run();
  CHECK(contains(log.text, "cannot write"));
  info.pipeline_cache_file = false;
  std::filesystem::remove(directory.path / "vkprims");
  run();
  CHECK(directory.files("vkprims").empty());
}

TEST_CASE("context: validation on request counts what it finds, and tells the log") {
  Log log;
  ContextInfo info = plain();
  info.log = log.callback();
  for (const Validation validation : {Validation::core, Validation::gpu_assisted}) {
    info.validation = validation;
    try {
      Context context(info);
      check_works(context);
      CAPTURE(log.text);
      CHECK(context.statistics().validation_messages == 0);
      const auto create = reinterpret_cast<PFN_vkCreateFence>(
          context.get_instance_proc_addr()(context.instance(), "vkCreateFence"));
      const auto destroy = reinterpret_cast<PFN_vkDestroyFence>(
          context.get_instance_proc_addr()(context.instance(), "vkDestroyFence"));
      const VkFenceCreateInfo wrong{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
      VkFence fence = VK_NULL_HANDLE;
      (void)create(context.vk_device(), &wrong, nullptr, &fence);
      destroy(context.vk_device(), fence, nullptr);
      CHECK(context.statistics().validation_messages > 0);
      CHECK(contains(log.text, "VUID-VkFenceCreateInfo-sType-sType"));
    } catch (const Error& error) {
      CHECK(error.status() == Status::unsupported);
      CHECK(contains(error.what(), "VK_LAYER_KHRONOS_validation"));
    }
  }
}

TEST_CASE("context: a log callback that throws does no harm") {
  ContextInfo info = plain();
  info.log = [](LogLevel, const char*) { throw std::runtime_error("from the log"); };
  Clean context(info);
  check_works(context);
}

}  // namespace vkprims::test

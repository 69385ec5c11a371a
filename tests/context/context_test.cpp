// Tests of the Context.
#include <cctype>
#include <stdexcept>

#include "context/context_support.hpp"
#include "context/selection.hpp"
#include "runtime/device_state.hpp"

namespace vkprims::test {
namespace {

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

TEST_CASE("context: a queue without graphics is chosen, or one with graphics if that is wanted") {
  const auto family = [](VkQueueFlags flags) {
    return VkQueueFamilyProperties{.queueFlags = flags, .queueCount = 1};
  };
  const auto transfer = family(VK_QUEUE_TRANSFER_BIT), compute = family(VK_QUEUE_COMPUTE_BIT),
             both = family(VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT),
             graphics = family(VK_QUEUE_GRAPHICS_BIT);
  CHECK(compute_family({transfer, both, compute}) == 2);
  CHECK(compute_family({transfer, both, compute}, true) == 1);
  CHECK(compute_family({graphics, both}) == 1);
  CHECK(compute_family({graphics, compute}, true) == -1);
  CHECK(compute_family({transfer, graphics}) == -1);
}

TEST_CASE("context: the library is told whether the queue has graphics") {
  const Clean by_default;
  const auto families = [&] {
    std::uint32_t count = 16;
    std::vector<VkQueueFamilyProperties> all(count);
    const auto query = reinterpret_cast<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(
        by_default.get_instance_proc_addr()(by_default.instance(),
                                            "vkGetPhysicalDeviceQueueFamilyProperties"));
    query(by_default.physical_device(), &count, all.data());
    all.resize(count);
    return all;
  }();
  const auto has_graphics = [&](const Context& c) {
    return (families[c.queue_family()].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0;
  };
  CHECK(by_default.device().state()->info.graphics_queue == has_graphics(by_default));
  if (compute_family(families, true) < 0) return;
  ContextInfo info;
  info.graphics_queue = true;
  const Context wanted(info);
  CHECK(has_graphics(wanted));
  CHECK(wanted.device().state()->info.graphics_queue);
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
  CHECK(masked.device().state()->hooks.workgroup128);

  info.mask = "int63";
  expect(Status::invalid_argument, {"int63", "int64"}, [&] { Context c(info); });
  const Environment variable("VKPRIMS_MASK", "storage8");
  const Clean from_environment;
  CHECK(!from_environment.device().features().storage8);
  const Environment wrong("VKPRIMS_MASK", "int63");
  expect(Status::invalid_argument, {"VKPRIMS_MASK", "int63"}, [] { Context c(plain()); });
}

TEST_CASE("context: the environment is read for Contexts alone, not for an embedded Device") {
  const Clean context;
  const auto features = [&] {
    Features has;
    throw_if_error(query_features(context.get_instance_proc_addr(), context.instance(),
                                  context.physical_device(), has));
    Device embedded;
    throw_if_error(Device::create({.instance = context.instance(),
                                   .physical_device = context.physical_device(),
                                   .device = context.vk_device(),
                                   .get_instance_proc_addr = context.get_instance_proc_addr(),
                                   .enabled = context.device().features()},
                                  embedded));
    return has.names() + "; " + embedded.features().names();
  };
  const Environment nothing("VKPRIMS_MASK", "");
  const std::string before = features();
  const Environment mask("VKPRIMS_MASK", context.device().features().names());
  const Environment device("VKPRIMS_DEVICE", "none of this name");
  CHECK(features() == before);
}

TEST_CASE("context: uploads and downloads of any size return the same bytes") {
  Clean context;
  // The last two sizes are larger than the staging buffer, and odd.
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
  Words part(2, 7);
  context.read(buffer, std::span(part), 10);
  CHECK(part == Words{70, 80});

  expect(Status::invalid_argument, {"998", "1000"}, [&] {
    context.write(buffer, Words{1, 2, 3}, 998);
  });
  expect(Status::invalid_argument, {"1001"}, [&] { (void)context.download(buffer, 1001, 0); });
  expect(Status::invalid_argument, {"999"}, [&] { context.read(buffer, std::span(part), 999); });
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

TEST_CASE("context: a buffer becomes one of another type, with the same memory") {
  Clean context;
  auto words = context.upload(Words{0x04030201, 0x08070605, 0x0c0b0a09});
  const VkDeviceAddress address = words.address();
  auto bytes = std::move(words).as<std::uint8_t>();
  CHECK(words.size() == 0);
  CHECK(bytes.address() == address);
  CHECK(context.statistics().live_buffers == 1);
  CHECK(context.download(bytes, 4, 3) == std::vector<std::uint8_t>{5, 6, 7});
  const auto pairs = std::move(bytes).as<std::uint64_t>();
  CHECK(context.download(pairs) == std::vector<std::uint64_t>{0x0807060504030201});
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
  CHECK(scratch[1] != scratch[2]);  // the second one is larger
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

TEST_CASE("context: scratch of a plan is its own, also between submissions") {
  Clean context;
  const auto x = context.upload(Words(1 << 20, 1));
  const auto sums = context.allocate<std::uint32_t>(1 << 20);
  VkDeviceSize bytes = 0;
  const Plan plan = context.record([&](Recorder& r) {
    bytes = scan_scratch(r.device(), {.count = 1 << 20}).bytes;
    scan(r, {}, x, sums);
  });
  REQUIRE(bytes != 0);
  context.submit(plan).wait();
  // Scratch may have had any of these sizes. Each of these buffers takes memory that was freed, if
  // any was.
  std::vector<Buffer<std::uint32_t>> others;
  for (VkDeviceSize size = 16 << 10; size <= 4 << 20; size *= 2) {
    others.push_back(context.upload(Words(size / 4, 0xffffffff)));
  }
  context.submit(plan).wait();
  for (const auto& other : others) {
    CHECK(context.download(other) == Words(other.size(), 0xffffffff));
  }
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
  // This step fails because `in` and `out` overlap.
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
    // This buffer would get the memory of `temporary` if that were free already.
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
  // The plan is destroyed while it is in flight.
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
    // Both use one queue: one reads what the other wrote, without a wait between.
    const auto x = guest.upload(counting(1000));
    const auto y = owner.allocate<std::uint32_t>(1000);
    const auto z = guest.allocate<std::uint32_t>(1000);
    owner.submit([&](Recorder& r) { copy(r, {}, x, y); });
    guest.submit([&](Recorder& r) { copy(r, {}, y, z); });
    CHECK(guest.download(z) == counting(1000));
  }
  adopt.get_instance_proc_addr = nullptr;  // null: the system's loader
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

}  // namespace vkprims::test

// Limits and failures of the Context, and its environment.
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "context/context_support.hpp"
#include "support/faulty_loader.hpp"

namespace vkprims::test {

TEST_CASE("context: barriers stand before a submission, between its steps and before the host") {
  Context context(faulty());
  const auto in = context.allocate<std::uint32_t>(1000);
  const auto out = context.allocate<std::uint32_t>(1000);
  const auto run = [&](int steps) {
    const int before = faults().barriers;
    context.run([&](Recorder& r) {
      for (int i = 0; i < steps; ++i) copy(r, {}, in, out);
    });
    return faults().barriers - before;
  };
  CHECK(run(1) == 2);  // recorded once for all submissions that are not in flight together
  CHECK(run(1) == 0);
  CHECK(run(4) == 3);
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
  const int created = faults().created;
  CHECK(before.device_allocations > 0);
  CHECK(before.device_bytes > 0);
  for (int i = 0; i < 100; ++i) round();
  const ContextStatistics after = context.statistics();
  CHECK(after.device_allocations == before.device_allocations);
  CHECK(after.device_bytes == before.device_bytes);
  CHECK(after.live_buffers == 2);
  CHECK(after.idle_buffers == before.idle_buffers);
  CHECK(after.submissions > before.submissions + 200);
  CHECK(faults().created == created);
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

TEST_CASE("context: a buffer above the limit of one allocation is one where the device makes it") {
  const ContextInfo info = faulty();
  faults().max_allocation = 4 << 20;
  faults().refuses_larger = false;
  Context context(info);
  const Words values = counting(5 << 20);
  const auto x = context.allocate<std::uint32_t>(values.size());
  CHECK(context.statistics().device_allocations == 1);
  CHECK(context.statistics().device_bytes == 20 << 20);
  context.write(x, values);
  CHECK((context.download(x) == values));
}

TEST_CASE("context: where the device refuses, the buffer is sparse, or an error names the limit") {
  const ContextInfo info = faulty();
  faults().max_allocation = 4 << 20;
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

  faults().lose_submit = true;
  expect(Status::device_lost, {"vkQueueSubmit", "lost"}, [&] { context.submit(plan); });
  expect(Status::device_lost, {"lost"},
         [&] { context.run([&](Recorder& r) { copy(r, {}, x, y); }); });
  expect(Status::device_lost, {"lost"}, [&] { (void)context.download(y); });
  expect(Status::device_lost, {"lost"}, [&] { (void)context.upload(counting(25 << 20)); });
  CHECK(context.statistics().submissions == submissions);
  faults().lose_submit = false;

  Job job = context.submit(plan);
  faults().lose_wait = true;
  expect(Status::device_lost, {"lost"}, [&] { job.wait(); });
  expect(Status::device_lost, {"lost"}, [&] { (void)job.gpu_ms(); });
  CHECK(job.done());
  expect(Status::device_lost, {"lost"}, [&] { (void)context.download(y); });
  faults().lose_wait = false;
  context.trim();
  check_works(context);  // the device was not really lost
  faults().lose_submit = faults().lose_wait = true;
}

TEST_CASE(
    "context: memory that runs out is an error, after freed buffers have been given up for it") {
  Context context(faulty());
  const auto kept = context.upload(counting(1000));
  { const auto freed = context.allocate<std::uint8_t>(100 << 20); }
  faults().no_memory_until_free = true;
  { const auto in_its_place = context.allocate<std::uint8_t>(200 << 20); }
  CHECK(!faults().no_memory_until_free);
  CHECK(context.statistics().idle_buffers == 1);
  faults().no_memory = true;
  expect(Status::out_of_memory, {"300000000 bytes", "out of device memory"},
         [&] { (void)context.allocate<std::uint8_t>(300000000); });
  CHECK(context.statistics().idle_buffers == 0);
  expect(Status::out_of_memory, {"out of device memory"}, [&] {
    context.run([&](Recorder& r) {
      r.step({300000000, 16}, [](VkCommandBuffer, const Scratch&) { return Status(); });
    });
  });
  faults().no_memory = false;
  CHECK(context.download(kept) == counting(1000));
  check_works(context);
}

TEST_CASE("context: freed buffers are given up before memory is taken beyond what is free") {
  const ContextInfo info = faulty();
  faults().budget = 150 << 20;
  Context context(info);
  REQUIRE(context.heap_budget() == faults().budget);
  const auto kept = context.upload(counting(1000));
  { const auto freed = context.allocate<std::uint8_t>(100 << 20); }
  const std::uint64_t idle = context.statistics().idle_buffers;
  { const auto beside = context.allocate<std::uint8_t>(120 << 20); }
  CHECK(context.statistics().idle_buffers == idle + 1);
  {
    const auto in_place_of_both = context.allocate<std::uint8_t>(180 << 20);
    CHECK(context.statistics().idle_buffers == 0);
    CHECK(context.statistics().device_bytes < std::uint64_t{260} << 20);
  }
  CHECK(context.download(kept) == counting(1000));
  check_works(context);
  faults().budget = 0;
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

  // These files are cut short, end in a wrong byte, are cut within the header, are one byte too
  // long, or are empty.
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

TEST_CASE("context: the pipeline cache is where the system has caches, Windows as well as Unix") {
  const TemporaryDirectory directory;
  const auto in = [&](const char* name) { return (directory.path / name).string(); };
  const auto used = [&](const char* wanted) {
    Log log;
    ContextInfo info = plain();
    info.log = log.callback();
    info.pipeline_cache_file = true;
    { const Context context(info); }
    CAPTURE(log.text);
    CHECK(contains(log.text, "pipeline cache: 0 bytes from " +
                                 (directory.path / wanted / "vkprims").string()));
  };
  const Environment home("HOME", in("home"));
  {
    const Environment local("LOCALAPPDATA", in("local")), xdg("XDG_CACHE_HOME", in("xdg"));
    used("xdg");
  }
  {
    const Environment local("LOCALAPPDATA", in("local")), xdg("XDG_CACHE_HOME", "relative");
    used("local");
  }
  const Environment local("LOCALAPPDATA", ""), xdg("XDG_CACHE_HOME", "");
  used("home/.cache");
}

TEST_CASE("context: validation on request counts what it finds, and tells the log") {
  Log log;
  ContextInfo info = plain();
  info.log = log.callback();
  // This Context stays: the layer leaks, and leak checkers know its leaks only while it is loaded.
  static const Context* loaded = nullptr;
  for (const Validation validation : {Validation::core, Validation::gpu_assisted}) {
    info.validation = validation;
    try {
      Context context(info);
      if (!loaded) loaded = new Context({.validation = validation, .pipeline_cache_file = false});
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

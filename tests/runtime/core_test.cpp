// The core apart from the primitives: status, features, device, recording, warm-up.
#include <cstdlib>
#include <cstring>

#include "runtime/device_hooks.hpp"
#include "runtime/tuning.hpp"
#include "support/support.hpp"

namespace vkprims::test {

TEST_CASE("status: success is 16 bytes of nothing; errors share their message between copies") {
  const Status good;
  CHECK(good);
  CHECK(good == Status::ok);
  CHECK(std::string(good.message()) == "ok");
  const std::uint64_t before = heap_allocations();
  Status bad = Status::error(Status::invalid_argument, "n is %d, at most %d", 7, 3);
  Status copy = bad;
  bad = {};
  CHECK(heap_allocations() == before);  // the message uses malloc, not operator new
  CHECK_FALSE(copy);
  CHECK(std::string(copy.message()) == "n is 7, at most 3");
  CHECK(Status::from(VK_ERROR_DEVICE_LOST, "vkQueueSubmit") == Status::device_lost);
  CHECK(Status::from(VK_ERROR_OUT_OF_DEVICE_MEMORY, "x") == Status::out_of_memory);
  CHECK(Status::from(VK_INCOMPLETE, "x"));
  CHECK(Status::from(VK_ERROR_DEVICE_LOST, "x").vk_result() == VK_ERROR_DEVICE_LOST);
}

TEST_CASE(
    "features: merging ORs into whichever structures the chain holds, and links in the rest") {
  Features all = context().device().features();
  all.int64 = all.float64 = all.int64_atomics = all.storage8 = all.storage16 = true;
  all.subgroup_size_control = all.full_subgroups = all.subgroup_extended_types = true;

  SUBCASE("an empty chain") {
    VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    std::vector<const char*> extensions;
    all.merge_into(info, extensions);
    int structures = 0;
    for (auto* s = static_cast<const VkBaseInStructure*>(info.pNext); s; s = s->pNext) ++structures;
    CHECK(structures == 7);
    REQUIRE(info.pEnabledFeatures);
    CHECK(info.pEnabledFeatures->shaderInt64);
    CHECK(info.pEnabledFeatures->shaderFloat64);
    CHECK(extensions.size() <= 1);
    const std::size_t first = extensions.size();
    all.merge_into(info, extensions);  // finds its own structures again
    CHECK(extensions.size() == first);
  }
  SUBCASE("Vulkan 1.1, 1.2 and 1.3 structures and Features2") {
    VkPhysicalDeviceVulkan13Features v13{.sType =
                                             VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features v12{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v13};
    VkPhysicalDeviceVulkan11Features v11{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &v12};
    VkPhysicalDeviceFeatures2 f2{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                 .pNext = &v11};
    f2.features.robustBufferAccess = VK_TRUE;
    VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &f2};
    std::vector<const char*> extensions;
    all.merge_into(info, extensions);
    CHECK(info.pNext == &f2);
    CHECK(info.pEnabledFeatures == nullptr);
    CHECK(extensions.empty());
    CHECK(f2.features.shaderInt64);
    CHECK(f2.features.robustBufferAccess);
    CHECK(v11.storageBuffer16BitAccess);
    CHECK(v12.bufferDeviceAddress);
    CHECK(v12.vulkanMemoryModel);
    CHECK(v12.shaderBufferInt64Atomics);
    CHECK(v12.storageBuffer8BitAccess);
    CHECK(v13.subgroupSizeControl);
    CHECK(v13.computeFullSubgroups);
  }
  SUBCASE("single structures and pEnabledFeatures") {
    VkPhysicalDeviceBufferDeviceAddressFeatures address{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    const VkPhysicalDeviceFeatures mine{.robustBufferAccess = VK_TRUE};
    VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                            .pNext = &address,
                            .pEnabledFeatures = &mine};
    std::vector<const char*> extensions;
    all.merge_into(info, extensions);
    CHECK(address.bufferDeviceAddress);
    CHECK(info.pEnabledFeatures->robustBufferAccess);
    CHECK(info.pEnabledFeatures->shaderInt64);
    CHECK_FALSE(mine.shaderInt64);
    int addresses = 0;
    for (auto* s = static_cast<const VkBaseInStructure*>(info.pNext); s; s = s->pNext) {
      addresses += s->sType == address.sType;
    }
    CHECK(addresses == 1);
  }
}

TEST_CASE(
    "features: a mask clears what it names, and an unknown name is an error that lists the names") {
  Features f = context().device().features();
  CHECK(f.mask("storage8,int64"));
  CHECK_FALSE(f.storage8);
  CHECK_FALSE(f.int64);
  CHECK_FALSE(f.int64_atomics);
  CHECK(f.mask(""));
  const Status s = f.mask("int65");
  CHECK(s == Status::invalid_argument);
  CHECK(std::string(s.message()).find("'int65'") != std::string::npos);
  CHECK(std::string(s.message()).find("subgroup_extended_types") != std::string::npos);
}

namespace faked {

// Describes a device that lacks one thing, which query_features() must name.
struct Lack {
  const char* name;
  void (*change)(VkPhysicalDeviceProperties2&, VkPhysicalDeviceSubgroupProperties*,
                 VkPhysicalDeviceVulkan12Features*);
};
const Lack* lack;

template <class T>
T* find(void* chain, VkStructureType type) {
  for (auto* s = static_cast<VkBaseOutStructure*>(chain); s; s = s->pNext) {
    if (s->sType == type) return reinterpret_cast<T*>(s);
  }
  return nullptr;
}

VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* out) {
  reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(context().get_instance_proc_addr()(
      context().instance(), "vkGetPhysicalDeviceProperties"))(physical, out);
  VkPhysicalDeviceProperties2 both{.properties = *out};
  lack->change(both, nullptr, nullptr);
  *out = both.properties;
}

VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice physical,
                                       VkPhysicalDeviceProperties2* out) {
  reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(context().get_instance_proc_addr()(
      context().instance(), "vkGetPhysicalDeviceProperties2"))(physical, out);
  lack->change(*out,
               find<VkPhysicalDeviceSubgroupProperties>(
                   out->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES),
               nullptr);
}

VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2* out) {
  reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(context().get_instance_proc_addr()(
      context().instance(), "vkGetPhysicalDeviceFeatures2"))(physical, out);
  VkPhysicalDeviceProperties2 none{};
  lack->change(none, nullptr,
               find<VkPhysicalDeviceVulkan12Features>(
                   out->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES));
}

PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance, const char* name) {
  if (!std::strcmp(name, "vkGetPhysicalDeviceProperties"))
    return reinterpret_cast<PFN_vkVoidFunction>(properties);
  if (!std::strcmp(name, "vkGetPhysicalDeviceProperties2"))
    return reinterpret_cast<PFN_vkVoidFunction>(properties2);
  if (!std::strcmp(name, "vkGetPhysicalDeviceFeatures2"))
    return reinterpret_cast<PFN_vkVoidFunction>(features2);
  return context().get_instance_proc_addr()(instance, name);
}

}  // namespace faked

TEST_CASE("features: a device that lacks something required is refused by its name") {
  using P = VkPhysicalDeviceProperties2&;
  using S = VkPhysicalDeviceSubgroupProperties*;
  using F = VkPhysicalDeviceVulkan12Features*;
  const faked::Lack lacks[] = {
      {"Vulkan 1.1, vkprims requires 1.2",
       [](P p, S, F) { p.properties.apiVersion = VK_API_VERSION_1_1; }},
      {"bufferDeviceAddress",
       [](P, S, F f) {
         if (f) f->bufferDeviceAddress = VK_FALSE;
       }},
      {"vulkanMemoryModel",
       [](P, S, F f) {
         if (f) f->vulkanMemoryModel = VK_FALSE;
       }},
      {"shuffle",
       [](P, S s, F) {
         if (s) s->supportedOperations &= ~VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
       }},
      {"in compute shaders",
       [](P, S s, F) {
         if (s) s->supportedStages = VK_SHADER_STAGE_FRAGMENT_BIT;
       }},
      {"subgroup size",
       [](P, S s, F) {
         if (s) s->subgroupSize = 2;
       }},
      {"16 KiB", [](P p, S, F) { p.properties.limits.maxComputeSharedMemorySize = 8192; }},
      {"128 invocations",
       [](P p, S, F) { p.properties.limits.maxComputeWorkGroupInvocations = 64; }},
  };
  for (const faked::Lack& lack : lacks) {
    faked::lack = &lack;
    Features f;
    const Status s = query_features(faked::get_instance_proc_addr, context().instance(),
                                    context().physical_device(), f);
    CAPTURE(std::string(lack.name));
    const std::string message = s.message();
    CAPTURE(message);
    CHECK(s == Status::unsupported);
    CHECK(message.find(lack.name) != std::string::npos);
  }
  Features f;
  CHECK(query_features(nullptr, context().instance(), context().physical_device(), f) ==
        Status::invalid_argument);
  CHECK(query_features(context().get_instance_proc_addr(), VK_NULL_HANDLE,
                       context().physical_device(), f) == Status::invalid_argument);
}

TEST_CASE("device: null handles, claimed features and tuning out of range are refused by name") {
  const DeviceInfo good = device().state()->info;
  const auto refuse = [&](Status::Code code, const char* word, auto&& change) {
    DeviceInfo info = good;
    change(info);
    Device d;
    const Status s = Device::create(info, d);
    const std::string message = s.message();
    CAPTURE(message);
    CHECK(s == code);
    CHECK(message.find(word) != std::string::npos);
    CHECK_FALSE(d);
  };
  const auto invalid = Status::invalid_argument;
  refuse(invalid, "get_instance_proc_addr is null",
         [](DeviceInfo& i) { i.get_instance_proc_addr = nullptr; });
  refuse(invalid, "instance is null", [](DeviceInfo& i) { i.instance = VK_NULL_HANDLE; });
  refuse(invalid, "physical_device is null",
         [](DeviceInfo& i) { i.physical_device = VK_NULL_HANDLE; });
  refuse(invalid, "device is null", [](DeviceInfo& i) { i.device = VK_NULL_HANDLE; });
  refuse(invalid, "workgroup_size is 64, must be 128",
         [](DeviceInfo& i) { i.tuning.workgroup_size = 64; });
  refuse(invalid, "workgroup_size is 192, must be a power of two",
         [](DeviceInfo& i) { i.tuning.workgroup_size = 192; });
  refuse(invalid, "rows_per_tile is 17", [](DeviceInfo& i) { i.tuning.rows_per_tile = 17; });
  refuse(invalid, "max_reduce_groups is 9000",
         [](DeviceInfo& i) { i.tuning.max_reduce_groups = 9000; });
  Features claims_too_much = good.enabled;
  const faked::Lack lack{"", [](VkPhysicalDeviceProperties2&, VkPhysicalDeviceSubgroupProperties*,
                                VkPhysicalDeviceVulkan12Features* f) {
                           if (f) f->storageBuffer8BitAccess = VK_FALSE;
                         }};
  faked::lack = &lack;
  claims_too_much.storage8 = true;
  refuse(Status::unsupported, "enabled.storage8", [&](DeviceInfo& i) {
    i.enabled = claims_too_much;
    i.get_instance_proc_addr = faked::get_instance_proc_addr;
  });
}

TEST_CASE("device: the library loads and records only the functions that it lists") {
  spy().loaded.clear();
  Device d;
  throw_if_error(Device::create(device().state()->info, d));
  for (const std::string& name : spy().loaded) {
    if (name.rfind("vkCmd", 0) != 0) continue;
    const bool listed = name == "vkCmdBindPipeline" || name == "vkCmdPushConstants" ||
                        name == "vkCmdDispatch" || name == "vkCmdDispatchIndirect" ||
                        name == "vkCmdPipelineBarrier" || name == "vkCmdFillBuffer" ||
                        name == "vkCmdUpdateBuffer" || name == "vkCmdBeginDebugUtilsLabelEXT" ||
                        name == "vkCmdEndDebugUtilsLabelEXT";
    CAPTURE(name);
    CHECK(listed);
  }
  for (const char* never : {"vkQueueSubmit", "vkAllocateMemory", "vkCreateBuffer",
                            "vkCreateDescriptorPool", "vkQueueWaitIdle"}) {
    CHECK(std::find(spy().loaded.begin(), spy().loaded.end(), never) == spy().loaded.end());
  }
}

TEST_CASE("device: describe names the device, its features and its tuning") {
  const std::string text = describe(device(kTinyTiles));
  CHECK(text.find(context().properties().deviceName) != std::string::npos);
  CHECK(text.find("tuning: workgroup_size 128, stream_rows 1, rows_per_tile 1,") !=
        std::string::npos);
  CHECK(describe(Device()) == "no device");
}

TEST_CASE("device: a limit of a test takes the place of the device's") {
  DeviceHooks hooks;
  CHECK(take_hooks("storage8,workgroup128,int64", hooks) == "storage8,int64");
  CHECK(hooks.workgroup128);
  CHECK_FALSE(hooks.shared16k);
  CHECK(take_hooks("shared16k", hooks) == "");
  CHECK(hooks.shared16k);
  DeviceInfo info = device().state()->info;
  info.tuning.workgroup_size = 256;
  Device d;
  const Status refused = create_device(info, hooks, d);
  CHECK(refused == Status::invalid_argument);
  CHECK(std::string(refused.message()).find("must be 128 … 128") != std::string::npos);
}

TEST_CASE("tuning: the table has a row for every device, within its limits") {
  for (const std::uint32_t vendor : {0x10deu, 0x1002u, 0x8086u, 0x10005u, 0x1234u}) {
    for (const std::uint32_t limit : {128u, 256u, 1024u, 2048u}) {
      Tuning t;
      CHECK(choose_tuning({vendor, 0, 32}, limit, {}, t));
      CHECK(t.workgroup_size <= limit);
      CHECK(t.rows_per_tile > 0);
      CHECK(t.max_reduce_groups > 0);
    }
  }
}

TEST_CASE("record: a missing barrier between two commands of a primitive is found") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const ReduceDesc desc{.count = 100'000};
  const DirtyScratch scratch(reduce_scratch(d, desc));
  const ReduceBuffers buffers{memory.slice(0, 100'000).view(), memory.slice(200'000, 1).view(),
                              scratch.get()};
  const auto hazards_without = [&](int barrier) {
    spy().clear();
    spy().skip_barrier = barrier;
    context().record([&](Recorder& r) {  // recorded, never run
      r.commands(
          [&](VkCommandBuffer cmd) { throw_if_error(record_reduce(cmd, d, desc, buffers)); });
    });
    return spy().hazards.hazards();
  };
  CHECK(hazards_without(-1) == "");
  CHECK(spy().barriers == 1);
  const char* fill = d.state()->dispatches_fills ? "vkCmdDispatch" : "vkCmdUpdateBuffer";
  CHECK(hazards_without(0).find(std::string("after ") + fill + " wrote") != std::string::npos);
}

TEST_CASE("record: a command that does what access.hpp does not say is found") {
  static_assert(access_of(scan_access(), "total").writes == VK_ACCESS_SHADER_WRITE_BIT);
  static_assert(access_of(scan_access(), "in").last_stages == VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  static_assert(access_of(scan_access(), "rows").stages == 0);
  static_assert(call_access("strings::split").data() == strings::column_access().data());
  static_assert(call_access("scam").empty());
  const Operand in{"in", {0x1000, 64}, 64, 4, false}, out{"out", {0x2000, 64}, 64, 4, true};
  const Operand scratch{"scratch", {0x3000, 64}, 64, 4, true};
  const auto found = [&](const char* primitive, const Access& access, VkPipelineStageFlags stages,
                         VkAccessFlags kinds) {
    HazardChecker checker;
    checker.call(primitive, std::vector{in, out, scratch});
    checker.announce(&access, 1);
    checker.command("vkCmd", stages, kinds);
    return checker.hazards();
  };
  constexpr VkPipelineStageFlags kCompute = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  constexpr VkAccessFlags kShader = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  CHECK(found("reduce", {in.view, false}, kCompute, kShader) == "");
  CHECK(found("reduce", {out.view, true}, kCompute, kShader) == "");
  CHECK(found("reduce", {in.view, true}, kCompute, kShader) ==
        "reduce: vkCmd does what access.hpp does not say to in\n");
  CHECK(found("reduce", {out.view, false}, kCompute, kShader) != "");
  CHECK(found("reduce", {scratch.view, true}, VK_PIPELINE_STAGE_TRANSFER_BIT,
              VK_ACCESS_TRANSFER_WRITE_BIT) == "");
  CHECK(found("copy", {scratch.view, true}, VK_PIPELINE_STAGE_TRANSFER_BIT,
              VK_ACCESS_TRANSFER_WRITE_BIT) != "");
  CHECK(found("histogram", {in.view, false}, kCompute, kShader) ==
        "histogram has no entry of scratch in access.hpp\n");
}

TEST_CASE("record: two primitives need a barrier between them, which record_barrier is") {
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const auto a = memory.slice(0, 1000).view(), b = memory.slice(2000, 1000).view(),
             c = memory.slice(4000, 1000).view();
  const auto hazards = [&](bool with_barrier, const BufferView& second_in,
                           const BufferView& second_out) {
    spy().clear();
    context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) {
        throw_if_error(record_copy(cmd, d, {4, 1000}, {a, b, {}}));
        if (with_barrier) throw_if_error(record_barrier(cmd, d));
        throw_if_error(record_copy(cmd, d, {4, 1000}, {second_in, second_out, {}}));
      });
    });
    return spy().hazards.hazards();
  };
  CHECK(hazards(false, b, c) != "");  // read after write
  CHECK(hazards(false, c, b) != "");  // write after write
  CHECK(hazards(false, c, a) != "");  // write after read
  CHECK(hazards(false, a, c) == "");  // both read a
  CHECK(hazards(true, b, c) == "");
  CHECK(hazards(true, c, b) == "");
  CHECK(hazards(true, c, a) == "");
}

TEST_CASE("record: record_barrier holds back what it is told to, and no more") {
  const Device& d = device();
  constexpr VkPipelineStageFlags kAlways =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  const auto destination = [&](BarrierBefore before) {
    context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) { throw_if_error(record_barrier(cmd, d, before)); });
    });
    CHECK((spy().barrier_to & kAlways) == kAlways);
    CHECK((spy().barrier_to_accesses & VK_ACCESS_SHADER_READ_BIT) != 0);
    return spy().barrier_to & ~kAlways;
  };
  CHECK(destination(BarrierBefore::compute) == 0);
  CHECK(destination(BarrierBefore::indirect) == VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT);
  CHECK((spy().barrier_to_accesses & VK_ACCESS_INDIRECT_COMMAND_READ_BIT) != 0);
  CHECK(destination(BarrierBefore::host) == VK_PIPELINE_STAGE_HOST_BIT);
  CHECK((spy().barrier_to_accesses & VK_ACCESS_HOST_READ_BIT) != 0);
  if (!validated()) {  // the queue of the Context may be one without graphics
    CHECK(destination(BarrierBefore::fragment) == VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT);
    CHECK(destination(BarrierBefore::vertex | BarrierBefore::indirect) ==
          (VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
           VK_PIPELINE_STAGE_VERTEX_SHADER_BIT));
    CHECK((spy().barrier_to_accesses & VK_ACCESS_INDEX_READ_BIT) != 0);
  }
  expect_error(Status::invalid_argument, {"before is 16", "15"}, [&](VkCommandBuffer cmd) {
    return record_barrier(cmd, d, static_cast<BarrierBefore>(16));
  });
}

TEST_CASE("record: a hook is told of each call that records, before and behind its commands") {
  struct Told {
    std::vector<std::string> names;
    std::size_t commands_before = 0;
  } told;
  DeviceInfo info = device().state()->info;
  info.on_record = {[](void* user, VkCommandBuffer cmd, const char* primitive, bool begins) {
                      CHECK(cmd != VK_NULL_HANDLE);
                      auto& log = *static_cast<Told*>(user);
                      log.names.push_back((begins ? "begin " : "end ") + std::string(primitive));
                      if (begins) log.commands_before = spy().recorded.size();
                      if (!begins) CHECK(spy().recorded.size() > log.commands_before);
                    },
                    &told};
  Device d;
  throw_if_error(create_device(info, limits(), d));
  const auto memory = context().allocate<std::uint32_t>(3000);
  const BufferView a = memory.slice(0, 1000).view(), b = memory.slice(1000, 1000).view();
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      throw_if_error(record_fill(cmd, d, {.element_bytes = 4, .count = 1000, .value = 1u}, {a}));
      throw_if_error(record_copy(cmd, d, {4, 0}, {a, b, {}}));  // records nothing
      CHECK(!record_copy(cmd, d, {4, 1001}, {a, b, {}}));       // fails
      throw_if_error(record_copy(cmd, d, {4, 1000}, {a, b, {}}));
    });
  });
  const std::vector<std::string> expected{"begin fill", "end fill", "begin copy", "end copy"};
  CHECK(told.names == expected);
}

TEST_CASE("record: no heap allocation once pipelines exist") {
  if (validated()) return;  // the layer allocates
  const Device& d = device(kTinyTiles);
  const auto memory = context().allocate<std::uint32_t>(1 << 20);
  const ReduceDesc reduce_desc{.count = 100'000};
  const DirtyScratch scratch(reduce_scratch(d, reduce_desc));
  const BufferView in = memory.slice(0, 100'000).view(),
                   out = memory.slice(200'000, 100'000).view();
  spy().clear();
  spy().keep_log = false;
  std::uint64_t counted = ~std::uint64_t{0};
  DeviceState& state = *d.state();
  const RecordObserver observer = state.observer;
  context().record([&](Recorder& r) {
    r.commands([&](VkCommandBuffer cmd) {
      for (int round = 0; round < 2; ++round) {  // the second round finds all pipelines
        state.observer = {};
        const std::uint64_t before = heap_allocations();
        throw_if_error(record_reduce(cmd, d, reduce_desc, {in, out, scratch.get()}));
        throw_if_error(record_barrier(cmd, d));
        throw_if_error(record_copy(cmd, d, {4, 100'000}, {in, out, {}}));
        throw_if_error(record_barrier(cmd, d));
        throw_if_error(record_fill(cmd, d, {4, 100'000, 7u}, {out, {}}));
        counted = heap_allocations() - before;
        state.observer = observer;
      }
    });
  });
  spy().keep_log = true;
  spy().clear();
  CHECK(counted == 0);
}

TEST_CASE("pipelines: warmed_only refuses until warm_up has built the same set") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(Device::create(info, d));
  const auto memory = context().allocate<std::uint32_t>(1 << 24);
  const auto count = memory.slice((1 << 24) - 1, 1).address;
  const DirtyScratch dirty({4096});
  const Scratch scratch = dirty.get();
  const Count large{3'000'000, count};
  const BufferView a = memory.slice(0, 3'000'000).view(),
                   b = memory.slice(4'000'000, 3'000'000).view();
  const auto each = [&](auto&& f) {
    // The views are aligned to 16 bytes, then only to 4.
    for (const std::uint64_t shift : {0, 4}) {
      const BufferView in{a.address + shift, a.bytes - shift},
          out{b.address + shift, b.bytes - shift};
      const Count n{large.max - 1, large.address};
      f([=, &d](VkCommandBuffer cmd) { return record_copy(cmd, d, {4, n}, {in, out, scratch}); });
      f([=, &d](VkCommandBuffer cmd) { return record_fill(cmd, d, {4, n, 1u}, {out, scratch}); });
      f([=, &d](VkCommandBuffer cmd) { return record_iota(cmd, d, {.count = n}, {out, scratch}); });
      f([=, &d](VkCommandBuffer cmd) {
        return record_reduce(cmd, d, {.count = 3000}, {in, out, scratch});
      });
      f([=, &d](VkCommandBuffer cmd) { return record_dispatch_args(cmd, d, {n, 3}, {out}); });
    }
  };
  each([&](auto&& record) { expect_error(Status::not_warmed, {"warm_up"}, record); });
  throw_if_error(warm_up(d, CopyDesc{4, large}));
  throw_if_error(warm_up(d, FillDesc{4, large, {}}));
  throw_if_error(warm_up(d, IotaDesc{.count = large}));
  throw_if_error(warm_up(d, ReduceDesc{.count = 3000}));
  throw_if_error(warm_up(d, DispatchArgsDesc{large, 3}));
  const int built = spy().pipelines_created;
  each([&](auto&& record) {
    context().record([&](Recorder& r) {
      r.commands([&](VkCommandBuffer cmd) { throw_if_error(record(cmd)); });
    });
  });
  CHECK(spy().pipelines_created == built);
  CHECK(warm_up(Device(), CopyDesc{}) == Status::invalid_argument);
  CHECK(warm_up(d, ReduceDesc{.type = Type(9)}) == Status::invalid_argument);
}

TEST_CASE("arena: takes aligned scratch in turn and names what is missing") {
  const auto memory = context().allocate<std::uint8_t>(1000);
  ScratchArena arena(scratch_view(context().device(), memory.handle(), 0, 1000));
  Scratch a, b, c;
  CHECK(arena.take({10, 16}, a));
  CHECK(arena.take({100, 64}, b));
  CHECK(b.address % 64 == 0);
  CHECK(b.offset == b.address - memory.address());
  CHECK(b.address >= a.address + 10);
  const Status s = arena.take({900, 16}, c);
  CHECK(s == Status::out_of_memory);
  CHECK(std::string(s.message()).find("900 bytes asked for") != std::string::npos);
  arena.reset();
  CHECK(arena.take({900, 16}, c));
  CHECK(c.address == memory.address());
  CHECK(arena.take({0, 16}, a));
  CHECK(a.bytes == 0);
  // After 10 bytes, 64 is the next multiple of 64, and 936 bytes are left from there on.
  arena.reset();
  CHECK(arena.take({10, 64}, a));
  CHECK(arena.take({937, 64}, b) == Status::out_of_memory);
  CHECK(arena.take({936, 64}, b));
  CHECK(b.address == memory.address() + 64);
}

}  // namespace vkprims::test

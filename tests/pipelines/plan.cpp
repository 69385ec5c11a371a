#include "plan.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "all_shaders.hpp"
#include "descriptors.hpp"
#include "runtime/device_hooks.hpp"
#include "vkprims/context.hpp"

namespace vkprims::pipelines {
namespace {

// The data of the functions below, which stand in for the driver's and have no other access to it.
struct Recording {
  PFN_vkGetInstanceProcAddr get_proc = nullptr;
  std::map<std::vector<std::uint32_t>, const Spirv*> modules;  // keyed by their words
  std::unordered_map<const Spirv*, std::set<std::uint32_t>> constants;
  VkPushConstantRange push_constants{};
  const char* primitive = "";
  std::vector<Request> requests;
  std::set<std::vector<std::uint32_t>> seen;
  std::unordered_set<const Spirv*> reached;  // on the devices before this one

  void begin_device() {
    for (const Request& request : requests) reached.insert(request.spirv);
  }
};
Recording* recording = nullptr;

// Lists the specialization constants that a module has. The library's other constants have no
// effect on it.
std::set<std::uint32_t> constants_of(const Spirv& spirv) {
  constexpr std::uint32_t kHeaderWords = 5, kOpDecorate = 71, kSpecId = 1;
  std::set<std::uint32_t> ids;
  const std::vector<std::uint32_t> module = words_of(spirv);
  for (std::size_t at = kHeaderWords; at < module.size(); at += module[at] >> 16) {
    const std::uint32_t* words = module.data() + at;
    if ((words[0] & 0xffff) == kOpDecorate && words[2] == kSpecId) ids.insert(words[3]);
  }
  return ids;
}

template <class Handle>
Handle some_handle(std::uintptr_t value = 64) {
  return (Handle)value;  // a pointer or an integer, by platform
}

VKAPI_ATTR VkResult VKAPI_CALL create_layout(VkDevice, const VkPipelineLayoutCreateInfo* info,
                                             const VkAllocationCallbacks*,
                                             VkPipelineLayout* layout) {
  recording->push_constants = *info->pPushConstantRanges;
  *layout = some_handle<VkPipelineLayout>();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL create_module(VkDevice, const VkShaderModuleCreateInfo* info,
                                             const VkAllocationCallbacks*, VkShaderModule* module) {
  const std::vector<std::uint32_t> words(info->pCode, info->pCode + info->codeSize / 4);
  *module =
      some_handle<VkShaderModule>(reinterpret_cast<std::uintptr_t>(recording->modules.at(words)));
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice, VkPipelineCache, std::uint32_t,
                                                const VkComputePipelineCreateInfo* info,
                                                const VkAllocationCallbacks*,
                                                VkPipeline* pipeline) {
  *pipeline = some_handle<VkPipeline>();
  Request request{.primitive = recording->primitive,
                  .spirv = reinterpret_cast<const Spirv*>((std::uintptr_t)info->stage.module),
                  .stage_flags = info->stage.flags,
                  .push_constants = recording->push_constants};
  const auto [own, is_new] = recording->constants.try_emplace(request.spirv);
  if (is_new) own->second = constants_of(*request.spirv);
  const VkSpecializationInfo& constants = *info->stage.pSpecializationInfo;
  for (std::uint32_t i = 0; i < constants.mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = constants.pMapEntries[i];
    if (!own->second.count(entry.constantID)) continue;
    if (entry.constantID >= Request::kMaxConstants) return VK_ERROR_UNKNOWN;
    request.constant_count = std::max(request.constant_count, entry.constantID + 1);
    std::memcpy(&request.constants[entry.constantID],
                static_cast<const char*>(constants.pData) + entry.offset, entry.size);
  }
  if (recording->reached.count(request.spirv)) return VK_SUCCESS;
  std::vector<std::uint32_t> key(request.constants, std::end(request.constants));
  const std::uint64_t module = reinterpret_cast<std::uintptr_t>(request.spirv);
  key.insert(key.end(), {static_cast<std::uint32_t>(module),
                         static_cast<std::uint32_t>(module >> 32), request.stage_flags});
  if (recording->seen.insert(std::move(key)).second) recording->requests.push_back(request);
  return VK_SUCCESS;
}

// Stands in for all other functions: nothing is made, recorded or destroyed.
VKAPI_ATTR void VKAPI_CALL do_nothing() {}

PFN_vkVoidFunction VKAPI_CALL get_device_proc(VkDevice, const char* name) {
  const auto is = [&](const char* other) { return !std::strcmp(name, other); };
  if (is("vkCreatePipelineLayout")) return reinterpret_cast<PFN_vkVoidFunction>(create_layout);
  if (is("vkCreateShaderModule")) return reinterpret_cast<PFN_vkVoidFunction>(create_module);
  if (is("vkCreateComputePipelines")) return reinterpret_cast<PFN_vkVoidFunction>(create_pipelines);
  return do_nothing;
}

PFN_vkVoidFunction VKAPI_CALL get_instance_proc(VkInstance instance, const char* name) {
  if (!std::strcmp(name, "vkGetDeviceProcAddr")) {
    return reinterpret_cast<PFN_vkVoidFunction>(get_device_proc);
  }
  if (!std::strcmp(name, "vkSetDebugUtilsObjectNameEXT")) return nullptr;
  return recording->get_proc(instance, name);
}

// Devices that differ from the one at hand. Each module that the latter does not need is needed by
// one of these.
const struct {
  const char* mask;
  Tuning tuning;
} kOtherDevices[] = {
    {"int64_atomics", {}},
    {"int64,float64", {}},
    {"int64_atomics,shared16k,workgroup128,dispatched_fills", {}},
    {"", {.sort_rows = 4}},
    {"", {.sort_rows = 8, .single_sort_count = 8192}},
    {"", {.sort_rows = 12}},
    {"", {.sort_rows = 20}},
    {"", {.sort_rows = 23}},
};

}  // namespace

std::string Request::constants_text() const {
  std::uint32_t count = constant_count;
  while (count > 0 && constants[count - 1] == 0) --count;
  std::string text;
  for (std::uint32_t i = 0; i < count; ++i) {
    text += (i ? " " : "") + std::to_string(constants[i]);
  }
  return text;
}

Plan make_plan(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance, VkPhysicalDevice physical,
               const Features& features, const Tuning& own_tuning) {
  Recording own;
  recording = &own;
  own.get_proc = get_proc;
  for (const Spirv* spirv : kAllShaders) {
    if (spirv->bytes) own.modules[words_of(*spirv)] = spirv;
  }
  const auto warm_up_with = [&](const char* mask, const Tuning& tuning) {
    DeviceInfo info{.instance = instance,
                    .physical_device = physical,
                    .device = some_handle<VkDevice>(),
                    .get_instance_proc_addr = get_instance_proc,
                    .enabled = features,
                    .tuning = tuning};
    DeviceHooks hooks;
    throw_if_error(info.enabled.mask(take_hooks(mask, hooks).c_str()));
    Device device;
    throw_if_error(create_device(info, hooks, device));
    own.begin_device();
    warm_up_everything(device, [&](const char* primitive) { own.primitive = primitive; });
  };
  warm_up_with("", own_tuning);
  for (const auto& other : kOtherDevices) warm_up_with(other.mask, other.tuning);
  recording = nullptr;

  own.begin_device();
  Plan plan{.requests = std::move(own.requests)};
  for (const Spirv* spirv : kAllShaders) {
    // Modules with the same words are one here: a request for one of them reaches all.
    if (spirv->bytes && !own.reached.count(own.modules.at(words_of(*spirv)))) {
      plan.unreached.push_back(spirv);
    }
  }
  return plan;
}

std::vector<Request> one_of_each_module(std::span<const Request> requests) {
  std::unordered_set<const Spirv*> seen;
  std::vector<Request> chosen;
  for (const Request& request : requests) {
    if (seen.insert(request.spirv).second) chosen.push_back(request);
  }
  return chosen;
}

std::vector<Request> one_of_each_value(std::span<const Request> requests) {
  std::set<std::tuple<const Spirv*, std::uint32_t, std::uint32_t>> seen;
  std::vector<Request> chosen;
  for (const Request& request : requests) {
    bool is_new = false;
    for (std::uint32_t i = 0; i < request.constant_count; ++i) {
      is_new |= seen.insert({request.spirv, i, request.constants[i]}).second;
    }
    if (is_new) chosen.push_back(request);
  }
  return chosen;
}

}  // namespace vkprims::pipelines

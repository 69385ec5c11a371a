#include "runtime/pipelines.hpp"

#include <cstdio>
#include <cstring>

#include "runtime/validate.hpp"
#include "vkprims/device/lookback.h"
#include "vkprims/subgroup/subgroup_barrier.h"

namespace vkprims {
namespace {

Status result_of(const char* primitive, const char* function, const Spirv& spirv, VkResult result) {
  if (result >= 0) return {};
  char call[192];
  std::snprintf(call, sizeof call, "%s: %s of shader %s", primitive, function,
                spirv.name);
  return Status::from(result, call);
}

}  // namespace

static_assert(offsetof(Specialization, workgroup_size) == 4 * VKP_SPEC_WORKGROUP_SIZE);
static_assert(offsetof(Specialization, rows) == 4 * VKP_SPEC_ROWS);
static_assert(offsetof(Specialization, row_words) == 4 * VKP_SPEC_ROW_WORDS);
static_assert(offsetof(Specialization, op) == 4 * VKP_SPEC_OP);
static_assert(offsetof(Specialization, lookback) == 4 * VKP_SPEC_LOOKBACK);
static_assert(offsetof(LookbackConstants, period) ==
              4 * (VKP_LOOKBACK_SPEC_PERIOD - VKP_SPEC_LOOKBACK));
static_assert(offsetof(Specialization, own) == 4 * VKP_SPEC_FIRST_OWN);
static_assert(offsetof(Specialization, given) == 4 * (VKP_SPEC_FIRST_OWN + 7));

std::size_t Pipelines::Hash::operator()(const Key& key) const {
  // This is FNV-1a over the pointer and the constants.
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3u; };
  mix(reinterpret_cast<std::uintptr_t>(key.spirv));
  std::uint32_t words[sizeof(Specialization) / 4];
  std::memcpy(words, &key.constants, sizeof words);
  for (const std::uint32_t word : words) mix(word);
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

Status Pipelines::create(const Functions& vk, const DeviceInfo& info, bool lanes_in_step) {
  device_ = info.device;
  cache_ = info.pipeline_cache;
  allocator_ = info.allocator;
  full_subgroups_ = info.enabled.full_subgroups;
  lanes_in_step_ = lanes_in_step;
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 128};
  const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
  return Status::from(vk.vkCreatePipelineLayout(device_, &layout, allocator_, &layout_),
                      "vkCreatePipelineLayout");
}

void Pipelines::destroy(const Functions& vk) {
  if (owner_) return;
  for (const auto& [key, pipeline] : pipelines_) {
    vk.vkDestroyPipeline(device_, pipeline, allocator_);
  }
  pipelines_.clear();
  if (layout_) vk.vkDestroyPipelineLayout(device_, layout_, allocator_);
  layout_ = VK_NULL_HANDLE;
}

Status Pipelines::get(const Functions& vk, const char* primitive, const Spirv& spirv,
                      const Specialization& constants, bool may_compile, VkPipeline& pipeline) {
  const Key key{&spirv, constants};
  if (find(key, pipeline)) return {};
  if (spirv.bytes == 0) {
    return Status::error(Status::unsupported,
                         "%s: shader %s is not in this build (VKPRIMS_VARIANTS)",
                         primitive, spirv.name);
  }
  if (owner_) {
    if (!owner_->find(key, pipeline)) note(primitive, key);
    return {};
  }
  if (!may_compile) {
    return Status::error(
        Status::not_warmed,
        "%s: shader %s has not been compiled: call warm_up() with this descriptor, or note this "
        "call by a WarmUp, first, or create the Device with PipelinePolicy::lazy",
        primitive, spirv.name);
  }
  VkPipeline compiled = VK_NULL_HANDLE;
  if (Status s = compile(vk, primitive, key, compiled); !s) return s;
  const std::lock_guard lock(mutex_);
  const auto [place, inserted] = pipelines_.try_emplace(key, compiled);
  // Another thread may have compiled the same pipeline meanwhile; that one may be in use already.
  if (!inserted) vk.vkDestroyPipeline(device_, compiled, allocator_);
  pipeline = place->second;
  return {};
}

bool Pipelines::find(const Key& key, VkPipeline& pipeline) const {
  const std::lock_guard lock(mutex_);
  const auto found = pipelines_.find(key);
  if (found == pipelines_.end()) return false;
  pipeline = found->second;
  return true;
}

void Pipelines::note(const char* primitive, const Key& key) {
  const std::lock_guard lock(mutex_);
  if (pipelines_.try_emplace(key, VkPipeline{VK_NULL_HANDLE}).second) {
    waiting_.push_back({key, primitive});
  }
}

Status Pipelines::compile_noted(const Functions& vk, std::size_t at_most) {
  for (; at_most > 0; --at_most) {
    Note next;
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.empty()) return {};
      next = waiting_.front();
      waiting_.pop_front();
    }
    VkPipeline pipeline = VK_NULL_HANDLE;
    Status status =
        owner_->get(vk, next.primitive, *next.key.spirv, next.key.constants, true, pipeline);
    const std::lock_guard lock(mutex_);
    if (!status) {
      waiting_.push_back(next);
      return status;
    }
    ++compiled_;
  }
  return {};
}

std::size_t Pipelines::noted() const {
  const std::lock_guard lock(mutex_);
  return pipelines_.size();
}

std::size_t Pipelines::compiled() const {
  const std::lock_guard lock(mutex_);
  return compiled_;
}

Status Pipelines::compile(const Functions& vk, const char* primitive, const Key& key,
                          VkPipeline& pipeline) const {
  const std::vector<std::uint32_t> words = words_of(*key.spirv);
  const VkShaderModuleCreateInfo module_info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = key.spirv->bytes,
                                             .pCode = words.data()};
  VkShaderModule module = VK_NULL_HANDLE;
  VKPRIMS_TRY(result_of(primitive, "vkCreateShaderModule", *key.spirv,
                        vk.vkCreateShaderModule(device_, &module_info, allocator_, &module)));
  constexpr std::uint32_t kConstants = offsetof(Specialization, given) / 4;
  static_assert(kConstants <= VKP_SPEC_LANES_IN_STEP);
  const struct {
    Specialization own;
    std::uint32_t lanes_in_step;  // the same for all pipelines, so not in the key
  } constants{key.constants, lanes_in_step_ ? 1u : 0u};
  VkSpecializationMapEntry entries[kConstants + 1];
  std::uint32_t entry_count = 0;
  for (std::uint32_t i = 0; i < kConstants; ++i) {
    if ((key.constants.given >> i & 1) != 0) entries[entry_count++] = {i, 4 * i, 4};
  }
  entries[entry_count++] = {VKP_SPEC_LANES_IN_STEP, sizeof(Specialization), 4};
  const VkSpecializationInfo specialization{entry_count, entries, sizeof constants, &constants};
  // Workgroups that use subgroup operations have a multiple of the subgroup size.
  VkPipelineShaderStageCreateFlags stage_flags = 0;
  if (full_subgroups_ && key.constants.workgroup_size != 0 &&
      key.constants.workgroup_size % 128 == 0) {
    stage_flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  }
  const VkComputePipelineCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .flags = stage_flags,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = &specialization},
      .layout = layout_};
  const VkResult result =
      vk.vkCreateComputePipelines(device_, cache_, 1, &info, allocator_, &pipeline);
  vk.vkDestroyShaderModule(device_, module, allocator_);
  VKPRIMS_TRY(result_of(primitive, "vkCreateComputePipelines", *key.spirv, result));
  if (vk.vkSetDebugUtilsObjectNameEXT) {
    const VkDebugUtilsObjectNameInfoEXT name{
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_PIPELINE,
        .objectHandle = (std::uint64_t)pipeline,  // a pointer or an integer, by platform
        .pObjectName = key.spirv->name};
    vk.vkSetDebugUtilsObjectNameEXT(device_, &name);
  }
  return {};
}

}  // namespace vkprims

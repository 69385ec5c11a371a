#include "compiler.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <vector>

#include "context/selection.hpp"

namespace vkprims::pipelines {
namespace {

// The names that drivers give to the same figure: RADV, AMD's, ANV, NVIDIA's, Turnip.
const struct {
  const char* name;
  std::int64_t Figures::*figure;
} kNames[] = {
    {"VGPRs", &Figures::registers},
    {"numUsedVgprs", &Figures::registers},
    {"Register Count", &Figures::registers},
    {"Max live registers", &Figures::registers},
    {"SGPRs", &Figures::scalar_registers},
    {"numUsedSgprs", &Figures::scalar_registers},
    {"Spilled SGPRs", &Figures::scalar_spills},
    {"Spilled VGPRs", &Figures::spills},
    {"Spill Count", &Figures::spills},
    {"Fill Count", &Figures::spills},
    {"Scratch size", &Figures::scratch},
    {"Scratch Memory Size", &Figures::scratch},
    {"scratchMemUsageInBytes", &Figures::scratch},
    {"Local Memory Size", &Figures::scratch},
    {"LDS size", &Figures::shared},
    {"ldsUsageSizeInBytes", &Figures::shared},
    {"Workgroup Memory Size", &Figures::shared},
    {"Shared Memory Size", &Figures::shared},
    {"Subgroups per SIMD", &Figures::waves},
    {"Max Waves Per Core", &Figures::waves},
    {"Code size", &Figures::code},
    {"Binary Size", &Figures::code},
    {"Instruction Count", &Figures::code},
};

std::int64_t value_of(const VkPipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
      return statistic.value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
      return static_cast<std::int64_t>(statistic.value.f64);
    default:
      return statistic.value.i64;
  }
}

bool has_extension(const Instance& instance, VkPhysicalDevice physical, const char* name) {
  std::uint32_t count = 0;
  instance.vk.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  instance.vk.vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, all.data());
  return std::any_of(all.begin(), all.end(), [&](const VkExtensionProperties& e) {
    return !std::strcmp(e.extensionName, name);
  });
}

}  // namespace

void Figures::join(const Figures& other) {
  const std::int64_t fewest =
      waves < 0 || other.waves < 0 ? std::max(waves, other.waves) : std::min(waves, other.waves);
  for (std::int64_t Figures::*figure :
       {&Figures::scalar_spills, &Figures::registers, &Figures::scalar_registers, &Figures::spills,
        &Figures::scratch, &Figures::shared, &Figures::code, &Figures::subgroup_size}) {
    this->*figure = std::max(this->*figure, other.*figure);
  }
  waves = fewest;
}

Compiler::Compiler(const Instance& instance, VkPhysicalDevice physical, const Features& features) {
  has_statistics_ =
      has_extension(instance, physical, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  VkPhysicalDeviceSubgroupSizeControlProperties sizes{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
  VkPhysicalDeviceDriverProperties driver{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, .pNext = &sizes};
  VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                         .pNext = &driver};
  instance.vk.vkGetPhysicalDeviceProperties2(physical, &properties);
  // Where there are subgroups of 32 lanes, RADV counts a subgroup of 64 lanes as two waves.
  if (driver.driverID == VK_DRIVER_ID_MESA_RADV) wave_lanes_ = sizes.minSubgroupSize;
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics{
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
      .pipelineExecutableInfo = VK_TRUE};
  std::vector<const char*> extensions;
  if (has_statistics_) {
    extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  }
  // A device that offers this extension must be created with it.
  constexpr char kPortabilitySubset[] = "VK_KHR_portability_subset";
  if (has_extension(instance, physical, kPortabilitySubset)) {
    extensions.push_back(kPortabilitySubset);
  }
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = static_cast<std::uint32_t>(
                                          compute_family(queue_families(instance, physical))),
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                          .pNext = has_statistics_ ? &statistics : nullptr,
                          .queueCreateInfoCount = 1,
                          .pQueueCreateInfos = &queue};
  Features enabled = features;  // keeps the chain of structures alive
  enabled.merge_into(info, extensions);
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  throw_if_error(Status::from(instance.vk.vkCreateDevice(physical, &info, nullptr, &device_),
                              "vkCreateDevice"));
#define VKPRIMS_PIPELINES_LOAD(name) \
  name = reinterpret_cast<PFN_##name>(instance.vk.vkGetDeviceProcAddr(device_, #name));
  VKPRIMS_PIPELINES_FUNCTIONS(VKPRIMS_PIPELINES_LOAD)
#undef VKPRIMS_PIPELINES_LOAD
}

Compiler::~Compiler() { vkDestroyDevice(device_, nullptr); }

VkResult Compiler::compile(const Request& request, bool with_statistics, double& milliseconds,
                           Figures& figures) const {
  const VkPipelineLayoutCreateInfo layout_info{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &request.push_constants};
  const std::vector<std::uint32_t> words = words_of(*request.spirv);
  const VkShaderModuleCreateInfo module_info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = request.spirv->bytes,
                                             .pCode = words.data()};
  VkSpecializationMapEntry entries[Request::kMaxConstants];
  for (std::uint32_t i = 0; i < request.constant_count; ++i) entries[i] = {i, 4 * i, 4};
  const VkSpecializationInfo constants{request.constant_count, entries, 4 * request.constant_count,
                                       request.constants};
  const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = request.subgroup_size};

  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkShaderModule module = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const std::clock_t start = std::clock();
  VkResult result = vkCreatePipelineLayout(device_, &layout_info, nullptr, &layout);
  if (result == VK_SUCCESS) result = vkCreateShaderModule(device_, &module_info, nullptr, &module);
  if (result == VK_SUCCESS) {
    const bool capture = with_statistics && has_statistics_;
    const VkComputePipelineCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = capture ? VkPipelineCreateFlags{VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR} : 0,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = request.subgroup_size ? &size : nullptr,
                  .flags = request.stage_flags,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = layout};
    result = vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    milliseconds = 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (result == VK_SUCCESS && capture) figures = read(pipeline);
  }
  vkDestroyPipeline(device_, pipeline, nullptr);
  vkDestroyShaderModule(device_, module, nullptr);
  vkDestroyPipelineLayout(device_, layout, nullptr);
  return result;
}

Figures Compiler::read(VkPipeline pipeline) const {
  const VkPipelineInfoKHR pipeline_info{.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                        .pipeline = pipeline};
  std::uint32_t executable_count = 0;
  vkGetPipelineExecutablePropertiesKHR(device_, &pipeline_info, &executable_count, nullptr);
  std::vector<VkPipelineExecutablePropertiesKHR> executables(
      executable_count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR});
  vkGetPipelineExecutablePropertiesKHR(device_, &pipeline_info, &executable_count,
                                       executables.data());
  Figures figures;
  for (std::uint32_t i = 0; i < executable_count; ++i) {
    const VkPipelineExecutableInfoKHR info{.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                           .pipeline = pipeline,
                                           .executableIndex = i};
    std::uint32_t count = 0;
    vkGetPipelineExecutableStatisticsKHR(device_, &info, &count, nullptr);
    std::vector<VkPipelineExecutableStatisticKHR> statistics(
        count, {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
    vkGetPipelineExecutableStatisticsKHR(device_, &info, &count, statistics.data());
    Figures own{.subgroup_size = executables[i].subgroupSize};
    for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
      for (const auto& known : kNames) {
        if (std::strcmp(statistic.name, known.name)) continue;
        std::int64_t& figure = own.*known.figure;
        // NVIDIA's driver 580 sets bits above the lower 32 of its local memory, which are not part
        // of the number of bytes.
        figure = std::max<std::int64_t>(figure, 0) + (value_of(statistic) & 0xffffffff);
      }
    }
    if (own.waves > 0 && wave_lanes_) own.waves = own.waves * wave_lanes_ / own.subgroup_size;
    figures.join(own);
  }
  return figures;
}

}  // namespace vkprims::pipelines

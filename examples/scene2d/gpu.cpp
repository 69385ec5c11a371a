// Creates instance, device and memory, as any renderer does.
#include "gpu.hpp"

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace scene2d {
namespace {

constexpr const char* kLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data,
                                          void* messages) {
  if (severity < VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT) return VK_FALSE;
  ++*static_cast<std::uint32_t*>(messages);
  std::fprintf(stderr, "validation: %s\n", data->pMessage);
  return VK_FALSE;
}

const VkDebugUtilsMessengerCreateInfoEXT messenger_info(std::uint32_t* messages) {
  return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
          .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                             VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
          .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
          .pfnUserCallback = on_message,
          .pUserData = messages};
}

}  // namespace

void check(const vkprims::Status& status) {
  if (!status) throw std::runtime_error(status.message());
}
void check(VkResult result, const char* call) { check(vkprims::Status::from(result, call)); }

void Gpu::create_instance(const GpuOptions& options) {
  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                      .pApplicationName = "scene2d",
                                      .apiVersion = VK_API_VERSION_1_2};
  const VkValidationFeatureEnableEXT synchronization =
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(&messages_);
  const VkValidationFeaturesEXT validation{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                           .pNext = &messenger,
                                           .enabledValidationFeatureCount = 1,
                                           .pEnabledValidationFeatures = &synchronization};
  const char* extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                            .pApplicationInfo = &application};
  if (options.validation) {
    info.pNext = &validation;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &kLayer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = extensions;
  }
  check(vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
  if (options.validation) {
    const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance_, "vkCreateDebugUtilsMessengerEXT"));
    messenger.pNext = nullptr;
    check(create(instance_, &messenger, nullptr, &messenger_), "vkCreateDebugUtilsMessengerEXT");
  }
}

// Chooses the first device that the library accepts and that has a queue for graphics.
void Gpu::choose_device(const std::string& part_of_name) {
  std::uint32_t count = 16;
  VkPhysicalDevice devices[16];
  const VkResult result = vkEnumeratePhysicalDevices(instance_, &count, devices);
  if (result != VK_INCOMPLETE) check(result, "vkEnumeratePhysicalDevices");
  std::string why = "no Vulkan device";
  for (std::uint32_t i = 0; i < count; ++i) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(devices[i], &properties);
    if (!std::strstr(properties.deviceName, part_of_name.c_str())) continue;
    // The library says whether it runs there.
    const vkprims::Status status =
        vkprims::query_features(vkGetInstanceProcAddr, instance_, devices[i], features_);
    if (!status) {
      why = std::string(properties.deviceName) + ": " + status.message();
      continue;
    }
    std::uint32_t families = 16;
    VkQueueFamilyProperties family[16];
    vkGetPhysicalDeviceQueueFamilyProperties(devices[i], &families, family);
    constexpr VkQueueFlags kNeeded = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (family_ = 0; family_ < families; ++family_) {
      if ((family[family_].queueFlags & kNeeded) != kNeeded) continue;
      physical_ = devices[i];
      name_ = properties.deviceName;
      nanoseconds_per_tick_ = properties.limits.timestampPeriod;
      return;
    }
    why = std::string(properties.deviceName) + " has no queue for graphics and compute";
  }
  throw std::runtime_error(why);
}

void Gpu::create_device() {
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = family_,
                                      .queueCount = 1,
                                      .pQueuePriorities = &priority};
  VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                          .queueCreateInfoCount = 1,
                          .pQueueCreateInfos = &queue};
  std::vector<const char*> extensions;  // the renderer needs none
  features_.merge_into(info, extensions);
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  check(vkCreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
  vkGetDeviceQueue(device_, family_, 0, &queue_);
}

Gpu::Gpu(const GpuOptions& options) {
  create_instance(options);
  choose_device(options.device);
  create_device();
  const VmaAllocatorCreateInfo allocator{
      .flags = VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT,  // the library needs addresses
      .physicalDevice = physical_,
      .device = device_,
      .instance = instance_,
      .vulkanApiVersion = VK_API_VERSION_1_2};
  check(vmaCreateAllocator(&allocator, &allocator_), "vmaCreateAllocator");
  check(vkprims::Device::create({.instance = instance_,
                                 .physical_device = physical_,
                                 .device = device_,
                                 .get_instance_proc_addr = options.get_instance_proc_addr,
                                 .enabled = features_,
                                 .graphics_queue = true,
                                 .on_record = options.on_record},
                                prims_));
}

Gpu::~Gpu() {
  prims_ = {};  // before the device
  vmaDestroyAllocator(allocator_);
  vkDestroyDevice(device_, nullptr);
  if (messenger_) {
    const auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(instance_, messenger_, nullptr);
  }
  vkDestroyInstance(instance_, nullptr);
}

Memory::Memory(Gpu& gpu, VkDeviceSize bytes, Where where) : gpu_(&gpu), bytes_(bytes) {
  const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                .size = bytes,
                                .usage = vkprims::kScratchBufferUsage |  // for views and scratch
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
  VmaAllocationCreateInfo allocation{.usage = VMA_MEMORY_USAGE_AUTO};
  if (where != Where::device) {
    allocation.flags =
        VMA_ALLOCATION_CREATE_MAPPED_BIT |
        (where == Where::upload ? VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT
                                : VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT);
    allocation.requiredFlags = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  }
  VmaAllocationInfo made;
  check(vmaCreateBuffer(gpu.allocator(), &info, &allocation, &buffer_, &allocation_, &made),
        "vmaCreateBuffer");
  ++gpu.allocations_;
  mapped_ = made.pMappedData;
  const VkBufferDeviceAddressInfo address{.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = buffer_};
  address_ = vkGetBufferDeviceAddress(gpu.device(), &address);
}

Memory::~Memory() {
  if (gpu_) vmaDestroyBuffer(gpu_->allocator(), buffer_, allocation_);
}

void Memory::swap(Memory& other) noexcept {
  std::swap(gpu_, other.gpu_);
  std::swap(buffer_, other.buffer_);
  std::swap(allocation_, other.allocation_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapped_, other.mapped_);
}

Image::Image(Gpu& gpu, VkExtent2D size, VkImageUsageFlags usage) : gpu_(&gpu) {
  const VkImageCreateInfo info{.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = VK_FORMAT_R8G8B8A8_UNORM,
                               .extent = {size.width, size.height, 1},
                               .mipLevels = 1,
                               .arrayLayers = 1,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .usage = usage};
  const VmaAllocationCreateInfo allocation{.usage = VMA_MEMORY_USAGE_AUTO};
  check(vmaCreateImage(gpu.allocator(), &info, &allocation, &image_, &allocation_, nullptr),
        "vmaCreateImage");
  ++gpu.allocations_;
  const VkImageViewCreateInfo view{.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                   .image = image_,
                                   .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                   .format = info.format,
                                   .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  check(vkCreateImageView(gpu.device(), &view, nullptr, &view_), "vkCreateImageView");
}

Image::~Image() {
  if (!gpu_) return;
  vkDestroyImageView(gpu_->device(), view_, nullptr);
  vmaDestroyImage(gpu_->allocator(), image_, allocation_);
}

void Image::swap(Image& other) noexcept {
  std::swap(gpu_, other.gpu_);
  std::swap(image_, other.image_);
  std::swap(allocation_, other.allocation_);
  std::swap(view_, other.view_);
}

}  // namespace scene2d

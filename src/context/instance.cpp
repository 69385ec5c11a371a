#include "instance.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "hints.hpp"
#include "loader.hpp"

namespace vkprims {
namespace {

constexpr char kValidationLayer[] = "VK_LAYER_KHRONOS_validation";

PFN_vkGetInstanceProcAddr loader_or(PFN_vkGetInstanceProcAddr given) {
  const PFN_vkGetInstanceProcAddr get_proc = given ? given : system_loader();
  if (!get_proc) {
    throw Error(Status::error(Status::unsupported, "%s", kNoLoader));
  }
  return get_proc;
}

bool has_extension(const GlobalTable& vk, const char* layer, const char* name) {
  std::uint32_t count = 0;
  vk.vkEnumerateInstanceExtensionProperties(layer, &count, nullptr);
  std::vector<VkExtensionProperties> all(count);
  vk.vkEnumerateInstanceExtensionProperties(layer, &count, all.data());
  return std::any_of(all.begin(), all.end(), [&](const VkExtensionProperties& e) {
    return !std::strcmp(e.extensionName, name);
  });
}

void require_validation_layer(const GlobalTable& vk) {
  std::uint32_t count = 0;
  vk.vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> all(count);
  vk.vkEnumerateInstanceLayerProperties(&count, all.data());
  const bool found = std::any_of(all.begin(), all.end(), [](const VkLayerProperties& l) {
    return !std::strcmp(l.layerName, kValidationLayer);
  });
  if (found) return;
  throw Error(Status::error(Status::unsupported,
                            "validation: %s is not installed (Debian and Ubuntu: the package "
                            "vulkan-validationlayers)",
                            kValidationLayer));
}

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          VkDebugUtilsMessageTypeFlagsEXT types,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data,
                                          void* user) {
  auto& messages = *static_cast<Messages*>(user);
  // General messages come from the loader and are about drivers and layers that it could not use.
  if (types != VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT) ++messages.validation;
  const bool error = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messages.send(error ? LogLevel::error : LogLevel::warning, data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(Messages& messages) {
  return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
          .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                             VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
          .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
          .pfnUserCallback = on_message,
          .pUserData = &messages};
}

// The checks that the validation layer is asked to make beyond its defaults.
struct ValidationChecks {
  explicit ValidationChecks(Validation validation) {
    if (validation == Validation::gpu_assisted) {
      enabled = {VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
                 VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT};
    } else {
      enabled = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    }
    info = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
            .enabledValidationFeatureCount = static_cast<std::uint32_t>(enabled.size()),
            .pEnabledValidationFeatures = enabled.data()};
  }
  std::vector<VkValidationFeatureEnableEXT> enabled;
  VkValidationFeaturesEXT info{};
};

Status creation_status(VkResult result) {
  // The loader returns this if it found no driver that it could load.
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    return Status::error(Status::unsupported, "no Vulkan driver found: %s",
                         device_hints(false).c_str());
  }
  return Status::from(result, "vkCreateInstance");
}

}  // namespace

Instance::Instance(const ContextInfo& info, Messages& messages) : Instance() {
  get_proc = loader_or(info.get_instance_proc_addr);
  GlobalTable global;
  global.load(get_proc);

  std::vector<const char*> extensions;
  std::vector<const char*> layers;
  VkInstanceCreateFlags flags = 0;
  const void* chain = nullptr;
  if (has_extension(global, nullptr, VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
    extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  }

  const bool validate = info.validation != Validation::off;
  ValidationChecks checks(info.validation);
  if (validate) {
    require_validation_layer(global);
    layers.push_back(kValidationLayer);
    if (has_extension(global, kValidationLayer, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)) {
      extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
      chain = &checks.info;
    }
  }

  // The extension is always enabled, because the labels that record functions open show up in
  // captures.
  const bool debug =
      has_extension(global, nullptr, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) ||
      (validate && has_extension(global, kValidationLayer, VK_EXT_DEBUG_UTILS_EXTENSION_NAME));
  const bool listen = debug && (validate || messages.wanted());
  VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(messages);
  if (debug) extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
  if (listen) {
    messenger.pNext = chain;  // so that it hears vkCreateInstance and vkDestroyInstance
    chain = &messenger;
  }

  const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                      .pEngineName = "vkprims",
                                      .apiVersion = VK_API_VERSION_1_3};
  const VkInstanceCreateInfo create{
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pNext = chain,
      .flags = flags,
      .pApplicationInfo = &application,
      .enabledLayerCount = static_cast<std::uint32_t>(layers.size()),
      .ppEnabledLayerNames = layers.data(),
      .enabledExtensionCount = static_cast<std::uint32_t>(extensions.size()),
      .ppEnabledExtensionNames = extensions.data()};
  throw_if_error(creation_status(global.vkCreateInstance(&create, nullptr, &handle)));
  owned_ = true;
  vk.load(get_proc, handle);
  if (listen && vk.vkCreateDebugUtilsMessengerEXT) {
    messenger.pNext = nullptr;
    throw_if_error(
        Status::from(vk.vkCreateDebugUtilsMessengerEXT(handle, &messenger, nullptr, &messenger_),
                     "vkCreateDebugUtilsMessengerEXT"));
  }
}

Instance::Instance(const Adopt& adopt) : Instance() {
  if (!adopt.instance)
    throw Error(Status::error(Status::invalid_argument, "Adopt: instance is null"));
  get_proc = loader_or(adopt.get_instance_proc_addr);
  handle = adopt.instance;
  vk.load(get_proc, handle);
}

Instance::~Instance() {
  if (!owned_) return;
  if (messenger_) vk.vkDestroyDebugUtilsMessengerEXT(handle, messenger_, nullptr);
  if (vk.vkDestroyInstance) vk.vkDestroyInstance(handle, nullptr);
}

}  // namespace vkprims

// A render pass with one colour attachment, and one indirect draw of the tiles.
#include "window.hpp"

#include <cstddef>

#include "tiles_spirv.hpp"

namespace scene2d {
namespace {

struct TilePush {  // that of both shaders
  VkDeviceAddress drawn, picture;
  std::uint32_t tiles_across, tile_size, width, height;
};
constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

VkShaderModule make_module(VkDevice device, const std::uint32_t* words, std::size_t bytes) {
  const VkShaderModuleCreateInfo info{
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = words};
  VkShaderModule module = VK_NULL_HANDLE;
  check(vkCreateShaderModule(device, &info, nullptr, &module), "vkCreateShaderModule");
  return module;
}

VkRenderPass make_pass(VkDevice device) {
  const VkAttachmentDescription attachment{.format = VK_FORMAT_R8G8B8A8_UNORM,
                                           .samples = VK_SAMPLE_COUNT_1_BIT,
                                           .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                           .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                           .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                           .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
                                           .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                           .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
  const VkAttachmentReference reference{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkSubpassDescription subpass{.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &reference};
  const VkSubpassDependency dependencies[] = {
      // The copy of the frame before has read the target.
      {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_TRANSFER_BIT,
       VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_TRANSFER_READ_BIT,
       VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0},
      {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
       VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
       VK_ACCESS_TRANSFER_READ_BIT, 0}};
  const VkRenderPassCreateInfo info{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                    .attachmentCount = 1,
                                    .pAttachments = &attachment,
                                    .subpassCount = 1,
                                    .pSubpasses = &subpass,
                                    .dependencyCount = 2,
                                    .pDependencies = dependencies};
  VkRenderPass pass = VK_NULL_HANDLE;
  check(vkCreateRenderPass(device, &info, nullptr, &pass), "vkCreateRenderPass");
  return pass;
}

VkPipeline make_pipeline(VkDevice device, VkRenderPass pass, VkPipelineLayout layout) {
  const VkShaderModule vertex = make_module(device, kTilesVert, sizeof kTilesVert);
  const VkShaderModule fragment = make_module(device, kTilesFrag, sizeof kTilesFrag);
  const VkPipelineShaderStageCreateInfo stages[] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_VERTEX_BIT,
       .module = vertex,
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
       .module = fragment,
       .pName = "main"}};
  const VkPipelineVertexInputStateCreateInfo input{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkPipelineViewportStateCreateInfo viewport{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .viewportCount = 1,
      .scissorCount = 1};
  const VkPipelineRasterizationStateCreateInfo rasterization{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .polygonMode = VK_POLYGON_MODE_FILL,
      .cullMode = VK_CULL_MODE_NONE,
      .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo samples{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineColorBlendAttachmentState attachment{.colorWriteMask = 0xf};
  const VkPipelineColorBlendStateCreateInfo blend{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = 1,
      .pAttachments = &attachment};
  const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  const VkPipelineDynamicStateCreateInfo dynamics{
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
      .dynamicStateCount = 2,
      .pDynamicStates = dynamic};
  const VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                          .stageCount = 2,
                                          .pStages = stages,
                                          .pVertexInputState = &input,
                                          .pInputAssemblyState = &assembly,
                                          .pViewportState = &viewport,
                                          .pRasterizationState = &rasterization,
                                          .pMultisampleState = &samples,
                                          .pColorBlendState = &blend,
                                          .pDynamicState = &dynamics,
                                          .layout = layout,
                                          .renderPass = pass};
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateGraphicsPipelines");
  vkDestroyShaderModule(device, vertex, nullptr);
  vkDestroyShaderModule(device, fragment, nullptr);
  return pipeline;
}

}  // namespace

TilePipeline::TilePipeline(Gpu& gpu) : gpu_(gpu), pass_(make_pass(gpu.device())) {
  const VkDevice device = gpu.device();
  const VkPushConstantRange range{kStages, 0, sizeof(TilePush)};
  const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range};
  check(vkCreatePipelineLayout(device, &layout, nullptr, &layout_), "vkCreatePipelineLayout");
  pipeline_ = make_pipeline(device, pass_, layout_);
}

TilePipeline::~TilePipeline() {
  const VkDevice device = gpu_.device();
  vkDestroyPipeline(device, pipeline_, nullptr);
  vkDestroyPipelineLayout(device, layout_, nullptr);
  vkDestroyRenderPass(device, pass_, nullptr);
}

Window::Window(Gpu& gpu, const TilePipeline& pipeline, VkExtent2D size)
    : gpu_(gpu),
      pipeline_(pipeline),
      size_(size),
      target_(gpu, size, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT) {
  const VkDevice device = gpu.device();
  const VkImageView view = target_.view();
  const VkFramebufferCreateInfo framebuffer{.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                            .renderPass = pipeline.pass_,
                                            .attachmentCount = 1,
                                            .pAttachments = &view,
                                            .width = size.width,
                                            .height = size.height,
                                            .layers = 1};
  check(vkCreateFramebuffer(device, &framebuffer, nullptr, &framebuffer_), "vkCreateFramebuffer");
}

Window::~Window() { vkDestroyFramebuffer(gpu_.device(), framebuffer_, nullptr); }

void Window::record(VkCommandBuffer cmd, const FrameArrays& arrays) const {
  const Frame& f = arrays.frame();
  const vkprims::BufferView picture = arrays[&Frame::picture], results = arrays[&Frame::results],
                            drawn = arrays[&Frame::drawn_tiles];
  // Compute has written the arguments of the draw, the tiles, which the vertex shader reads, and
  // the picture, which the fragment shader reads.
  using vkprims::BarrierBefore;
  check(vkprims::record_barrier(
      cmd, gpu_.prims(),
      BarrierBefore::indirect | BarrierBefore::vertex | BarrierBefore::fragment));

  VkClearValue clear;
  for (int i = 0; i < 4; ++i) {
    clear.color.float32[i] = static_cast<float>(f.background >> 8 * i & 0xff) / 255;
  }
  const VkRect2D area{{0, 0}, size_};
  const VkRenderPassBeginInfo begin{.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                    .renderPass = pipeline_.pass_,
                                    .framebuffer = framebuffer_,
                                    .renderArea = area,
                                    .clearValueCount = 1,
                                    .pClearValues = &clear};
  vkCmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
  const auto width = static_cast<float>(size_.width), height = static_cast<float>(size_.height);
  const VkViewport viewport{0, 0, width, height, 0, 1};
  vkCmdSetViewport(cmd, 0, 1, &viewport);
  vkCmdSetScissor(cmd, 0, 1, &area);
  vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.pipeline_);
  const TilePush push{drawn.address, picture.address, f.tiles_across,
                      TILE_SIZE,     size_.width,     size_.height};
  vkCmdPushConstants(cmd, pipeline_.layout_, kStages, 0, sizeof push, &push);
  vkCmdDrawIndirect(cmd, results.buffer, results.offset + offsetof(Results, draw), 1, 0);
  vkCmdEndRenderPass(cmd);
}

void Window::record_download(VkCommandBuffer cmd, VkBuffer buffer) const {
  const VkBufferImageCopy to_host{.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .imageExtent = {size_.width, size_.height, 1}};
  vkCmdCopyImageToBuffer(cmd, target_.image(), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1,
                         &to_host);
}

}  // namespace scene2d

// A small 2D renderer on vkprims: reads or generates a scene, renders it, and writes a picture.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "checks.hpp"
#include "dump.hpp"
#include "generators.hpp"
#include "png_file.hpp"
#include "render_cpu.hpp"
#include "renderer.hpp"
#include "scene_text.hpp"
#include "svg.hpp"

namespace {

using namespace scene2d;

struct Arguments {
  std::string file, generate, size = "512x512", png, device;
  std::uint32_t frames = 0, side = 0;
  bool cpu = false, verify = false, dump = false, check = false, full = false, validation = false;
  bool infinite_boxes = false;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("The file " + path + " cannot be read.");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Scene generate_scene(const std::string& argument) {  // NAME or NAME:N
  const std::size_t colon = argument.find(':');
  const std::uint32_t n = colon == std::string::npos
                              ? 0
                              : static_cast<std::uint32_t>(std::stoul(argument.substr(colon + 1)));
  return generate(argument.substr(0, colon), n);
}

Scene load_scene(const Arguments& arguments) {
  if (!arguments.generate.empty()) return generate_scene(arguments.generate);
  if (arguments.file.empty()) throw std::runtime_error("Give a file, or --generate NAME.");
  const std::string text = read_file(arguments.file);
  if (!arguments.file.ends_with(".svg")) return read_scene_text(text);
  unsigned width = 0, height = 0;
  if (std::sscanf(arguments.size.c_str(), "%ux%u", &width, &height) != 2 || width == 0 ||
      height == 0 || width > 16384 || height > 16384) {
    throw std::runtime_error("--size is " + arguments.size + ", must be like 512x512, 1 to 16384");
  }
  SvgResult svg = read_svg(text, width, height);
  if (!svg.skipped.empty()) {
    std::printf("skipped:");
    const char* comma = "";
    for (const auto& [name, times] : svg.skipped) {
      std::printf("%s %s x%u", comma, name.c_str(), times);
      comma = ",";
    }
    std::printf("\n");
  }
  return std::move(svg.scene);
}

// Lets everything that has a transform of its own swing a little.
void move_transforms(Scene& scene, const Scene& original, std::uint32_t frame) {
  for (std::size_t i = 0; i < scene.ops.size(); ++i) {
    if (scene.ops[i].tag() != Tag::push_transform) continue;
    const float phase = 0.2f * static_cast<float>(frame) + 0.01f * static_cast<float>(i);
    scene.ops[i].values[4] = original.ops[i].values[4] + std::sin(phase);
  }
}

void warn_of_brackets(const Results& r) {
  if (r.brackets[2] == 0 && r.brackets[4] == 0) return;
  std::fprintf(stderr,
               "scene2d: warning: %u ends have no beginning and are left out; %u clips and layers "
               "stay open and end with the scene\n",
               r.brackets[2], r.brackets[4]);
}

using FrameTimes = std::vector<std::vector<Stopwatch::Time>>;

// Means by stage, and by call.
void print_times(const FrameTimes& frames) {
  std::map<std::string, double> sums;
  std::vector<std::string> order;
  for (const auto& times : frames) {
    for (const Stopwatch::Time& time : times) {
      for (const std::string& key : {time.stage, "  " + time.stage + " " + time.part}) {
        if (sums.find(key) == sums.end()) order.push_back(key);
        sums[key] += time.milliseconds;
      }
    }
  }
  for (const std::string& key : order) {
    std::printf("%-44s %8.3f ms\n", key.c_str(), sums[key] / static_cast<double>(frames.size()));
  }
}

struct Measured {
  FrameTimes times;
  double host = 0;  // milliseconds of a frame
  Results results = {};
};

Measured measure_frames(Renderer& renderer, const Scene& original, std::uint32_t frames) {
  constexpr std::uint32_t kFirst = 4;  // both frames have their memory then
  Scene scene = original;
  Measured measured;
  for (std::uint32_t i = 0; i < frames + kFirst; ++i) {
    move_transforms(scene, original, i);
    const auto begin = std::chrono::steady_clock::now();
    renderer.submit(scene, i >= 2);
    const std::chrono::duration<double> host = std::chrono::steady_clock::now() - begin;
    Shown shown = renderer.wait();
    if (i < kFirst) continue;
    measured.host += 1e3 * host.count() / frames;
    measured.times.push_back(std::move(shown.times));
    measured.results = shown.results;
  }
  return measured;
}

void render_frames(Gpu& gpu, const RenderOptions& options, Stopwatch& stopwatch, const Scene& scene,
                   std::uint32_t frames) {
  Renderer renderer(gpu, options, &stopwatch);
  renderer.render(scene);
  print_times(measure_frames(renderer, scene, frames).times);
  stopwatch.want_calls(false);
  const Measured measured = measure_frames(renderer, scene, frames);
  stopwatch.want_calls(true);
  std::vector<double> whole;
  for (const auto& times : measured.times) {
    double sum = 0;
    for (const Stopwatch::Time& time : times) {
      if (time.stage != "download") sum += time.milliseconds;
    }
    whole.push_back(sum);
  }
  std::sort(whole.begin(), whole.end());
  std::printf("%-44s %8.3f ms\n", "whole frame but the download, median", whole[whole.size() / 2]);
  const Results& r = measured.results;
  std::printf("%u items, %u pairs, at most %u in a tile, %u lines, %u edges, %u crossings\n",
              r.items, r.pairs, r.longest, r.lines, r.edges, r.crossings);
  std::printf("%-44s %8.3f ms\n", "upload, recording and submission on the host", measured.host);
}

int run(const Arguments& arguments) {
  Stopwatch stopwatch;
  const auto make_gpu = [&] {
    return Gpu({.device = arguments.device,
                .validation = arguments.validation,
                .on_record = stopwatch.hook()});
  };
  if (arguments.check) {
    Gpu gpu = make_gpu();
    std::printf("on %s\n", gpu.name().c_str());
    return check_all(gpu, arguments.full) == 0 ? 0 : 1;
  }
  Scene scene = load_scene(arguments);
  if (arguments.side != 0) scene = scaled_to(std::move(scene), arguments.side);
  const std::string error = find_error(scene);
  if (!error.empty()) throw std::runtime_error(error);
  if (arguments.cpu) {
    if (!arguments.png.empty()) write_png(arguments.png, render_cpu(scene));
    return 0;
  }
  Gpu gpu = make_gpu();
  if (arguments.verify) return verify(gpu, scene, "the scene") ? 0 : 1;
  const RenderOptions options{.infinite_boxes = arguments.infinite_boxes};
  if (arguments.frames != 0) render_frames(gpu, options, stopwatch, scene, arguments.frames);
  Renderer renderer(gpu, options);
  const Shown shown = renderer.render(scene).back();
  warn_of_brackets(shown.results);
  if (!shown.is_whole) std::fprintf(stderr, "scene2d: warning: the picture is not whole\n");
  if (!arguments.png.empty()) write_png(arguments.png, shown.picture);
  if (arguments.dump) dump(gpu, renderer.arrays(), shown.results);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Renders a scene with vkprims on a Vulkan device.");
  Arguments a;
  app.add_option("file", a.file, "A scene (scene_text.hpp says how it is written) or an SVG");
  std::string names = "Or a scene that is made up: NAME or NAME:N. Names are";
  for (const Generator& g : generators()) names += " " + std::string(g.name);
  app.add_option("--generate", a.generate, names);
  app.add_option("--size", a.size, "Of the picture of an SVG");
  app.add_option("--side", a.side, "Scale the scene: pixels of the longer side")
      ->check(CLI::Range(1, 16384));
  app.add_option("--png", a.png, "File to write the picture to");
  app.add_option("--device", a.device, "Part of the device's name");
  app.add_option("--frames", a.frames, "Move transforms for so many frames, and print times");
  app.add_flag("--cpu", a.cpu, "Render on the CPU");
  app.add_flag("--verify", a.verify, "Compare with the picture that the CPU renders");
  app.add_flag("--infinite-boxes", a.infinite_boxes, "Leave nothing out that clips hide");
  app.add_flag("--dump", a.dump, "Print the arrays of all stages; for small scenes");
  app.add_flag("--validation", a.validation, "Turn the validation layer on");
  app.add_flag("--check", a.check,
               "Check the renderer with scenes that are made up; also without arguments");
  app.add_flag("--full", a.full, "Check with large scenes, which is for GPUs");
  CLI11_PARSE(app, argc, argv);
  if (argc == 1) a.check = true;
  try {
    return run(a);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scene2d: %s\n", error.what());
    return 1;
  }
}

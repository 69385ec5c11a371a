// Scenes that are made by a rule or at random, for tests and measurements.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "scene.hpp"

namespace scene2d {

struct Generator {
  std::string_view name;
  std::uint32_t n;            // by default
  std::string_view sentence;  // what the scene is, and what n counts
  Scene (*make)(std::uint32_t n);
};
std::span<const Generator> generators();

// Makes the same scene on each call; n = 0 is the generator's default. Throws
// std::invalid_argument if no generator has the name, or n is too large for it.
Scene generate(std::string_view name, std::uint32_t n = 0);

}  // namespace scene2d

// The table of shaders/strings/change_case/change_case.comp.
#pragma once

#include <string_view>

#include "vkprims/strings/change_case.hpp"

namespace vkprims::strings {

/// The table as shaders/strings/change_case/change_case.abi.h describes it. It lives as long as the
/// program.
std::string_view case_table(Case to);

}  // namespace vkprims::strings

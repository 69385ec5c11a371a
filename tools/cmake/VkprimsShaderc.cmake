# Finds shaderc, which has no package of CMake on Debian and Ubuntu: sets VKPRIMS_SHADERC_FOUND, and
# makes the target vkprims::shaderc.
#
# The shared library of Debian 12 does not link, as it lacks what it calls of glslang and
# SPIRV-Tools (the program glslc brings them itself, of another version than the package
# glslang-dev). There, the static library and those of these packages are taken.

find_path(VKPRIMS_SHADERC_INCLUDE_DIR NAMES shaderc/shaderc.h HINTS "$ENV{VULKAN_SDK}/include")
find_library(VKPRIMS_SHADERC_LIBRARY NAMES shaderc_shared shaderc HINTS "$ENV{VULKAN_SDK}/lib")
find_library(VKPRIMS_SHADERC_COMBINED NAMES shaderc_combined HINTS "$ENV{VULKAN_SDK}/lib")
mark_as_advanced(VKPRIMS_SHADERC_INCLUDE_DIR VKPRIMS_SHADERC_LIBRARY VKPRIMS_SHADERC_COMBINED)

# Makes the target of `libraries` if a program links with them; there may be one already.
function(_vkprims_try_shaderc name)
  list(FILTER ARGN EXCLUDE REGEX "-NOTFOUND$")
  if(TARGET vkprims::shaderc OR NOT VKPRIMS_SHADERC_INCLUDE_DIR OR NOT ARGN)
    return()
  endif()
  if(NOT DEFINED ${name})
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_QUIET ON)
    set(CMAKE_REQUIRED_INCLUDES ${VKPRIMS_SHADERC_INCLUDE_DIR})
    set(CMAKE_REQUIRED_LIBRARIES ${ARGN})
    check_cxx_source_compiles("#include <shaderc/shaderc.h>
int main() { shaderc_compile_into_spv(shaderc_compiler_initialize(), \"\", 0,
                                      shaderc_compute_shader, \"\", \"main\", nullptr); }" ${name})
  endif()
  if(${name})
    add_library(vkprims::shaderc INTERFACE IMPORTED)
    set_target_properties(vkprims::shaderc PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${VKPRIMS_SHADERC_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES "${ARGN}")
  endif()
endfunction()

_vkprims_try_shaderc(VKPRIMS_SHADERC_LINKS ${VKPRIMS_SHADERC_LIBRARY})
_vkprims_try_shaderc(VKPRIMS_SHADERC_COMBINED_LINKS ${VKPRIMS_SHADERC_COMBINED})
if(NOT TARGET vkprims::shaderc AND VKPRIMS_SHADERC_COMBINED)
  set(_vkprims_parts "")
  foreach(_vkprims_part IN ITEMS glslang MachineIndependent OSDependent OGLCompiler GenericCodeGen
                                 SPIRV SPIRV-Tools-opt SPIRV-Tools)
    find_library(VKPRIMS_SHADERC_${_vkprims_part} NAMES ${_vkprims_part})
    mark_as_advanced(VKPRIMS_SHADERC_${_vkprims_part})
    list(APPEND _vkprims_parts ${VKPRIMS_SHADERC_${_vkprims_part}})
  endforeach()
  _vkprims_try_shaderc(VKPRIMS_SHADERC_PARTS_LINK ${VKPRIMS_SHADERC_COMBINED} ${_vkprims_parts})
endif()
set(VKPRIMS_SHADERC_FOUND FALSE)
if(TARGET vkprims::shaderc)
  set(VKPRIMS_SHADERC_FOUND TRUE)
endif()

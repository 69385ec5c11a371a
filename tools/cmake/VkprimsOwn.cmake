# What the functions for kernels of an application's own have in common: the checks of their
# arguments, where each mistake is one sentence that begins with the call, and the C++ that they
# write.

cmake_policy(VERSION 3.24)

# Stops at arguments that cmake_parse_arguments() did not understand, and where one of the keywords
# in ARGN has no value.
macro(_vkprims_check_keywords command)
  if(arg_UNPARSED_ARGUMENTS)
    list(JOIN arg_UNPARSED_ARGUMENTS " " unparsed)
    message(FATAL_ERROR "${command}: does not know \"${unparsed}\"")
  endif()
  foreach(keyword IN ITEMS ${ARGN})
    if(NOT arg_${keyword})
      message(FATAL_ERROR "${command}: ${keyword} is missing")
    endif()
  endforeach()
endmacro()

function(_vkprims_check_target command target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${command}: there is no target ${target} yet; call add_executable() or "
            "add_library() before")
  endif()
  get_target_property(imported ${target} IMPORTED)
  get_target_property(alias ${target} ALIASED_TARGET)
  if(imported OR alias)
    message(FATAL_ERROR "${command}: ${target} is imported or an alias; name a target that is "
            "built here")
  endif()
  if(NOT Vulkan_GLSLC_EXECUTABLE)
    message(FATAL_ERROR "${command}: the shader compiler glslc is not found; install it, or set "
            "Vulkan_GLSLC_EXECUTABLE")
  endif()
endfunction()

function(_vkprims_check_namespace command namespace)
  if(NOT namespace MATCHES "^[A-Za-z_][A-Za-z0-9_]*(::[A-Za-z_][A-Za-z0-9_]*)*$")
    message(FATAL_ERROR "${command}: NAMESPACE is \"${namespace}\", must be a C++ name")
  endif()
endfunction()

# Stops if the target has this name already.
function(_vkprims_claim_name command target name)
  get_property(names TARGET ${target} PROPERTY VKPRIMS_OWN_NAMES)
  if(name IN_LIST names)
    message(FATAL_ERROR "${command}: ${target} has a ${name} already")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY VKPRIMS_OWN_NAMES ${name})
endfunction()

# Checks a call whose first argument is `target`, with NAME, SOURCE and NAMESPACE, which stands for
# the target's name; ARGN are the keywords that must be there. Sets `source`, `namespace`, and
# `generated`, the directory of what is made.
macro(_vkprims_check_own command)
  _vkprims_check_keywords("${command}" ${ARGN})
  _vkprims_check_target("${command}" ${target})
  if(NOT arg_NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "${command}: NAME is \"${arg_NAME}\", must be a C++ name")
  endif()
  if(NOT arg_NAMESPACE)
    set(arg_NAMESPACE ${target})
  endif()
  _vkprims_check_namespace("${command}" ${arg_NAMESPACE})
  set(namespace ${arg_NAMESPACE}::${arg_NAME})
  file(REAL_PATH ${arg_SOURCE} source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS ${source})
    message(FATAL_ERROR "${command}: SOURCE ${source} does not exist")
  endif()
  _vkprims_claim_name("${command}" ${target} ${arg_NAME})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${target}_own)
endmacro()

# Writes the header and the source of a user's `object`: monoid, compare or predicate. Its C++
# class is vkprims::<class>, its type with elements vkprims::<type>, its kernels are
# vkprims::<kernels>, and `members` are its values before find_module. The caller has made
# `includes`, `structs` and `functions` for the header, and `modules`, `cases` (of a switch over
# kernels) and `outputs`.
function(_vkprims_write_own object class type kernels members)
  _vkprims_write_code(${generated}/${target}/${arg_NAME}.hpp
"// Made from ${file} by vkprims_add_${object}().
#pragma once
#include <array>
#include <cstdint>
#include \"vkprims/${object}.hpp\"
${includes}
namespace ${namespace} {
${structs}
extern const vkprims::${type} ${object}@SEMICOLON@

${functions}}  // namespace ${namespace}
")
  _vkprims_write_code(${generated}/${arg_NAME}.cpp
"#include \"${target}/${arg_NAME}.hpp\"
namespace ${namespace} {
namespace {
${modules}
const vkprims::Spirv* module_of(vkprims::${kernels} kernel) {
  switch (kernel) {
${cases}    default:
      return nullptr@SEMICOLON@
  }
}
vkprims::Status find_module(const vkprims::${class}&, vkprims::${kernels} kernel,
                            const vkprims::Spirv*& spirv) {
  spirv = module_of(kernel)@SEMICOLON@
  return {}@SEMICOLON@
}
}  // namespace
const vkprims::${type} ${object}{{${members}, find_module, nullptr}}@SEMICOLON@
}  // namespace ${namespace}
")
  set_source_files_properties(${generated}/${arg_NAME}.cpp PROPERTIES
    OBJECT_DEPENDS "${outputs}" SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${generated}/${arg_NAME}.cpp)
  target_include_directories(${target} PRIVATE ${generated})
endfunction()

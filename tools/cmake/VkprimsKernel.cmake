# vkprims_add_kernel(<target> NAME <name> SOURCE <kernel.comp> [WORKGROUP_SIZE <n>]
#                    [CONSTANTS <id>=<value> …] [NAMESPACE <c++>])
#
# Adds a compute kernel of the target's own, and C++ to record it: the target can then say
#   #include "<target>/<name>.hpp"   // namespace <target>::<name>
# and call record(), warm_up() and step() there with the struct Push, which is made from the block
# of push constants. NAMESPACE stands for the target's name where that is no C++ name.
#
# The kernel has one block of push constants of at most 128 bytes, or none, and no descriptor sets.
# WORKGROUP_SIZE is for kernels that take theirs from specialization constant 0, as those do that
# include vkprims/core.glsl; it is 128 if it is not given. CONSTANTS are other specialization
# constants, 1 … 16. docs/own_kernels.md has more.

include(${CMAKE_CURRENT_LIST_DIR}/VkprimsStruct.cmake)

# The next multiple of `alignment`.
macro(_vkprims_align variable alignment)
  math(EXPR ${variable} "(${${variable}} + ${alignment} - 1) / ${alignment} * ${alignment}")
endmacro()

# A struct as std430 lays it out, or with `scalar` as that does: sets <prefix>_code (the members in
# C++), _size and _alignment in the caller. inner_known and inner_structs there collect the structs
# that are members.
function(_vkprims_push_struct where text scalar_layout body prefix)
  set(at 0)
  set(alignment 4)
  set(paddings 0)
  set(code "")
  string(REPLACE "@SEMICOLON@" ";" members "${body}")
  foreach(member IN LISTS members)
    string(REGEX REPLACE "#line[^\n]*" "" member "${member}")
    string(REGEX REPLACE "[ \t\n]+" " " member "${member}")
    string(STRIP "${member}" member)
    if(member STREQUAL "")
      continue()
    endif()
    string(REGEX REPLACE "^((readonly|restrict|highp|mediump|lowp) )+" "" member "${member}")
    if(NOT member MATCHES "^([A-Za-z_][A-Za-z0-9_]*) ([^()]*)$")
      message(FATAL_ERROR "${where}: \"${member}\" is not a member of push constants that can be "
              "read")
    endif()
    set(type ${CMAKE_MATCH_1})
    string(REPLACE "," ";" declarators "${CMAKE_MATCH_2}")

    # Its size and alignment, and what it is in C++.
    set(dimensions "")
    _vkprims_scalars("${type}" scalar cpp words count dimensions)
    set(blanks "[ \t\n]")
    if(type STREQUAL "bool")
      set(cpp std::uint32_t)
      set(size 4)
      set(align 4)
    elseif(type MATCHES "^(uvec2|uint64_t)$" OR
           "${text}" MATCHES "buffer_reference[^)]*\\)[^@{]*buffer${blanks}+${type}[^A-Za-z0-9_]")
      set(cpp vkprims::PushedU64)
      set(dimensions "")
      set(size 8)
      set(align 8)
      if(scalar_layout AND type STREQUAL "uvec2")
        set(align 4)
      endif()
    elseif(type STREQUAL "VkpU64")
      set(cpp vkprims::PushedU64)
      set(size 8)
      set(align 4)
    elseif(NOT scalar STREQUAL "")
      math(EXPR one "4 * ${words}")
      set(align ${one})
      math(EXPR size "${one} * ${count}")
      if(type MATCHES "^mat([234])(x([234]))?$")
        set(columns ${CMAKE_MATCH_1})
        set(rows "${CMAKE_MATCH_3}")
        if(rows STREQUAL "")
          set(rows ${columns})
        endif()
        if(NOT scalar_layout)
          set(align 16)
          if(rows EQUAL 3)
            set(rows 4)
          elseif(rows EQUAL 2)
            set(align 8)
          endif()
        endif()
        math(EXPR size "4 * ${columns} * ${rows}")
        set(dimensions "[${columns}][${rows}]")
      elseif(count GREATER 1 AND NOT scalar_layout)
        math(EXPR align "${one} * (${count} + ${count} % 2)")
      endif()
    elseif("${text}" MATCHES "struct${blanks}+${type}${blanks}*{([^}]*)}")
      _vkprims_push_struct("${where}" "${text}" ${scalar_layout} "${CMAKE_MATCH_1}" inner)
      set(cpp ${type})
      set(size ${inner_size})
      set(align ${inner_alignment})
      if(NOT type IN_LIST inner_known)
        list(APPEND inner_known ${type})
        string(APPEND inner_structs "/// struct ${type} of push constants
struct ${type} {\n${inner_code}}@SEMICOLON@
static_assert(sizeof(${type}) == ${size})@SEMICOLON@\n")
      endif()
    else()
      message(FATAL_ERROR "${where}: member \"${member}\" of the push constants has type ${type}, "
              "which is none of uint, int, float, double, uint64_t, int64_t, their vectors, float "
              "matrices, buffer references and structs")
    endif()

    foreach(declarator IN LISTS declarators)
      string(REPLACE " " "" declarator "${declarator}")
      if(NOT declarator MATCHES "^([A-Za-z_][A-Za-z0-9_]*)(\\[([0-9]+)u?\\])?$")
        message(FATAL_ERROR "${where}: \"${declarator}\" of the push constants is neither a name "
                "nor an array of a number of elements")
      endif()
      set(name ${CMAKE_MATCH_1})
      set(length "${CMAKE_MATCH_3}")
      set(begin ${at})
      _vkprims_align(begin ${align})
      if(begin GREATER at)
        math(EXPR padding "(${begin} - ${at}) / 4")
        string(APPEND code "  std::uint32_t padding${paddings}[${padding}] = {}@SEMICOLON@\n")
        math(EXPR paddings "${paddings} + 1")
      endif()
      set(extents "${dimensions}")
      set(bytes ${size})
      if(NOT length STREQUAL "")
        set(stride ${size})
        _vkprims_align(stride ${align})
        if(stride GREATER size) # vec3
          math(EXPR scalars "${stride} / 4 / ${words}")
          set(extents "[${scalars}]")
        endif()
        set(extents "[${length}]${extents}")
        math(EXPR bytes "${stride} * ${length}")
      endif()
      string(APPEND code "  ${cpp} ${name}${extents} = {}@SEMICOLON@\n")
      math(EXPR at "${begin} + ${bytes}")
    endforeach()
    if(align GREATER alignment)
      set(alignment ${align})
    endif()
  endforeach()
  set(size ${at})
  _vkprims_align(size ${alignment})
  if(size GREATER at AND prefix STREQUAL "inner")
    math(EXPR padding "(${size} - ${at}) / 4")
    string(APPEND code "  std::uint32_t padding${paddings}[${padding}] = {}@SEMICOLON@\n")
  elseif(NOT prefix STREQUAL "inner")
    set(size ${at})
  endif()
  set(${prefix}_code "${code}" PARENT_SCOPE)
  set(${prefix}_size ${size} PARENT_SCOPE)
  set(${prefix}_alignment ${alignment} PARENT_SCOPE)
  set(inner_known "${inner_known}" PARENT_SCOPE)
  set(inner_structs "${inner_structs}" PARENT_SCOPE)
endfunction()

# Reads the sizes of workgroups from a text that is preprocessed: `sizes` becomes "x, y, z", and
# `is_constant` whether the first is specialization constant 0.
function(_vkprims_workgroup where text sizes is_constant)
  set(x "")
  set(constant FALSE)
  set(blanks "[ \t\n]")
  if("${text}" MATCHES "local_size_x_id${blanks}*=${blanks}*([0-9]+)")
    if(NOT CMAKE_MATCH_1 EQUAL 0)
      message(FATAL_ERROR "${where}: local_size_x_id is ${CMAKE_MATCH_1}, must be 0")
    endif()
    set(constant TRUE)
    set(x 128)
  endif()
  foreach(axis IN ITEMS x y z)
    if("${text}" MATCHES "local_size_${axis}${blanks}*=${blanks}*([0-9]+)${blanks}*[,)]" AND
       NOT (axis STREQUAL "x" AND constant))
      set(${axis} ${CMAKE_MATCH_1})
    elseif(NOT axis STREQUAL "x")
      set(${axis} 1)
    endif()
  endforeach()
  if(x STREQUAL "")
    message(FATAL_ERROR "${where}: does not say how large a workgroup is; write "
            "\"layout(local_size_x_id = 0) in;\", or a number as local_size_x")
  endif()
  set(${sizes} "${x}, ${y}, ${z}" PARENT_SCOPE)
  set(${is_constant} ${constant} PARENT_SCOPE)
endfunction()

function(vkprims_add_kernel target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;SOURCE;NAMESPACE;WORKGROUP_SIZE" "CONSTANTS")
  set(command "vkprims_add_kernel(${target} NAME ${arg_NAME})")
  _vkprims_check_own("${command}" NAME SOURCE)
  set(where "vkprims_add_kernel: ${source}")
  get_filename_component(file ${source} NAME)
  get_filename_component(directory ${source} DIRECTORY)

  # What the source says, with what it includes.
  set(includes -I${directory} -I${VKPRIMS_SHADER_DIR})
  execute_process(COMMAND ${Vulkan_GLSLC_EXECUTABLE} -E -fshader-stage=compute
                          --target-env=vulkan1.2 ${includes} ${source}
                  OUTPUT_VARIABLE text ERROR_VARIABLE errors RESULT_VARIABLE result)
  if(result)
    message(FATAL_ERROR "${where}: cannot be read:\n${errors}")
  endif()
  string(REPLACE ";" "@SEMICOLON@" text "${text}")
  string(REGEX MATCHALL "#line [0-9]+ \"[^\"]+\"" lines "${text}")
  list(TRANSFORM lines REPLACE "#line [0-9]+ \"([^\"]+)\"" "\\1")
  list(REMOVE_DUPLICATES lines)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lines})
  if(NOT "${text}" MATCHES "void[ \t\n]+main[ \t\n]*\\(")
    message(FATAL_ERROR "${where}: does not define main()")
  endif()
  _vkprims_workgroup("${where}" "${text}" sizes is_constant)
  if(arg_WORKGROUP_SIZE)
    if(NOT is_constant)
      message(FATAL_ERROR "${command}: WORKGROUP_SIZE is ${arg_WORKGROUP_SIZE}, but the source "
              "says itself how large a workgroup is")
    endif()
    if(NOT arg_WORKGROUP_SIZE MATCHES "^(1|2|4|8|16|32|64|128|256|512|1024)$")
      message(FATAL_ERROR "${command}: WORKGROUP_SIZE is ${arg_WORKGROUP_SIZE}, must be a power "
              "of two, 1 … 1024")
    endif()
    set(sizes "${arg_WORKGROUP_SIZE}, 1, 1")
  endif()
  set(block_size 0)
  set(block_code "")
  set(inner_known "")
  set(inner_structs "")
  set(blanks "[ \t\n]")
  set(name "[A-Za-z0-9_]+")
  set(block "\\(([^)]*push_constant[^)]*)\\)[^{@]*uniform${blanks}+${name}${blanks}*{([^}]*)}")
  if("${text}" MATCHES "layout${blanks}*${block}")
    set(body "${CMAKE_MATCH_2}")
    set(scalar_layout FALSE)
    if(CMAKE_MATCH_1 MATCHES "scalar")
      set(scalar_layout TRUE)
    endif()
    # A block whose only member is a struct has the members of that.
    if("${body}" MATCHES "^${blanks}*(${name})${blanks}+${name}${blanks}*@SEMICOLON@${blanks}*$")
      set(only ${CMAKE_MATCH_1})
      if("${text}" MATCHES "struct${blanks}+${only}${blanks}*{([^}]*)}")
        set(body "${CMAKE_MATCH_1}")
      endif()
    endif()
    _vkprims_push_struct("${where}" "${text}" ${scalar_layout} "${body}" block)
  endif()
  if(block_size GREATER 128)
    message(FATAL_ERROR "${where}: the push constants have ${block_size} bytes, must have at most "
            "128")
  endif()
  set(wide false)
  if("${text}" MATCHES "[^A-Za-z0-9_](uint64_t|int64_t|u64vec[234]|i64vec[234])[^A-Za-z0-9_]")
    set(wide true)
  endif()
  set(double false)
  if("${text}" MATCHES "[^A-Za-z0-9_](double|dvec[234]|dmat[234])[^A-Za-z0-9_]")
    set(double true)
  endif()
  set(mask 0)
  set(values "")
  foreach(constant IN LISTS arg_CONSTANTS)
    if(NOT constant MATCHES "^([1-9]|1[0-6])=([0-9]+)$")
      message(FATAL_ERROR "${command}: CONSTANTS has ${constant}, must be <number>=<value> with a "
              "number 1 … 16")
    endif()
    set(value_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    math(EXPR mask "${mask} | (1 << ${CMAKE_MATCH_1})")
  endforeach()
  foreach(id RANGE 16)
    if(NOT DEFINED value_${id})
      set(value_${id} 0)
    endif()
    list(APPEND values ${value_${id}})
  endforeach()
  list(JOIN values ", " values)

  # The module, and C++.
  set(module ${arg_NAME}_kernel)
  _vkprims_add_module(${generated} ${module} ${source} "" "${includes}")
  _vkprims_module_code(${module} module_code)
  set(push "")
  set(parameter "")
  set(passed "{}")
  if(block_size GREATER 0)
    set(push "${inner_structs}/// The push constants of ${file}.
struct Push {\n${block_code}}@SEMICOLON@
static_assert(sizeof(Push) - ${block_size} < alignof(Push))@SEMICOLON@\n")
    set(parameter ", const Push& push")
    set(passed push)
  endif()
  _vkprims_write_code(${generated}/${target}/${arg_NAME}.hpp
"// Made from ${file} by vkprims_add_kernel().
#pragma once
#include <cstdint>
#include \"vkprims/kernel.hpp\"

namespace ${namespace} {
${push}
extern const vkprims::Kernel kernel@SEMICOLON@

/// Calls vkprims::record_kernel() with this kernel.
inline vkprims::Status record(VkCommandBuffer cmd, const vkprims::Device& device,
                              vkprims::KernelDesc desc${parameter}) {
  desc.own = &kernel@SEMICOLON@
  return vkprims::record_kernel(cmd, device, desc, ${passed})@SEMICOLON@
}
/// Compiles the pipeline of the kernel.
inline vkprims::Status warm_up(const vkprims::Device& device) {
  return vkprims::warm_up(device, vkprims::KernelDesc{.own = &kernel})@SEMICOLON@
}
/// Calls vkprims::kernel() with this kernel.
template <class R>
void step(R& recorder, vkprims::KernelDesc desc${parameter}) {
  desc.own = &kernel@SEMICOLON@
  vkprims::kernel(recorder, desc, ${passed})@SEMICOLON@
}
}  // namespace ${namespace}
")
  set(push_bytes 0)
  if(block_size GREATER 0)
    set(push_bytes "sizeof(Push)")
  endif()
  _vkprims_write_code(${generated}/${arg_NAME}.cpp
"#include \"${target}/${arg_NAME}.hpp\"
namespace ${namespace} {
namespace {
${module_code}}  // namespace
const vkprims::Kernel kernel{.name = \"${namespace}\", .spirv = &${module},
    .push_bytes = ${push_bytes}, .workgroup_size = {${sizes}}, .constants = ${mask}u,
    .values = {${values}}, .has_int64 = ${wide}, .has_float64 = ${double}}@SEMICOLON@
}  // namespace ${namespace}
")
  set_source_files_properties(${generated}/${arg_NAME}.cpp PROPERTIES
    OBJECT_DEPENDS ${generated}/${module}.inc SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${generated}/${arg_NAME}.cpp)
  target_include_directories(${target} PRIVATE ${generated})
endfunction()

# vkprims_add_shaders(TARGET <target> NAMESPACE <c++ namespace> [BASE_DIR <dir>] SOURCES <a.comp> …)
#
# Compiles every variant of every source to SPIR-V and adds it to the target as constant data. For
# <BASE_DIR>/foo.comp or foo/foo.comp (or foo/bar.comp, which is named foo_bar) the target can then
# say
#   #include "spirv/foo.hpp"      // const vkprims::Spirv <namespace>::foo_u32, … one per variant
# and a wrong variant name is a compile error. Variants are declared in the shader, one line an
# axis:
#   // %VARIANT% T u32|f32|f64   // -> foo_u32 with -DVKP_T_u32, …
# For a choice at run time there is a function with a parameter for each line, the position of a
# value in it: foo(1) is foo_f32.
# A value that names an element type which VKPRIMS_VARIANTS does not list is left out: empty, and
# refused at run time. Each source becomes one object file, so that a static library's user links
# only what it calls.
#
# Loops marked [[unroll]] are unrolled in the SPIR-V. A shader that says
#   // %UNROLL% driver
# keeps them as loops with the mark, for the driver to unroll: its modules are smaller where the
# copies have little in common, and larger where each is folded into less.
#
# A function whose parameters are all const stays a function in the SPIR-V (VkprimsModule.cmake);
# all others are inlined, and in a shader that says
#   // %INLINE% foo|bar
# these, too, and in one that says
#   // %INLINE% all
# all of them. NVIDIA's compiler (580) makes some modules slower for having any call, whatever is
# called.
#
# Editing an include recompiles its users, editing such a line reconfigures. Needs glslc, which
# find_package(Vulkan) finds, and spirv-tools.

find_program(VKPRIMS_SPIRV_OPT spirv-opt HINTS "$ENV{VULKAN_SDK}/bin" DOC "The SPIR-V optimiser")
find_program(VKPRIMS_SPIRV_DIS spirv-dis HINTS "$ENV{VULKAN_SDK}/bin" DOC "The SPIR-V disassembler")
find_program(VKPRIMS_SPIRV_AS spirv-as HINTS "$ENV{VULKAN_SDK}/bin" DOC "The SPIR-V assembler")
set(VKPRIMS_MODULE_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/VkprimsModule.cmake
    CACHE INTERNAL "Optimises and embeds a module")
set(VKPRIMS_ROLLED_PASSES ${CMAKE_CURRENT_LIST_DIR}/VkprimsRolled.cfg
    CACHE INTERNAL "spirv-opt -O, but loops stay")

# The functions keep the policies that hold here, whatever those of their caller.
cmake_policy(VERSION 3.24)

include(${CMAKE_CURRENT_LIST_DIR}/VkprimsOwn.cmake)

# The element types that are built. What others are made of is always among them: u32, and i32,
# whose kernels are the same.
set(_VKPRIMS_TYPES u32 i32 f32 u64 i64 f64)
set(_VKPRIMS_BUILT_TYPES ${VKPRIMS_VARIANTS} u32 i32)
if(VKPRIMS_VARIANTS STREQUAL "all")
  set(_VKPRIMS_BUILT_TYPES ${_VKPRIMS_TYPES})
elseif(VKPRIMS_VARIANTS STREQUAL "core")
  set(_VKPRIMS_BUILT_TYPES u32 i32 f32)
endif()
# The functions are also called where plain variables of this file are not seen.
set(_VKPRIMS_TYPES ${_VKPRIMS_TYPES} CACHE INTERNAL "Element types")
set(_VKPRIMS_BUILT_TYPES ${_VKPRIMS_BUILT_TYPES} CACHE INTERNAL "Element types that are built")
foreach(type IN LISTS _VKPRIMS_BUILT_TYPES)
  if(NOT type IN_LIST _VKPRIMS_TYPES)
    message(FATAL_ERROR
            "VKPRIMS_VARIANTS names ${type}, which is none of: all core ${_VKPRIMS_TYPES}")
  endif()
endforeach()

# Whether a variant with this value serves an element type that is built.
function(_vkprims_is_built value out)
  set(types u32)
  string(REPLACE "_" ";" words ${value})
  foreach(word IN LISTS words)
    if(word STREQUAL "pair") # two words
      set(types u64 i64 f64)
    elseif(word MATCHES "^[ui]64$") # one kernel
      set(types u64 i64)
    elseif(word MATCHES "^(f32|f64)$")
      set(types ${word})
    elseif(word STREQUAL "float64")
      set(types f64)
    endif()
  endforeach()
  set(${out} 0 PARENT_SCOPE)
  foreach(type IN LISTS types)
    if(type IN_LIST _VKPRIMS_BUILT_TYPES)
      set(${out} 1 PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Product of the axes of `source`: lists of names, definitions and whether each is built.
function(_vkprims_variants source base out_names out_definitions out_built out_axes)
  file(STRINGS ${source} axes REGEX "^// %VARIANT% ")
  set(names ${base})
  set(definitions "@")
  set(built 1)
  set(lengths "")
  foreach(axis IN LISTS axes)
    if(NOT axis MATCHES "^// %VARIANT% +([A-Z0-9_]+) +([a-z0-9_|]+) *$")
      message(FATAL_ERROR "${source}: not a variant line: ${axis}")
    endif()
    set(key ${CMAKE_MATCH_1})
    string(REPLACE "|" ";" values ${CMAKE_MATCH_2})
    list(LENGTH values length)
    string(TOLOWER ${key} parameter)
    list(APPEND lengths "${parameter}:${length}")
    set(next_names "")
    set(next_definitions "")
    set(next_built "")
    foreach(name definition is_built IN ZIP_LISTS names definitions built)
      foreach(value IN LISTS values)
        list(APPEND next_names ${name}_${value})
        list(APPEND next_definitions "${definition}-DVKP_${key}_${value}@")
        _vkprims_is_built(${value} value_is_built)
        math(EXPR both "${is_built} & ${value_is_built}")
        list(APPEND next_built ${both})
      endforeach()
    endforeach()
    set(names ${next_names})
    set(definitions ${next_definitions})
    set(built ${next_built})
  endforeach()
  set(${out_names} "${names}" PARENT_SCOPE)
  set(${out_definitions} "${definitions}" PARENT_SCOPE)
  set(${out_built} "${built}" PARENT_SCOPE)
  set(${out_axes} "${lengths}" PARENT_SCOPE)
endfunction()

# C++ of the function that gives one of `names`, modules of `base` with these axes ("name:length").
function(_vkprims_choice base names axes out)
  set(parameters "")
  set(index "")
  foreach(axis IN LISTS axes)
    string(REGEX MATCH "^(.*):(.*)$" axis ${axis})
    list(APPEND parameters "std::size_t ${CMAKE_MATCH_1}")
    if(index STREQUAL "")
      set(index ${CMAKE_MATCH_1})
    else()
      set(index "(${index}) * ${CMAKE_MATCH_2} + ${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN parameters ", " parameters)
  list(TRANSFORM names PREPEND "&")
  list(JOIN names ", " names)
  set(${out} "inline const vkprims::Spirv& ${base}(${parameters}) {
  static constexpr const vkprims::Spirv* kModules[] = {${names}}@SEMICOLON@
  return *kModules[${index}]@SEMICOLON@
}
" PARENT_SCOPE)
endfunction()

# What spirv-opt is to do with the modules of a shader.
function(_vkprims_optimisation source out)
  file(STRINGS ${source} line REGEX "^// %UNROLL% ")
  if(NOT line)
    set(${out} -O PARENT_SCOPE)
  elseif(line STREQUAL "// %UNROLL% driver")
    set(${out} -Oconfig=${VKPRIMS_ROLLED_PASSES} PARENT_SCOPE)
  else()
    message(FATAL_ERROR "${source}: not an unroll line: ${line}")
  endif()
endfunction()

# Which functions are inlined whatever their parameters: a|b|….
function(_vkprims_inlined source out)
  set(names "")
  file(STRINGS ${source} line REGEX "^// %INLINE% ")
  if(line)
    if(NOT line MATCHES "^// %INLINE% ([a-z0-9_|]+)$")
      message(FATAL_ERROR "${source}: not an inline line: ${line}")
    endif()
    set(names ${CMAKE_MATCH_1})
  endif()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# Checks that the tools are there; `tools` becomes what VkprimsModule.cmake needs of them.
function(_vkprims_module_tools out)
  set(tools "")
  if(NOT VKPRIMS_SHADER_DEBUG)
    foreach(tool opt dis as)
      string(TOUPPER SPIRV_${tool} name)
      if(NOT VKPRIMS_${name})
        message(FATAL_ERROR "vkprims: spirv-${tool} not found. Install spirv-tools.")
      endif()
      list(APPEND tools -D${name}=${VKPRIMS_${name}})
    endforeach()
  endif()
  set(${out} "${tools}" PARENT_SCOPE)
endfunction()

# Adds the command that compiles `source` to ${generated}/${name}.inc. `definitions` and `includes`
# are options of glslc. With KEEP_FUNCTIONS, the source's %INLINE% does not count.
function(_vkprims_add_module generated name source definitions includes)
  set(debug_info "")
  if(VKPRIMS_SHADER_DEBUG)
    set(debug_info -g)
  endif()
  _vkprims_module_tools(tools)
  _vkprims_optimisation(${source} optimisation)
  set(inlined "")
  if(NOT "KEEP_FUNCTIONS" IN_LIST ARGN)
    _vkprims_inlined(${source} inlined)
  endif()
  set(output ${generated}/${name}.inc)
  set(module ${generated}/${name}.spv)
  add_custom_command(
    OUTPUT ${output}
    COMMENT "glslc ${name}"
    COMMAND ${Vulkan_GLSLC_EXECUTABLE} -fshader-stage=compute --target-env=vulkan1.2 ${debug_info}
            -O0 -Werror ${includes} ${definitions}
            -MD -MF ${output}.d -MT ${output} -o ${module} ${source}
    COMMAND ${CMAKE_COMMAND} ${tools} -DPASSES=${optimisation} -DINLINE=${inlined}
            -DNAME=${name} -DMODULE=${module} -DOUTPUT=${output}
            -P ${VKPRIMS_MODULE_SCRIPT}
    BYPRODUCTS ${module}
    DEPENDS ${source} ${VKPRIMS_MODULE_SCRIPT} ${VKPRIMS_ROLLED_PASSES}
    DEPFILE ${output}.d
    VERBATIM COMMAND_EXPAND_LISTS)
endfunction()

# C++ that defines a module as constant data.
function(_vkprims_module_code name out)
  set(${out} "#include \"${name}.inc\"\n" PARENT_SCOPE)
endfunction()

# Writes C++ in which @SEMICOLON@ stands for a semicolon, at which CMake would split it.
function(_vkprims_write_code file code)
  string(REPLACE "@SEMICOLON@" ";" code "${code}")
  file(CONFIGURE OUTPUT ${file} CONTENT "${code}" @ONLY)
endfunction()

function(vkprims_add_shaders)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;NAMESPACE;BASE_DIR" "SOURCES")
  set(command "vkprims_add_shaders(TARGET ${arg_TARGET})")
  _vkprims_check_keywords("${command}" TARGET NAMESPACE SOURCES)
  _vkprims_check_target("${command}" ${arg_TARGET})
  _vkprims_check_namespace("${command}" ${arg_NAMESPACE})
  if(NOT arg_BASE_DIR)
    set(arg_BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  file(REAL_PATH ${arg_BASE_DIR} arg_BASE_DIR BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_shaders)
  _vkprims_module_tools(tools)
  file(MAKE_DIRECTORY ${generated}/spirv)

  foreach(source IN LISTS arg_SOURCES)
    file(REAL_PATH ${source} source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    if(NOT EXISTS ${source})
      message(FATAL_ERROR "${command}: SOURCES has ${source}, which does not exist")
    endif()
    file(RELATIVE_PATH base ${arg_BASE_DIR} ${source})
    string(REGEX REPLACE "\\.comp$" "" base ${base})
    get_filename_component(directory ${base} DIRECTORY)
    get_filename_component(entry ${base} NAME)
    if(directory MATCHES "(^|/)${entry}$")
      set(base ${directory})
    endif()
    string(REPLACE "/" "_" base ${base})
    if(NOT base MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
      message(FATAL_ERROR "${command}: ${source} would be named \"${base}\", which is no C++ name; "
              "its path below BASE_DIR must be one, with / for _")
    endif()
    _vkprims_claim_name("${command}" ${arg_TARGET} ${base})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    _vkprims_variants(${source} ${base} names definitions built axes)

    set(header "#pragma once\n#include <cstddef>\n#include \"vkprims/spirv.hpp\"\n")
    string(APPEND header "namespace ${arg_NAMESPACE} {\n")
    set(code "#include \"spirv/${base}.hpp\"\nnamespace ${arg_NAMESPACE} {\n")
    set(outputs "")
    foreach(name definition is_built IN ZIP_LISTS names definitions built)
      string(APPEND header "extern const vkprims::Spirv ${name};\n")
      if(NOT is_built)
        string(APPEND code "const vkprims::Spirv ${name}{\"${name}\", nullptr, 0};\n")
        continue()
      endif()
      string(REGEX MATCHALL "-D[^@]+" definition "${definition}")
      _vkprims_add_module(${generated} ${name} ${source} "${definition}"
                          "-I${VKPRIMS_SHADER_DIR};-I${arg_BASE_DIR}")
      list(APPEND outputs ${generated}/${name}.inc)
      _vkprims_module_code(${name} module_code)
      string(APPEND code "${module_code}")
    endforeach()
    if(axes)
      _vkprims_choice(${base} "${names}" "${axes}" choice)
      string(APPEND header "${choice}")
    endif()
    _vkprims_write_code(${generated}/spirv/${base}.hpp "${header}}\n")
    _vkprims_write_code(${generated}/${base}.cpp "${code}}\n")
    # Precompiled headers are not used: reading the target's takes longer than all else.
    set_source_files_properties(${generated}/${base}.cpp PROPERTIES
      OBJECT_DEPENDS "${outputs}" SKIP_PRECOMPILE_HEADERS ON)
    target_sources(${arg_TARGET} PRIVATE ${generated}/${base}.cpp)
    set_property(TARGET ${arg_TARGET} APPEND PROPERTY VKPRIMS_SHADER_HEADERS spirv/${base}.hpp)
    set_property(TARGET ${arg_TARGET} APPEND PROPERTY VKPRIMS_SHADERS ${names})
  endforeach()
  # spirv/*.hpp, and headers that shaders share with C++.
  target_include_directories(${arg_TARGET} PRIVATE ${generated} ${VKPRIMS_SHADER_DIR})
endfunction()

# vkprims_add_map(<target> NAME <name> SOURCE <map.glsl> [NAMESPACE <c++>])
#
# Makes a kernel of a function of the target's own, and C++ to record it: the target can then say
#   #include "<target>/<name>.hpp"   // namespace <target>::<name>
# and call record_map(), map_scratch(), warm_up() and map() there. NAMESPACE stands for the target's
# name where that is no C++ name.
#
# The source defines a function whose parameters are up to 4 elements and the number of the element:
#   float vkp_map(float x, float y, uvec2 index) { return x * x + y; }
# Behind `index` there may be a parameter for what the caller gives for all elements, and instead of
# the result up to 4 `out` parameters. The names of the parameters are those of the members of
# MapBuffers in C++; a result that is returned is called out. docs/own_kernels.md has more.

include(${CMAKE_CURRENT_LIST_DIR}/VkprimsStruct.cmake)

# Names that members of C++ structs cannot have although GLSL has no use for them.
set(_VKPRIMS_CPP_WORDS and or not xor new delete operator auto char int8_t signed unsigned explicit
    friend private protected public virtual try catch throw scratch count arguments none
    CACHE INTERNAL "Words that are no names in C++")

function(vkprims_add_map target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;SOURCE;NAMESPACE" "")
  _vkprims_check_own("vkprims_add_map(${target} NAME ${arg_NAME})" NAME SOURCE)
  set(where "vkprims_add_map: ${source}")
  get_filename_component(file ${source} NAME)
  get_filename_component(directory ${source} DIRECTORY)

  # What the source says.
  _vkprims_read_glsl(${source} text)
  _vkprims_read_function("${where}" "${text}" vkp_map returned inputs outputs arguments)
  if(NOT returned STREQUAL "void")
    if(outputs)
      message(FATAL_ERROR "${where}: vkp_map() returns ${returned} and has out parameters; several "
              "results are out parameters of a void function")
    endif()
    set(outputs "${returned}:out")
  endif()
  list(LENGTH inputs input_count)
  list(LENGTH outputs output_count)
  if(input_count GREATER 4 OR output_count GREATER 4 OR output_count EQUAL 0)
    message(FATAL_ERROR "${where}: vkp_map() has ${input_count} inputs and ${output_count} "
            "outputs, must have 0 … 4 and 1 … 4")
  endif()
  set(prefixes "")
  set(names "")
  set(most 1)
  foreach(side IN ITEMS in out)
    set(${side}_names "")
    set(${side}_types "")
    set(${side}_bytes "")
    set(${side}_strings "")
    set(k 0)
    foreach(parameter IN LISTS ${side}puts)
      string(REGEX MATCH "^(.*):(.*)$" all "${parameter}")
      set(type "${CMAKE_MATCH_1}")
      set(name "${CMAKE_MATCH_2}")
      if(name STREQUAL "")
        set(name ${side}${k})
      endif()
      if(name IN_LIST _VKPRIMS_CPP_WORDS OR name IN_LIST names)
        message(FATAL_ERROR "${where}: a parameter of vkp_map() is called ${name}, which cannot be "
                "the name of a buffer in C++")
      endif()
      _vkprims_describe_type("${where}" "${text}" "${type}" ${side}${k})
      set(${side}${k}_type ${type})
      list(APPEND prefixes ${side}${k})
      list(APPEND names ${name})
      list(APPEND ${side}_names ${name})
      list(APPEND ${side}_types ${${side}${k}_cpp})
      math(EXPR bytes "4 * ${${side}${k}_words}")
      list(APPEND ${side}_bytes ${bytes})
      list(APPEND ${side}_strings "\"${name}\"")
      if(${side}${k}_words GREATER most)
        set(most ${${side}${k}_words})
      endif()
      math(EXPR k "${k} + 1")
    endforeach()
  endforeach()
  if(arguments)
    _vkprims_describe_type("${where}" "${text}" "${arguments}" arguments)
    list(APPEND prefixes arguments)
  endif()
  _vkprims_extensions_of("${prefixes}" wide double)

  # GLSL that the kernel includes.
  set(items 1)
  if(most LESS 3)
    math(EXPR items "4 / ${most}")
  endif()
  set(code "#define VKP_MAP_ITEMS ${items}\n#define VKP_OUT0_WORDS ${out0_words}\n")
  if(wide)
    string(APPEND code "#extension GL_ARB_gpu_shader_int64 : require\n")
  endif()
  string(APPEND code "#include \"${file}\"\n")
  set(members_in "")
  set(members_out "")
  set(passed "")
  foreach(side IN ITEMS in out)
    set(each "")
    set(k 0)
    foreach(parameter IN LISTS ${side}puts)
      set(prefix ${side}${k})
      string(APPEND each " DO(${k}, w${k}, ${${prefix}_words})")
      string(APPEND members_${side} "  uint w${k}[${${prefix}_words}]@SEMICOLON@\n")
      _vkprims_type_code(${prefix} ${${prefix}_type} vkp_pack_${prefix} vkp_unpack_${prefix}
                         functions)
      string(APPEND code "${functions}")
      math(EXPR k "${k} + 1")
    endforeach()
    string(TOUPPER ${side} upper)
    string(APPEND code "#define VKP_EACH_${upper}PUT(DO)${each}\n")
  endforeach()
  foreach(k RANGE 3)
    if(k LESS input_count)
      list(APPEND passed "vkp_unpack_in${k}(x.w${k})")
    endif()
  endforeach()
  list(APPEND passed index)
  _vkprims_arguments_code("${arguments}" functions parameter)
  string(APPEND code "${functions}")
  if(arguments)
    list(APPEND passed arguments)
  endif()
  string(APPEND code "struct VkpMapItem {\n  uint none@SEMICOLON@\n${members_in}}@SEMICOLON@
struct VkpMapResult {\n${members_out}}@SEMICOLON@
VkpMapResult vkp_map_item(const VkpMapItem x, const uvec2 index${parameter}) {
  VkpMapResult y@SEMICOLON@\n")
  set(packs "")
  math(EXPR last "${output_count} - 1")
  foreach(k RANGE ${last})
    string(APPEND code "  ${out${k}_type} y${k}@SEMICOLON@\n")
    string(APPEND packs "  vkp_pack_out${k}(y${k}, y.w${k})@SEMICOLON@\n")
    if(returned STREQUAL "void")
      list(APPEND passed y${k})
    endif()
  endforeach()
  list(JOIN passed ", " passed)
  if(returned STREQUAL "void")
    string(APPEND code "  vkp_map(${passed})@SEMICOLON@\n")
  else()
    string(APPEND code "  y0 = vkp_map(${passed})@SEMICOLON@\n")
  endif()
  string(APPEND code "${packs}  return y@SEMICOLON@\n}\n")
  set(glsl ${generated}/${arg_NAME}_glsl)
  _vkprims_write_code(${glsl}/vkprims_map.glsl "${code}")
  set(module ${arg_NAME}_map)
  _vkprims_add_module(${generated} ${module} ${VKPRIMS_KERNEL_DIR}/elementwise/map/map.glsl ""
                      "-I${glsl};-I${directory};-I${VKPRIMS_SHADER_DIR};-I${VKPRIMS_KERNEL_DIR}")
  _vkprims_module_code(${module} module_code)

  # C++.
  _vkprims_structs(${file} structs ${prefixes})
  set(argument_bytes 0)
  set(member "")
  set(given "")
  if(arguments)
    math(EXPR argument_bytes "4 * ${arguments_words}")
    set(member "  ${arguments_cpp} arguments = {}@SEMICOLON@ ///< what vkp_map() gets for all\n")
    set(given ", .arguments = vkprims::Value::bits(desc.arguments)")
  endif()
  foreach(side IN ITEMS in out)
    set(${side}_members "")
    set(${side}_views "")
    foreach(name IN LISTS ${side}_names)
      string(APPEND ${side}_members "  vkprims::BufferView ${name}@SEMICOLON@\n")
      list(APPEND ${side}_views "buffers.${name}")
    endforeach()
    foreach(list IN ITEMS types bytes strings views)
      list(JOIN ${side}_${list} ", " ${side}_${list})
    endforeach()
  endforeach()
  set(in_member "")
  if(inputs)
    set(in_member ".in_bytes = {${in_bytes}}, ")
    set(in_member_names ".in_names = {${in_strings}}, ")
  endif()
  set(type "vkprims::MapOf<std::tuple<${in_types}>, std::tuple<${out_types}>>")
  _vkprims_write_code(${generated}/${target}/${arg_NAME}.hpp
"// Made from ${file} by vkprims_add_map().
#pragma once
#include <array>
#include <cstdint>
#include <tuple>
#include \"vkprims/map.hpp\"

namespace ${namespace} {
${structs}
extern const ${type} function@SEMICOLON@

/// Describes a map to record_map(), map_scratch() and warm_up().
struct MapDesc {
  vkprims::Count count = {}@SEMICOLON@ ///< elements
${member}  /// The same for vkprims::record_map().
  static vkprims::MapDesc of(const MapDesc& desc) {
    return {.own = &function, .count = desc.count${given}}@SEMICOLON@
  }
}@SEMICOLON@
/// Memory for record_map().
struct MapBuffers {
${in_members}${out_members}  vkprims::Scratch scratch = {}@SEMICOLON@
}@SEMICOLON@

/// Calls vkprims::record_map() with this function.
inline vkprims::Status record_map(VkCommandBuffer cmd, const vkprims::Device& device,
                                  const MapDesc& desc, const MapBuffers& buffers) {
  return vkprims::record_map(
      cmd, device, MapDesc::of(desc),
      {.in = {${in_views}}, .out = {${out_views}}, .scratch = buffers.scratch})@SEMICOLON@
}
/// Calls vkprims::map_scratch() with this function.
inline vkprims::ScratchNeed map_scratch(const vkprims::Device& device, const MapDesc& desc) {
  return vkprims::map_scratch(device, MapDesc::of(desc))@SEMICOLON@
}
/// Calls vkprims::warm_up() with this function.
inline vkprims::Status warm_up(const vkprims::Device& device, const MapDesc& desc = {}) {
  return vkprims::warm_up(device, MapDesc::of(desc))@SEMICOLON@
}
/// Calls vkprims::map() with this function.
template <class R, class... Sequences>
void map(R& recorder, const MapDesc& desc, const Sequences&... sequences) {
  vkprims::map(recorder, function, MapDesc::of(desc), sequences...)@SEMICOLON@
}
}  // namespace ${namespace}
")
  _vkprims_write_code(${generated}/${arg_NAME}.cpp
"#include \"${target}/${arg_NAME}.hpp\"
namespace ${namespace} {
namespace {
${module_code}}  // namespace
const ${type} function{{.name = \"${namespace}\", .inputs = ${input_count},
    .outputs = ${output_count}, ${in_member}.out_bytes = {${out_bytes}},
    ${in_member_names}.out_names = {${out_strings}}, .argument_bytes = ${argument_bytes},
    .has_int64 = ${wide}, .has_float64 = ${double}, .spirv = &${module}}}@SEMICOLON@
}  // namespace ${namespace}
")
  set_source_files_properties(${generated}/${arg_NAME}.cpp PROPERTIES
    OBJECT_DEPENDS ${generated}/${module}.inc SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${generated}/${arg_NAME}.cpp)
  target_include_directories(${target} PRIVATE ${generated})
endfunction()

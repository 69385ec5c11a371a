# vkprims_add_string_kernel(<target> NAME <name> SOURCE <rows.glsl> COLUMNS 0|1|2 PIECES <n>
#                           [SHORT_ROWS <short.glsl>] [MODE rope] [NAMESPACE <c++>])
# vkprims_add_string_kernel(<target> NAME <name> SOURCE <rows.glsl> COLUMNS 0|1|2 MODE generate
#                           [NAMESPACE <c++>])
# vkprims_add_string_kernel(<target> NAME <name> SOURCE <value.glsl> MODE map [NAMESPACE <c++>])
#
# Makes a kernel whose rows are pieces of other texts, one that computes the bytes of rows, or one
# that makes a value of each row (VkprimsStringMap.cmake), and C++ to record it: the target can then
# say
#   #include "<target>/<name>.hpp"   // namespace <target>::<name>
# and call record(), scratch(), warm_up() and make() there, with the descriptors and buffers of
# vkprims/strings/rope.hpp or map.hpp. NAMESPACE stands for the target's name where that is no C++
# name.
#
# COLUMNS says how many columns the kernel reads, vkp_push.a and vkp_push.b, and PIECES how many
# pieces a row has at most, 1 … 512. The source says what they are:
#   struct Row { VkpText … };                    // what is known of a row
#   bool vkp_evaluate(uint row, out Row x)       // false: the row is null
#   VkpText vkp_piece(Row x, uint row, uint k)   // piece k of the row
# or, to compute its bytes,
#   uint vkp_parts(Row x)                        // how many parts it has; 1 without this function
#   void vkp_write_part(Row x, uint part, inout VkpWriter w)
# SHORT_ROWS has another way to make rows of a few bytes, for vkprims/strings/short_rows.glsl:
#   #define VKP_FIRST_WORDS 4                    // what it reads of each row; _B: of b
#   VkpShortRow vkp_short_row(uint row, VkpTextCells c)
# docs/own_kernels.md has more.

cmake_policy(VERSION 3.24)

include(${CMAKE_CURRENT_LIST_DIR}/VkprimsStruct.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/VkprimsStringMap.cmake)
set(VKPRIMS_STRING_KERNEL_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/string_kernel.hpp.in
    CACHE INTERNAL "C++ of a user's string kernel")

# Stops unless `text`, what a source has, defines the functions in ARGN.
function(_vkprims_check_functions where text)
  foreach(function IN LISTS ARGN)
    _vkprims_has_function("${text}" ${function} has)
    if(NOT has)
      message(FATAL_ERROR "${where}: does not define ${function}()")
    endif()
  endforeach()
endfunction()

# Writes the header of a kernel by a template, in which @KEY@ stands for a variable of the caller's.
# ARGN are KEY:variable.
function(_vkprims_write_string_header template)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${template})
  file(READ ${template} header)
  string(REPLACE ";" "@SEMICOLON@" header "${header}")
  foreach(pair IN LISTS ARGN)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 key)
    list(GET pair 1 variable)
    string(REPLACE "@${key}@" "${${variable}}" header "${header}")
  endforeach()
  _vkprims_write_code(${generated}/${target}/${arg_NAME}.hpp "${header}")
endfunction()

# Writes the C++ of a kernel, whose modules come first in `code` and end their own namespace, and
# adds it to the target. ARGN are the files of the modules.
function(_vkprims_write_string_source code)
  _vkprims_write_code(${generated}/${arg_NAME}.cpp
"#include \"${target}/${arg_NAME}.hpp\"
#include \"vkprims/strings/strings.abi.h\"
namespace ${namespace} {
namespace {
${code}}  // namespace ${namespace}
")
  set_source_files_properties(${generated}/${arg_NAME}.cpp PROPERTIES
    OBJECT_DEPENDS "${ARGN}" SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${generated}/${arg_NAME}.cpp)
  target_include_directories(${target} PRIVATE ${generated} ${VKPRIMS_SHADER_DIR})
endfunction()

# Writes a kernel of `lines`, which calls `call`, to ${generated}/${module}.comp and adds its two
# modules. Uses the caller's `generated` and `include_dirs`, and appends to its `outputs` and
# `modules`.
macro(_vkprims_add_rope module lines call)
  # Look-back calls vkp_shuffle(): as a function, it made short rows take 8 to 17 % longer (H200).
  _vkprims_write_code(${generated}/${module}.comp "// Made by vkprims_add_string_kernel().
// %INLINE% vkp_shuffle
#version 460
#extension GL_GOOGLE_include_directive : require
#include \"vkprims/strings/strings.glsl\"
${lines}
void main() { ${call}()@SEMICOLON@ }
")
  foreach(state IN ITEMS word64 word32)
    _vkprims_add_module(${generated} ${module}_${state} ${generated}/${module}.comp
                        -DVKP_STATE_${state} "${include_dirs}")
    list(APPEND outputs ${generated}/${module}_${state}.inc)
    _vkprims_module_code(${module}_${state} code)
    string(APPEND modules "${code}")
  endforeach()
endmacro()

function(vkprims_add_string_kernel target)
  cmake_parse_arguments(PARSE_ARGV 1 arg ""
                        "NAME;SOURCE;SHORT_ROWS;COLUMNS;PIECES;MODE;NAMESPACE" "")
  set(command "vkprims_add_string_kernel(${target} NAME ${arg_NAME})")
  if(NOT DEFINED arg_MODE)
    set(arg_MODE rope)
  endif()
  if(arg_MODE STREQUAL "rope")
    set(needed COLUMNS PIECES)
    set(unwanted "")
    set(functions vkp_evaluate vkp_piece)
  elseif(arg_MODE STREQUAL "generate")
    set(needed COLUMNS)
    set(unwanted PIECES SHORT_ROWS)
    set(functions vkp_evaluate vkp_write_part)
  elseif(arg_MODE STREQUAL "map")
    set(needed "")
    set(unwanted COLUMNS PIECES SHORT_ROWS)
  else()
    message(FATAL_ERROR "${command}: MODE is \"${arg_MODE}\", must be rope, generate or map")
  endif()
  foreach(keyword IN LISTS unwanted)
    if(DEFINED arg_${keyword})
      message(FATAL_ERROR "${command}: MODE ${arg_MODE} takes no ${keyword}")
    endif()
  endforeach()
  foreach(keyword IN LISTS needed) # of which 0 is a value
    if(NOT DEFINED arg_${keyword})
      message(FATAL_ERROR "${command}: ${keyword} is missing")
    endif()
  endforeach()
  _vkprims_check_own("${command}" NAME SOURCE)
  if(arg_MODE STREQUAL "map")
    _vkprims_add_string_map()
    return()
  endif()
  if(NOT arg_COLUMNS MATCHES "^[012]$")
    message(FATAL_ERROR "${command}: COLUMNS is \"${arg_COLUMNS}\", must be 0, 1 or 2")
  endif()
  if(arg_MODE STREQUAL "generate")
    set(arg_PIECES 1)
  endif()
  if(NOT arg_PIECES MATCHES "^[1-9][0-9]*$" OR arg_PIECES GREATER 512)
    message(FATAL_ERROR "${command}: PIECES is \"${arg_PIECES}\", must be 1 … 512")
  endif()

  # What the sources say.
  _vkprims_read_glsl(${source} text)
  set(where "vkprims_add_string_kernel: ${source}")
  _vkprims_check_functions("${where}" "${text}" ${functions})
  _vkprims_definition("${text}" VKP_STRING_ROW row)
  if(row STREQUAL "" AND NOT "${text}" MATCHES "struct[ \t\n]+Row[ \t\n]*{")
    message(FATAL_ERROR "${where}: has neither a struct Row nor a #define VKP_STRING_ROW")
  endif()
  foreach(macro IN ITEMS VKP_MOST_PIECES VKP_EVALUATES_BY_PIECES)
    _vkprims_definition("${text}" ${macro} given)
    if(NOT given STREQUAL "")
      message(FATAL_ERROR "${where}: defines ${macro}, which PIECES says")
    endif()
  endforeach()
  get_filename_component(file ${source} NAME)
  get_filename_component(directory ${source} DIRECTORY)
  set(include_dirs -I${directory} -I${VKPRIMS_SHADER_DIR})
  set(lines "")
  set(copies "")
  set(skeleton vkprims/strings/pieces.glsl)
  set(call vkp_rope)
  if(arg_MODE STREQUAL "generate")
    set(copies ", .copies = false")
    set(skeleton vkprims/strings/generate.glsl)
    set(call vkp_generate)
    # The writer comes before the source, whose functions take it.
    string(APPEND lines "#include \"vkprims/strings/writer.glsl\"\n")
    _vkprims_has_function("${text}" vkp_parts has)
    if(NOT has)
      string(APPEND lines "#define VKP_ONE_PART\n")
    endif()
  else()
    string(APPEND lines "#define VKP_MOST_PIECES ${arg_PIECES}u\n")
  endif()
  if(row STREQUAL "")
    string(APPEND lines "#define VKP_STRING_ROW Row\n")
  endif()
  set(rows "${lines}#include \"${file}\"\n")
  if(arg_PIECES GREATER 4)
    string(PREPEND lines "#define VKP_EVALUATES_BY_PIECES\n")
  endif()
  string(APPEND lines "#include \"${file}\"\n#include \"${skeleton}\"")

  set(outputs "")
  set(modules "")
  _vkprims_add_rope(${arg_NAME} "${lines}" ${call})
  set(of_short "")
  if(arg_SHORT_ROWS)
    file(REAL_PATH ${arg_SHORT_ROWS} short BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    if(NOT EXISTS ${short})
      message(FATAL_ERROR "${command}: SHORT_ROWS ${short} does not exist")
    elseif(arg_PIECES GREATER 4)
      message(FATAL_ERROR "${command}: PIECES is ${arg_PIECES}, must be 1 … 4 with SHORT_ROWS")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${short})
    _vkprims_read_glsl(${short} text)
    _vkprims_check_functions("vkprims_add_string_kernel: ${short}" "${text}" vkp_short_row)
    foreach(macro IN ITEMS VKP_FIRST_WORDS VKP_FIRST_WORDS_B VKP_ROW_WORDS)
      _vkprims_definition("${text}" ${macro} words)
      if(NOT words STREQUAL "")
        string(APPEND rows "#define ${macro} ${words}\n")
      endif()
    endforeach()
    _vkprims_has_function("${text}" vkp_load_cells loads_cells)
    if(loads_cells)
      string(APPEND rows "#define VKP_LOADS_CELLS\n")
    endif()
    get_filename_component(directory ${short} DIRECTORY)
    list(PREPEND include_dirs -I${directory})
    get_filename_component(short_file ${short} NAME)
    string(APPEND rows "#include \"vkprims/strings/short_rows.glsl\"\n#include \"${short_file}\"")
    _vkprims_add_rope(${arg_NAME}_short "${rows}" vkp_rope)
    set(of_short "short_")
  endif()

  # C++.
  set(kernels "")
  foreach(kind IN ITEMS "" short_)
    set(module ${arg_NAME})
    set(strips "")
    if(kind)
      set(module ${arg_NAME}_short)
      set(strips ", .lane_words = VKP_STRINGS_SHORT_WORDS")
    endif()
    if(NOT kind OR of_short)
      string(APPEND kernels "const vkprims::strings::RopeKernel ${kind}kernel{
    .word64 = &${module}_word64, .word32 = &${module}_word32,
    .pieces = ${arg_PIECES}${strips}${copies}}"
             "@SEMICOLON@\n")
    endif()
  endforeach()
  set(declarations "")
  set(members "")
  set(inputs "")
  set(of_row_bytes kernel)
  if(of_short)
    set(declarations "/// For rows of a few bytes.
extern const vkprims::strings::RopeKernel short_kernel@SEMICOLON@\n")
    set(of_row_bytes "vkprims::strings::is_short(desc) ? short_kernel : kernel")
  endif()
  set(columns a b)
  list(SUBLIST columns 0 ${arg_COLUMNS} columns)
  foreach(column IN LISTS columns)
    string(APPEND members "  const vkprims::StringColumn& ${column}@SEMICOLON@\n")
    string(APPEND inputs ".${column} = &columns.${column}, ")
  endforeach()
  _vkprims_write_string_header(${VKPRIMS_STRING_KERNEL_TEMPLATE} FILE:file NAMESPACE:namespace
    DECLARATIONS:declarations MEMBERS:members COLUMNS:arg_COLUMNS KERNEL:of_row_bytes INPUTS:inputs)
  _vkprims_write_string_source("${modules}}  // namespace
${kernels}" ${outputs})
endfunction()

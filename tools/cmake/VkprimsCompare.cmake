# vkprims_add_compare(<target> NAME <name> SOURCE <compare.glsl> FORMS <form> …
#                     [NAMESPACE <c++>])
#
# Makes kernels that order elements by a comparison of the target's own, and C++ to record them: the
# target can then say
#   #include "<target>/<name>.hpp"   // namespace <target>::<name>
# and call record_sort(), sort_scratch(), warm_up() and sort(recorder, …) there, which are those of
# merge_sort, and with the form merge record_merge() and so on. NAMESPACE stands for the target's
# name where that is no C++ name. The forms are sort and merge; without FORMS it is sort.
#
# The source defines a type and a strict weak order:
#   struct Row { uint group; float weight; };
#   #define VKP_T Row
#   bool vkp_less(Row a, Row b) { … }
# The header has the struct in C++. docs/own_kernels.md has more.

include(${CMAKE_CURRENT_LIST_DIR}/VkprimsStruct.cmake)
set(VKPRIMS_COMPARE_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/compare_form.hpp.in
    CACHE INTERNAL "C++ of a form of a user's comparison")

function(vkprims_add_compare target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;SOURCE;NAMESPACE" "FORMS")
  # Kernels of each form, as <family>/<primitive>/<entry>, and the primitive. They are set here, as
  # a caller in another directory does not see variables of this file.
  set(forms sort merge)
  set(kernels_sort sort/merge_sort/tiles sort/merge_sort/merge_runs sort/merge_sort/partition
      sort/merge_sort/merge)
  set(kernels_merge sort/merge/own_partition sort/merge_sort/merge)
  set(primitive_sort merge_sort)
  set(primitive_merge merge)

  set(command "vkprims_add_compare(${target} NAME ${arg_NAME})")
  _vkprims_check_own("${command}" NAME SOURCE)
  if(NOT arg_FORMS)
    set(arg_FORMS sort)
  endif()
  list(REMOVE_DUPLICATES arg_FORMS)
  foreach(form IN LISTS arg_FORMS)
    if(NOT form IN_LIST forms)
      list(JOIN forms " " forms)
      message(FATAL_ERROR "${command}: FORMS has ${form}, which is none of: ${forms}")
    endif()
  endforeach()

  # What the source says.
  set(where "vkprims_add_compare: ${source}")
  _vkprims_read_glsl(${source} text)
  _vkprims_definition("${text}" VKP_T type)
  if(type STREQUAL "")
    message(FATAL_ERROR "${where}: does not say \"#define VKP_T <type>\"")
  endif()
  _vkprims_has_function("${text}" vkp_less has)
  if(NOT has)
    message(FATAL_ERROR "${where}: does not define vkp_less()")
  endif()
  _vkprims_definition("${text}" VKP_WORDS own_words)
  if(own_words STREQUAL "")
    _vkprims_describe_type("${where}" "${text}" "${type}" element)
  else()
    _vkprims_describe_words("${where}" "${text}" ${own_words} element)
  endif()

  # GLSL that the kernels include: the source, and how its type is moved.
  set(glsl ${generated}/${arg_NAME}_glsl)
  get_filename_component(file ${source} NAME)
  get_filename_component(directory ${source} DIRECTORY)
  set(code "#include \"${file}\"\n")
  if(own_words STREQUAL "")
    _vkprims_type_code(element ${type} vkp_pack vkp_unpack functions)
    string(APPEND code "#define VKP_WORDS ${element_words}\n${functions}")
  endif()
  _vkprims_write_code(${glsl}/vkprims_compare.glsl "${code}")

  # Modules, and C++ of the forms.
  set(known "")
  set(modules "")
  set(cases "")
  set(outputs "")
  set(includes "")
  set(functions "")
  foreach(form IN LISTS arg_FORMS)
    foreach(kernel IN LISTS kernels_${form})
      if(kernel IN_LIST known)
        continue()
      endif()
      list(APPEND known ${kernel})
      string(REGEX MATCH "^[^/]+/([^/]+)/(.+)$" base ${kernel})
      set(base ${CMAKE_MATCH_1}_${CMAKE_MATCH_2})
      set(module ${arg_NAME}_${base})
      _vkprims_add_module(
        ${generated} ${module} ${VKPRIMS_KERNEL_DIR}/${kernel}.comp ""
        "-I${glsl};-I${directory};-I${VKPRIMS_SHADER_DIR};-I${VKPRIMS_KERNEL_DIR}")
      list(APPEND outputs ${generated}/${module}.inc)
      _vkprims_module_code(${module} module_code)
      string(APPEND modules "${module_code}")
      string(APPEND cases "    case vkprims::CompareKernel::${base}:
      return &${module}@SEMICOLON@\n")
    endforeach()
    set(primitive ${primitive_${form}})
    string(APPEND includes "#include \"vkprims/${primitive}.hpp\"\n")
    string(REPLACE "merge" "Merge" camel ${primitive})
    string(REPLACE "_sort" "Sort" camel ${camel})
    file(READ ${VKPRIMS_COMPARE_TEMPLATE} text)
    string(REPLACE ";" "@SEMICOLON@" text "${text}")
    string(REPLACE "@FORM@" ${form} text "${text}")
    string(REPLACE "@PRIMITIVE@" ${primitive} text "${text}")
    string(REPLACE "@Primitive@" ${camel} text "${text}")
    string(APPEND functions "${text}")
  endforeach()
  math(EXPR bytes "4 * ${element_words}")
  set(structs "")
  if(NOT element_members STREQUAL "")
    set(structs "/// struct ${element_cpp} of ${file}
struct ${element_cpp} {
${element_members}}@SEMICOLON@
static_assert(sizeof(${element_cpp}) == ${bytes})@SEMICOLON@
")
  endif()
  foreach(flag IN ITEMS element_wide element_double)
    string(TOLOWER "${${flag}}" ${flag})
  endforeach()
  _vkprims_write_own(compare Compare "CompareOf<${element_cpp}>" CompareKernel
    "\"${arg_NAME}\", ${bytes}, ${element_wide}, ${element_double}")
endfunction()

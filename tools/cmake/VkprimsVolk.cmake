# Writes a header that renames every global symbol of volk (vkCreateDevice -> vkprims_vkCreateDevice,
# volkInitialize -> vkprims_volkInitialize …), to be included before volk.h. Two users of volk, or volk
# and prototypes, then live in one program: volk's own names are global variables that clash with
# functions of the loader (a crash) and with another copy of volk (duplicate symbols).
function(vkprims_rename_volk volk_header output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${volk_header})
  file(STRINGS ${volk_header} lines REGEX "^(extern PFN_vk|.*[ *]volk[A-Z][A-Za-z0-9]*\\()")
  set(code "#pragma once\n")
  foreach(line IN LISTS lines)
    if(line MATCHES "extern PFN_vk[A-Za-z0-9]+ (vk[A-Za-z0-9]+);" OR
       line MATCHES "[ *](volk[A-Z][A-Za-z0-9]*)\\(")
      string(APPEND code "#define ${CMAKE_MATCH_1} vkprims_${CMAKE_MATCH_1}\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${code}" @ONLY)
endfunction()

# Writes a header that renames every global symbol of volk (vkCreateDevice ->
# vkprims_vkCreateDevice, volkInitialize -> vkprims_volkInitialize …), to be included before volk.h.
# Two users of volk, or volk and prototypes, then live in one program: volk's own names are global
# variables that clash with functions of the loader (a crash) and with another copy of volk
# (duplicate symbols).
function(vkprims_rename_volk volk_header output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${volk_header})
  # Declarations of variables, "extern PFN_vkX vkX;", and of functions, "… volkX(…);".
  file(STRINGS ${volk_header} lines
       REGEX "^extern .*PFN_vk[A-Za-z0-9]+ vk[A-Za-z0-9]+;|[ *]volk[A-Z][A-Za-z0-9]*\\(")
  set(names "")
  foreach(line IN LISTS lines)
    if(line MATCHES "(volk|vk)([A-Z][A-Za-z0-9]*)[;(]")
      list(APPEND names ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  list(LENGTH names count)
  if(count LESS 300)
    message(FATAL_ERROR
            "vkprims: only ${count} names found in ${volk_header}; is it volk's header?")
  endif()
  set(code "#pragma once\n")
  foreach(name IN LISTS names)
    string(APPEND code "#define ${name} vkprims_${name}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${code}" @ONLY)
endfunction()

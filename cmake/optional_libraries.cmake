# Libraries that may be absent: each row names a source, the library and its header. Without them the source's namesake
# in the folder absent/ of src/io or src/data/text takes its place. Found by file: what Debian's packages tell CMake also asks
# for programs that they do not bring.

set(DDX_OPTIONAL_SOURCES npz zip_archive snappy gif pattern)
set(DDX_LIBRARY_OF_npz zip)
set(DDX_HEADER_OF_npz zip.h)
set(DDX_LIBRARY_OF_zip_archive zip)
set(DDX_HEADER_OF_zip_archive zip.h)
set(DDX_LIBRARY_OF_snappy snappy)
set(DDX_HEADER_OF_snappy snappy-c.h)
set(DDX_LIBRARY_OF_gif gif)
set(DDX_HEADER_OF_gif gif_lib.h)
set(DDX_LIBRARY_OF_pattern pcre2-8)
set(DDX_HEADER_OF_pattern pcre2.h)

set(DDX_OPTIONAL_LIBRARIES)
foreach(source IN LISTS DDX_OPTIONAL_SOURCES)
  find_library(DDX_FOUND_${DDX_LIBRARY_OF_${source}} ${DDX_LIBRARY_OF_${source}})
  find_path(DDX_HEADER_${DDX_LIBRARY_OF_${source}} ${DDX_HEADER_OF_${source}})
  mark_as_advanced(DDX_FOUND_${DDX_LIBRARY_OF_${source}} DDX_HEADER_${DDX_LIBRARY_OF_${source}})
  if(DDX_FOUND_${DDX_LIBRARY_OF_${source}} AND DDX_HEADER_${DDX_LIBRARY_OF_${source}})
    list(APPEND DDX_OPTIONAL_LIBRARIES ${DDX_LIBRARY_OF_${source}})
  endif()
endforeach()
list(REMOVE_DUPLICATES DDX_OPTIONAL_LIBRARIES)

# Read at the first error of DebugNans, by a library that is loaded then.
find_path(DDX_LIBDW_HEADERS elfutils/libdwfl.h)
mark_as_advanced(DDX_LIBDW_HEADERS)

# Takes out of the list of this name what stands in for a library that is there, or needs one that is not.
function(ddx_choose_optional list_name)
  set(chosen ${${list_name}})
  foreach(source IN LISTS DDX_OPTIONAL_SOURCES)
    if(DDX_LIBRARY_OF_${source} IN_LIST DDX_OPTIONAL_LIBRARIES)
      list(FILTER chosen EXCLUDE REGEX "/absent/${source}.cpp$")
    else()
      list(FILTER chosen EXCLUDE REGEX "/(io|io/detail|text/detail/pipeline)/${source}.cpp$")
    endif()
  endforeach()
  set(${list_name} ${chosen} PARENT_SCOPE)
endfunction()

# Takes out of the list of this name what reads debug information, or what replaces it where there are no headers of
# elfutils. The library itself is loaded.
function(ddx_choose_call_stack list_name)
  set(chosen ${${list_name}})
  if(DDX_LIBDW_HEADERS)
    list(FILTER chosen EXCLUDE REGEX "/call_stack/absent/")
  else()
    list(FILTER chosen EXCLUDE REGEX "/call_stack/(user_line|debug_information|libdw|called_function).cpp$")
  endif()
  set(${list_name} ${chosen} PARENT_SCOPE)
endfunction()

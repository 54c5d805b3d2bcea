# Compiles several sources of a folder as one: what their headers cost is paid once.

# Compiles the sources of `target` in groups of at most `size` of one folder, where DDX_UNITY_BUILD is on.
# Call it after the target has its sources, and after ddx_enable_autodiff. Sources with options of their
# own stay alone, and so do those named after `size`.
function(ddx_compile_in_groups target size)
  if(NOT DDX_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(own_directory ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${own_directory})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    get_filename_component(name ${source} NAME)
    if(NOT source MATCHES "\\.cpp$" OR options OR name IN_LIST ARGN)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    if(NOT DEFINED count_of_${folder})
      set(count_of_${folder} 0)
    endif()
    math(EXPR group "${count_of_${folder}} / ${size}")
    math(EXPR count_of_${folder} "${count_of_${folder}} + 1")
    set(group ${folder}_${group})
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
    # What the source depends on, as the plugin that compiles it, the group depends on.
    get_source_file_property(depends ${source} OBJECT_DEPENDS)
    if(depends)
      set_property(SOURCE ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx
                   PROPERTY OBJECT_DEPENDS ${depends})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

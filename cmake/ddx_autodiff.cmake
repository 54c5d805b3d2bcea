# ddx_enable_autodiff(target): lets the ddx compiler differentiate in the C++ sources of a target.
#
# Call it after the target has its sources: they are rebuilt when the plugin changes.

function(ddx_enable_autodiff target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_CXX_COMPILER_VERSION MATCHES "^19\\.")
    message(FATAL_ERROR "ddx_enable_autodiff(${target}): the ddx plugin is for clang++ 19; the C++ compiler is "
                        "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. "
                        "Configure with -DCMAKE_CXX_COMPILER=clang++-19")
  endif()
  if(TARGET ddx_plugin)
    get_target_property(folder ddx_plugin LIBRARY_OUTPUT_DIRECTORY)
    set(plugin ${folder}/ddx_plugin.so)
    # Of a library CMake lets only links wait; of a target without output all compilations, those of
    # precompiled headers and of sources that are added later too.
    if(NOT TARGET ddx_plugin_is_built)
      add_custom_target(ddx_plugin_is_built DEPENDS ${plugin})
    endif()
    add_dependencies(${target} ddx_plugin_is_built)
  else()
    set(plugin ${DDX_PLUGIN})
  endif()
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fplugin=${plugin}>)
  target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:__DDX__=1>)

  get_target_property(sources ${target} SOURCES)
  get_target_property(directory ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${directory})
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} APPEND PROPERTY OBJECT_DEPENDS ${plugin})
  endforeach()
endfunction()

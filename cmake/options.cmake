# What the user of the build may choose, and what holds for every target.

option(DDX_BUILD_tests "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(DDX_BUILD_examples "Build the examples" ${PROJECT_IS_TOP_LEVEL})
option(DDX_BUILD_benchmarks "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(DDX_WARNINGS_AS_ERRORS "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
set(DDX_SANITIZE "" CACHE STRING "Sanitizers for everything but the plugin, e.g. address,undefined")

option(DDX_UNITY_BUILD "Compile several sources as one: faster as a whole, slower for one that changes" OFF)
option(DDX_THOROUGH "Also the long forms of tests, and flavours that find little more" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
endif()

option(DDX_USE_CCACHE "Compile through ccache where it is installed" OFF)
if(DDX_USE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(DDX_CCACHE ccache)
  if(DDX_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER ${DDX_CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${DDX_CCACHE})
  endif()
endif()

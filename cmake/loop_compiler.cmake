# What compiling loops at run time needs when the library is built: LLVM's C headers (the library itself is loaded
# when a program first uses it), and a clang of that version, which makes bitcode.

find_path(DDX_LLVM_HEADERS llvm-c/LLJIT.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 20)
  set(DDX_CLANG_FOR_BITCODE ${CMAKE_CXX_COMPILER})
else()
  find_program(DDX_CLANG_FOR_BITCODE clang++-19)
endif()
mark_as_advanced(DDX_LLVM_HEADERS DDX_CLANG_FOR_BITCODE)
set(DDX_COMPILES_LOOPS OFF)
if(DDX_LLVM_HEADERS AND DDX_CLANG_FOR_BITCODE)
  set(DDX_COMPILES_LOOPS ON)
endif()

# Compiles FOLDER/elements/*.cpp to bitcode, which FOLDER/element_bitcode.cpp puts into the library.
function(ddx_add_bitcode target folder)
  set(made ${CMAKE_CURRENT_BINARY_DIR}/bitcode)
  file(MAKE_DIRECTORY ${made})
  file(GLOB levels CONFIGURE_DEPENDS ${folder}/elements/*.cpp)
  set(outputs)
  foreach(source IN LISTS levels)
    get_filename_component(level ${source} NAME_WE)
    # Memory is seen as elements of several types: no assumption is made about them.
    add_custom_command(
      OUTPUT ${made}/${level}.bc
      COMMAND
        ${DDX_CLANG_FOR_BITCODE} -std=c++20 -O2 -fno-strict-aliasing
        -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src -MD -MF
        ${made}/${level}.d -MT ${made}/${level}.bc -emit-llvm -c ${source} -o ${made}/${level}.bc
      DEPENDS ${source}
      DEPFILE ${made}/${level}.d
      COMMENT "Compiling ${level} to bitcode"
      VERBATIM)
    list(APPEND outputs ${made}/${level}.bc)
  endforeach()
  set_source_files_properties(
    ${folder}/element_bitcode.cpp PROPERTIES OBJECT_DEPENDS "${outputs}" COMPILE_DEFINITIONS
                                             "DDX_BITCODE_FOLDER=\"${made}\"")
  set_source_files_properties(${folder}/llvm_library.cpp ${folder}/loaded_code.cpp
                              ${folder}/object_code.cpp ${folder}/loop_compiler.cpp
                              PROPERTIES INCLUDE_DIRECTORIES ${DDX_LLVM_HEADERS})
endfunction()

# ddx/ddx.h, precompiled once for all unoptimised programs of the tests: a third of what one of their sources costs.

# Compiles the sources of `target` from it. Call it for programs whose derivatives are compiled and whose options are
# those of DDX_PLAIN_TESTS alone: the compiler refuses a precompiled header that was made with others.
function(ddx_precompile_tensors target)
  # A program that nothing runs has it, so that no test waits for another to be built.
  if(NOT TARGET precompiled_tensors)
    set(source ${PROJECT_BINARY_DIR}/precompiled_tensors.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    add_executable(precompiled_tensors ${source})
    target_compile_options(precompiled_tensors PRIVATE ${DDX_PLAIN_TESTS})
    target_link_libraries(precompiled_tensors PRIVATE ddx::ddx)
    ddx_enable_autodiff(precompiled_tensors)
    set_target_properties(precompiled_tensors PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin/tests)
    target_precompile_headers(precompiled_tensors PRIVATE ${PROJECT_SOURCE_DIR}/include/ddx/ddx.h)
  endif()
  target_precompile_headers(${target} REUSE_FROM precompiled_tensors)
endfunction()

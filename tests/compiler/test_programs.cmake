# Programs that check derivatives by numbers: all sources of a folder become one program for each
# flavour, which is a set of compiler options.
#
#   O2       optimised
#   checked  under AddressSanitizer and UndefinedBehaviorSanitizer, with second derivatives
#   O0       neither optimised nor instrumented
#   thread_sanitized   under ThreadSanitizer
#
# Some sources are compiled together, each in a namespace of its own: what they instantiate of the
# standard library and of ddx is compiled once.

set(DDX_OPTIONS_O0 -O0)
set(DDX_OPTIONS_O2 -O2)
set(DDX_OPTIONS_checked -O0 -DDDX_CHECK_SECOND_ORDER -fsanitize=address,undefined -fno-sanitize-recover=all)
set(DDX_OPTIONS_thread_sanitized -O1 -g1 -fsanitize=thread)

# All that derivatives need of the library, and the checks: the tensors need not be built first.
function(ddx_add_exec_support flavour)
  if(TARGET exec_support_${flavour})
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ad/*.cpp
       ${PROJECT_SOURCE_DIR}/src/core/call_stack/*.cpp ${PROJECT_SOURCE_DIR}/src/core/detail/*.cpp)
  ddx_choose_call_stack(sources)
  add_library(exec_support_${flavour} STATIC ${sources} ${PROJECT_SOURCE_DIR}/src/core/error.cpp
                                             ${PROJECT_SOURCE_DIR}/src/core/host_vector.cpp
                                             ${PROJECT_SOURCE_DIR}/src/core/random_key.cpp
                                             ${PROJECT_SOURCE_DIR}/tests/support/program_checks.cpp)
  target_include_directories(exec_support_${flavour} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(exec_support_${flavour} PUBLIC ${PROJECT_SOURCE_DIR}/include
                                                            ${PROJECT_SOURCE_DIR}/tests/support)
  target_compile_features(exec_support_${flavour} PUBLIC cxx_std_20)
  target_compile_options(exec_support_${flavour} PRIVATE ${DDX_OPTIONS_${flavour}})
  target_link_libraries(exec_support_${flavour} PUBLIC GTest::gtest_main ${CMAKE_DL_LIBS})
  ddx_compile_in_groups(exec_support_${flavour} 8)
endfunction()

# The options of ddx_add_test_program that concern one target.
macro(ddx_set_up_test_program target flavour)
  ddx_add_exec_support(${flavour})
  # Numerical programs index with int; -Wconversion would refuse a[i].
  # What is promoted is under test: what is not must be an error, unless the options say otherwise.
  target_compile_options(${target} PRIVATE -Wno-sign-conversion -fplugin-arg-ddx-promote=all ${DDX_OPTIONS_${flavour}}
                                           ${program_OPTIONS})
  target_link_options(${target} PRIVATE ${DDX_OPTIONS_${flavour}})
  target_link_libraries(${target} PRIVATE exec_support_${flavour})
endmacro()

# Writes files that include `sources`, some at a time, and returns their names.
function(ddx_write_batches name result)
  cmake_parse_arguments(PARSE_ARGV 2 batch "" "" "SOURCES;ALONE;FIRST_ORDER")
  set(size 6)
  if(NOT DDX_UNITY_BUILD)
    set(size 1)
  endif()
  set(files)
  set(count 0)
  set(headers)
  set(text "")
  list(GET batch_SOURCES -1 last)
  foreach(source IN LISTS batch_SOURCES)
    get_filename_component(stem ${source} NAME_WE)
    string(REGEX REPLACE "_test$" "" stem ${stem})
    set(orders All)
    if(stem IN_LIST batch_FIRST_ORDER)
      set(orders First)
    endif()
    set(begin "namespace ${stem}_test {\n")
    set(end "}  // namespace ${stem}_test\n")
    if(stem IN_LIST batch_ALONE)
      set(begin "")
      set(end "")
    endif()
    set(part "
#undef DDX_SUITE
#undef DDX_ORDERS
#define DDX_SUITE ${stem}
#define DDX_ORDERS ::ddx::testing::Orders::${orders}
#pragma clang diagnostic push
${begin}#include \"${source}\"
${end}#pragma clang diagnostic pop
")
    file(STRINGS ${source} own REGEX "^#include [<\"](ddx/|[a-z_/-]+(\\.h)?>|[a-z_]+\\.h\")")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    if(stem IN_LIST batch_ALONE)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}_${stem}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${part}" @ONLY)
      list(APPEND files ${file})
    else()
      string(APPEND text "${part}")
      list(APPEND headers ${own})
      math(EXPR count "${count} + 1")
    endif()
    if(count EQUAL size OR (source STREQUAL last AND count GREATER 0))
      list(REMOVE_DUPLICATES headers)
      list(JOIN headers "\n" headers)
      list(LENGTH files number)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}_${number}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${headers}\n${text}" @ONLY)
      list(APPEND files ${file})
      set(count 0)
      set(headers)
      set(text "")
    endif()
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# Adds the program NAME_FLAVOUR of `SOURCES` for each of FLAVOURS, and for each source and flavour the
# test PREFIX.STEM.FLAVOUR.
#   FIRST_ORDER   stems whose second derivatives are refused
#   OWN_PROGRAM   stems that need a program of their own, whose source is in no namespace: they replace what all would
#                 share, specialise templates of namespace std or ddx, or name what lies in no namespace
#   OPTIONS       more compiler options
#   LABELS        of the tests; those under sanitizers have the label `sanitize` too
function(ddx_add_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 program "" "PREFIX" "SOURCES;FLAVOURS;FIRST_ORDER;OWN_PROGRAM;OPTIONS;LABELS")
  set(shared ${program_SOURCES})
  foreach(stem IN LISTS program_OWN_PROGRAM)
    list(FILTER shared EXCLUDE REGEX "/${stem}_test\\.cpp$")
  endforeach()
  ddx_write_batches(${name} batches SOURCES ${shared} FIRST_ORDER ${program_FIRST_ORDER})
  foreach(flavour IN LISTS program_FLAVOURS)
    set(labels ${program_LABELS})
    if(flavour MATCHES "^(checked|thread_sanitized)$")
      list(APPEND labels sanitize)
    endif()
    set(target ${name}_${flavour})
    add_executable(${target} ${batches})
    ddx_set_up_test_program(${target} ${flavour})
    ddx_enable_autodiff(${target})
    # The programs of a flavour share one precompiled header, except those with options of their own.
    get_property(owner GLOBAL PROPERTY ddx_header_of_${flavour})
    if(program_OPTIONS)
      target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/gradient_check.h)
    elseif(owner)
      target_precompile_headers(${target} REUSE_FROM ${owner})
    else()
      target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/gradient_check.h)
      set_property(GLOBAL PROPERTY ddx_header_of_${flavour} ${target})
    endif()
    set(all)
    foreach(source IN LISTS program_SOURCES)
      get_filename_component(stem ${source} NAME_WE)
      string(REGEX REPLACE "_test$" "" stem ${stem})
      set(test ${program_PREFIX}.${stem}.${flavour})
      if(stem IN_LIST program_OWN_PROGRAM)
        ddx_write_batches(${name}_${stem} own SOURCES ${source} ALONE ${stem} FIRST_ORDER ${program_FIRST_ORDER})
        add_executable(${name}_${stem}_${flavour} ${own})
        ddx_set_up_test_program(${name}_${stem}_${flavour} ${flavour})
        ddx_enable_autodiff(${name}_${stem}_${flavour})
        add_test(NAME ${test} COMMAND ${name}_${stem}_${flavour})
        set_tests_properties(${test} PROPERTIES LABELS "${labels}")
      else()
        ddx_suites_of(${source} filter ${stem})
        ddx_add_filtered_test(${test} ${target} "${filter}" "${labels}")
        list(APPEND all "${filter}")
      endif()
    endforeach()
    ddx_add_remainder_test(${program_PREFIX}.remainder_of_${target} ${target} "${all}" "${labels}")
  endforeach()
endfunction()

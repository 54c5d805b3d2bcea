# ctest entries of a program of GoogleTest: one for each of its sources, which runs the suites that the
# source defines.

# What GoogleTest filters by, for the suites of `source`.
function(ddx_suites_of source result)
  file(STRINGS ${source} lines REGEX "^ *(TYPED_)?TEST(_[FP])?\\([A-Za-z0-9_]+,")
  set(suites ${ARGN})
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^ *[A-Z_]+\\(([A-Za-z0-9_]+),.*" "\\1" suite "${line}")
    list(APPEND suites ${suite})
  endforeach()
  list(REMOVE_DUPLICATES suites)
  set(filters)
  foreach(suite IN LISTS suites)
    # As it stands, instantiated for parameters, and for types.
    list(APPEND filters "${suite}.*" "*/${suite}.*" "${suite}/*")
  endforeach()
  list(JOIN filters ":" filters)
  set(${result} "${filters}" PARENT_SCOPE)
endfunction()

# Adds the entry `name`, which runs the tests of `target` that `filter` names, by the command before it if
# one is given.
function(ddx_add_filtered_test name target filter labels)
  add_test(NAME ${name} COMMAND ${ARGN} $<TARGET_FILE:${target}> --gtest_brief=1 "--gtest_filter=${filter}")
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()

# Fails when `target` has a test that none of the filters names.
function(ddx_add_remainder_test name target filters labels)
  list(JOIN filters ":" all)
  add_test(NAME ${name} COMMAND ${target} "--gtest_filter=-${all}")
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" PASS_REGULAR_EXPRESSION "Running 0 tests from 0 test suites")
endfunction()

# Adds the entry PREFIX.STEM for each `*_test.cpp` among the sources of `target`; with SHARDS n, n entries
# PREFIX.STEM.K that share its tests. Where two sources have one stem, their folders tell them apart.
function(ddx_add_gtest_entries target prefix labels)
  cmake_parse_arguments(PARSE_ARGV 3 entries "" "SHARDS" "")
  get_target_property(sources ${target} SOURCES)
  get_target_property(directory ${target} SOURCE_DIR)
  list(FILTER sources INCLUDE REGEX "_test\\.cpp$")
  set(all)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${directory})
    get_filename_component(stem ${source} NAME_WE)
    string(REGEX REPLACE "_test$" "" stem ${stem})
    ddx_suites_of(${source} filter)
    if(filter STREQUAL "")
      message(FATAL_ERROR "${source}: defines no test")
    endif()
    list(APPEND all "${filter}")
    set(name ${prefix}.${stem})
    if(TEST ${name} OR TEST ${name}.1)
      get_filename_component(folder ${source} DIRECTORY)
      get_filename_component(folder ${folder} NAME)
      set(name ${prefix}.${folder}.${stem})
    endif()
    if(NOT entries_SHARDS)
      ddx_add_filtered_test(${name} ${target} "${filter}" "${labels}")
      continue()
    endif()
    foreach(shard RANGE 1 ${entries_SHARDS})
      math(EXPR index "${shard} - 1")
      ddx_add_filtered_test(${name}.${shard} ${target} "${filter}" "${labels}")
      set_tests_properties(${name}.${shard} PROPERTIES ENVIRONMENT
                           "GTEST_TOTAL_SHARDS=${entries_SHARDS};GTEST_SHARD_INDEX=${index}")
    endforeach()
  endforeach()
  string(REPLACE "." "_" remainder ${target})
  ddx_add_remainder_test(${prefix}.remainder_of_${remainder} ${target} "${all}" "${labels}")
endfunction()

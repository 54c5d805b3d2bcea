# What `cmake --install` puts where, and the package that find_package(ddx) reads.
#
#   bin/ddx++                    the compiler wrapper
#   bin/ddx-generate             continues a text with a published model
#   lib/libddx.a                 the run-time library
#   lib/ddx/ddx_plugin.so        the compiler plugin
#   lib/ddx/precompiled/         headers that ddx++ has precompiled; they hold absolute paths, so a staged
#                                installation (DESTDIR) has none until `ddx++ --ddx-precompile` runs in its place
#   include/ddx/                 the public headers
#   lib/cmake/ddx/               ddxConfig.cmake: ddx::ddx and ddx_enable_autodiff()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ddx)

install(TARGETS ddx EXPORT ddxTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT ddxTargets NAMESPACE ddx:: DESTINATION ${package_folder})
install(TARGETS ddx_plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/ddx)
install(PROGRAMS ${PROJECT_BINARY_DIR}/installed/ddx++ DESTINATION ${CMAKE_INSTALL_BINDIR})
if(DDX_BUILD_programs)
  install(TARGETS ddx-generate RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()
install(DIRECTORY include/ddx DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

list(JOIN DDX_PACKAGES " " DDX_PACKAGES_IN_WORDS)
configure_package_config_file(
  cmake/ddxConfig.cmake.in ${PROJECT_BINARY_DIR}/ddxConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/ddxConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ddxConfig.cmake ${PROJECT_BINARY_DIR}/ddxConfigVersion.cmake
              cmake/ddx_autodiff.cmake DESTINATION ${package_folder})

install(CODE "set(wrapper \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/ddx++)")
install(CODE [[
  if("$ENV{DESTDIR}" STREQUAL "")
    execute_process(COMMAND ${wrapper} --ddx-precompile RESULT_VARIABLE failed)
    if(failed)
      message(WARNING "${wrapper} could not precompile its headers: programs compile more slowly")
    endif()
  endif()]])

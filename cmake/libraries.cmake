# The libraries that ddx is built with, found once and listed once: src/CMakeLists.txt links them, compiler/CMakeLists.txt
# writes them into ddx++, cmake/installation.cmake into the installed package.
#
#   DDX_PACKAGES           packages of CMake, as find_package calls them
#   DDX_IMPORTED_LIBRARIES the targets of these packages
#   DDX_OPTIONAL_LIBRARIES the names of libraries that are found by file (optional_libraries.cmake)
#   DDX_WRAPPER_LIBRARIES  the options by which ddx++ links all of them

set(DDX_PACKAGES Threads ZLIB PNG)
set(DDX_IMPORTED_LIBRARIES ZLIB::ZLIB PNG::PNG Threads::Threads)
set(DDX_WRAPPER_LIBRARIES -lpng)
foreach(package IN LISTS DDX_PACKAGES)
  find_package(${package} REQUIRED)
endforeach()

# Optional; several folders ask JPEG_FOUND.
find_package(JPEG)
if(JPEG_FOUND)
  list(APPEND DDX_PACKAGES JPEG)
  list(APPEND DDX_IMPORTED_LIBRARIES JPEG::JPEG)
  list(APPEND DDX_WRAPPER_LIBRARIES -ljpeg)
endif()

include(optional_libraries)
foreach(library IN LISTS DDX_OPTIONAL_LIBRARIES)
  list(APPEND DDX_WRAPPER_LIBRARIES -l${library})
endforeach()
# Behind those that use them.
list(APPEND DDX_WRAPPER_LIBRARIES -lz -ldl)

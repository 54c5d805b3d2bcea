# The warnings every source of this project compiles without.

if(PROJECT_IS_TOP_LEVEL)
  # Whether a loop was vectorised depends on the options of the build: no defect of the source.
  add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-pass-failed)
  if(DDX_WARNINGS_AS_ERRORS)
    add_compile_options(-Werror)
  endif()
endif()

# The warnings every source of this project compiles without.

if(PROJECT_IS_TOP_LEVEL)
  add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow)
  if(DDX_WARNINGS_AS_ERRORS)
    add_compile_options(-Werror)
  endif()
endif()

# Turns DDX_SANITIZE into flags for the folders added after this file is included.

if(DDX_SANITIZE)
  add_compile_options(-fsanitize=${DDX_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${DDX_SANITIZE})
endif()

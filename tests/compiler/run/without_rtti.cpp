// RUN-FLAGS: -fno-rtti
// Virtual calls need no type information where they go through memory.

#include "program_of_both_paths.h"

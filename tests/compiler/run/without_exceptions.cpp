// RUN-FLAGS: -fno-exceptions
// Derivatives throw by functions of the library alone.

#include "program_of_both_paths.h"

// RUN-FLAGS: -D_GLIBCXX_DEBUG
// The iterators of libstdc++'s debug mode keep lists of themselves; what programs share with the
// library has one layout.

#include "program_of_both_paths.h"

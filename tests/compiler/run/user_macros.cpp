// Macros with the names of parameters and variables in the headers that derivatives include, and
// of names in their text, change nothing; their own uses are expanded.

#include <cmath>
#include <cstdio>
#include <ddx/ad.h>
#include <list>
#include <memory>
#include <vector>

#define T(x) no_type
#define Real no_type
#define Value no_type
#define sweep 3
#define tangents 4
#define cotangent 5
#define address 6
#define seed 7
#define result 8
#define index 9

#include "program_of_both_paths.h"

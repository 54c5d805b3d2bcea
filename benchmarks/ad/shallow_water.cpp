#include "programs/shallow_water.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem shallow_water_problem(int n, int steps) {
  return problem_of(shallow_water_case(n, steps));
}

}  // namespace ddx::bench

#include "programs/heat.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem heat_problem(int n, int steps) {
  return problem_of(heat_case(n, steps));
}

}  // namespace ddx::bench

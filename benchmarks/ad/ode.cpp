#include "programs/ode.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem ode_problem(int variables, int steps) {
  return problem_of(ode_case(variables, steps));
}

}  // namespace ddx::bench

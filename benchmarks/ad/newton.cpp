#include "programs/newton.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem newton_problem(int polynomials, int terms) {
  return problem_of(newton_case(polynomials, terms));
}

}  // namespace ddx::bench

#include "programs/black_scholes.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem black_scholes_problem(int options) {
  return problem_of(black_scholes_case(options));
}

}  // namespace ddx::bench

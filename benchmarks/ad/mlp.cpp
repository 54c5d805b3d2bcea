#include "programs/mlp.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem mlp_problem(int batch, int inputs, int hidden, int classes) {
  Problem problem = problem_of(mlp_case(batch, inputs, hidden, classes));
  problem.value_tolerance = 1e-5;
  problem.gradient_tolerance = 1e-4;
  return problem;
}

}  // namespace ddx::bench

#include "programs/determinant.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem determinant_problem(int size) {
  return problem_of(determinant_case(size));
}

}  // namespace ddx::bench

#include "programs/vectors.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem vectors_problem(int count) {
  return problem_of(vectors_case(count));
}

}  // namespace ddx::bench

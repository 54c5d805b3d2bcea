#include "programs/shapes.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem shapes_problem(int rows, int columns) {
  return problem_of(shapes_case(rows, columns));
}

}  // namespace ddx::bench

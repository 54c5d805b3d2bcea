#include "programs/saddle.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem saddle_problem() {
  return problem_of(saddle_case());
}

}  // namespace ddx::bench

#include "programs/particle.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem particle_problem(double step) {
  return problem_of(particle_case(step));
}

}  // namespace ddx::bench

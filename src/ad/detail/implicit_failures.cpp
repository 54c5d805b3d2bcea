#include "ddx/ad/detail/implicit_failures.h"

#include "ddx/core/error.h"

#include <sstream>
#include <string>

namespace ddx::detail {

void throw_unknown_count(const char* operation, std::size_t unknowns, std::size_t results) {
  throw UsageError(operation, "the function returns " + std::to_string(results) + " numbers for " +
                                  std::to_string(unknowns) + " unknowns");
}

void throw_residual(std::size_t index, double residual, double tolerance) {
  std::ostringstream facts;
  facts << "no solution: residual " << index << " is " << residual << ", tolerance " << tolerance;
  throw UsageError("implicit", facts.str());
}

void throw_singular(std::size_t index, std::size_t count, double pivot, double least) {
  std::ostringstream facts;
  facts << "the Jacobian of the residual is singular at the solution: pivot " << index << " of "
        << count << " is " << pivot << ", at most " << least;
  throw UsageError("implicit", facts.str());
}

void throw_no_convergence(const char* what, double change, double tolerance,
                          std::size_t iterations) {
  std::ostringstream facts;
  facts << what << " has not converged: a change of " << change << ", tolerance " << tolerance
        << ", after " << iterations << " iterations";
  throw UsageError("fixed_point", facts.str());
}

}  // namespace ddx::detail

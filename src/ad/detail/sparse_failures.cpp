#include "ddx/ad/detail/sparse_failures.h"

#include "ddx/core/error.h"

#include <sstream>
#include <string>

namespace ddx::detail {

void throw_other_pattern_size(const char* operation, const char* what, std::size_t pattern,
                              std::size_t function) {
  throw UsageError(operation, "a pattern of " + std::to_string(pattern) + " " + what + " for " +
                                  std::to_string(function) + " numbers of the function's " +
                                  (what[0] == 'r' ? "result" : "argument"));
}

void throw_other_compression(const char* operation, const char* colouring) {
  throw UsageError(operation, colouring);
}

void throw_wrong_element(const char* operation, std::size_t row, std::size_t column, bool held,
                         double value, double expected) {
  std::ostringstream facts;
  facts.precision(17);
  facts << "row " << row << ", column " << column << ": the function has " << expected
        << " at this point, the matrix " << value
        << (held ? "; the matrix was computed at another point, or its pattern lacks an element"
                 : "; the pattern lacks this element: it holds for the path it was found on");
  throw UsageError(operation, facts.str());
}

}  // namespace ddx::detail

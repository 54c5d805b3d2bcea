#include "data/text/detail/pipeline/growth.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <string>

namespace ddx::data::detail {

void check_growth(std::size_t bytes_before, std::size_t bytes_after) {
  constexpr std::size_t most_for_each = 64;
  constexpr std::size_t always_allowed = std::size_t{1} << 20;
  if (bytes_after > always_allowed && bytes_after / most_for_each > bytes_before) {
    throw EnvironmentError("Tokenizer", "its steps make more than " + std::to_string(bytes_after) +
                                            " bytes of a text of " + std::to_string(bytes_before) +
                                            ", at most " + std::to_string(most_for_each) +
                                            " for each are allowed");
  }
}

}  // namespace ddx::data::detail

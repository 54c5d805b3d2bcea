#include "ddx/models/pretrained/detail/parameter_check.h"

#include "ddx/core/error.h"
#include "ddx/io/weight_files.h"

#include <filesystem>
#include <sstream>

namespace ddx::models::detail {

void require_weights_for(double parameters, const std::filesystem::path& source,
                         const io::WeightFiles& files) {
  double present = 0;
  for (const auto& [name, array] : files.arrays()) {
    present += static_cast<double>(array.shape.count());
  }
  // Written so that a NaN is refused too.
  if (!(parameters <= 2 * present + 1e6)) {
    std::ostringstream facts;
    facts.precision(15);
    facts << source.string() << ": is that of a model of " << parameters
          << " parameters, the weights beside it have " << present;
    throw EnvironmentError("load_pretrained", facts.str());
  }
}

}  // namespace ddx::models::detail

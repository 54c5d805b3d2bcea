#include "ddx/train/record.h"

#include "ddx/core/error.h"

#include <string>

namespace ddx::train {

double Record::value(const std::string& name) const {
  std::string known;
  for (const auto& [its_name, its_value] : values) {
    if (its_name == name) {
      return its_value;
    }
    known += (known.empty() ? "" : ", ") + its_name;
  }
  throw UsageError("Record", "no value is named \"" + name + "\"; there are: " + known);
}

}  // namespace ddx::train

#include "operation.h"

#include "ddx/core/shape.h"

#include "operand.h"

#include <string>
#include <vector>

namespace ddx::bench {
namespace {

std::string text(const Shape& shape) {
  std::string result;
  for (const auto extent : shape.extents()) {
    result += (result.empty() ? "" : "x") + std::to_string(extent);
  }
  return result.empty() ? "scalar" : result;
}

}  // namespace

std::string Operation::shapes() const {
  std::string result;
  for (const Operand& operand : operands) {
    result += (result.empty() ? "" : " ") + text(operand.shape);
  }
  return result;
}

std::vector<Operation> operations() {
  std::vector<Operation> all;
  add_elementwise(all);
  add_reductions(all);
  add_movement(all);
  add_layers(all);
  return all;
}

}  // namespace ddx::bench

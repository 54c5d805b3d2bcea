// Rules of elementwise operations.

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "stablehlo/detail/op_check.h"

#include <cstddef>
#include <string>

namespace ddx::stablehlo::detail {
namespace {

void require_equal_operands(const OpCheck& check, std::size_t first = 1) {
  for (std::size_t i = first; i < check.operands(); ++i) {
    check.require_operand(i, check.operand(first - 1));
  }
}

void check_elementwise(const OpCheck& check) {
  require_equal_operands(check);
  check.require_result(check.operand(0));
}

void check_predicate(const OpCheck& check) {
  require_equal_operands(check);
  check.require_result({check.shape(0), DType::boolean});
  if (check.operation().code != Code::compare_) {
    return;
  }
  check.require_enumerator("comparison_direction", "comparison_direction",
                           {"EQ", "NE", "GE", "GT", "LE", "LT"});
  const std::string& direction = check.get<Enumerator>("comparison_direction").value;
  check.require(!is_complex(check.operand(0).dtype) || direction == "EQ" || direction == "NE",
                "a direction that complex numbers have", direction);
}

void check_select(const OpCheck& check) {
  require_equal_operands(check, 2);
  check.require(check.operand(0) == ir::Type{check.shape(1), DType::boolean} ||
                    check.operand(0) == ir::Type{{}, DType::boolean},
                "a bool for all elements or for each", to_string(check.operand(0)));
  check.require_result(check.operand(1));
}

void check_bitcast(const OpCheck& check) {
  check.require_result({check.shape(0), check.result().dtype});
  check.require(info(check.operand(0).dtype).bytes == info(check.result().dtype).bytes,
                "an element type of the same size", to_string(check.result()));
}

void check_complex(const OpCheck& check) {
  const DType part = check.operand(0).dtype;
  check.require(part == DType::f32 || part == DType::f64, "parts of f32 or f64",
                to_string(check.operand(0)));
  require_equal_operands(check);
  check.require_result({check.shape(0), complex_dtype(part)});
}

}  // namespace

void check_elementwise_rule(const OpCheck& check) {
  check.require_results(1);
  switch (info(check.operation().code).rule) {
    case Rule::Predicate:
      check_predicate(check);
      return;
    case Rule::Select:
      check_select(check);
      return;
    case Rule::Convert:
      check.require_result({check.shape(0), check.result().dtype});
      return;
    case Rule::BitcastConvert:
      check_bitcast(check);
      return;
    case Rule::Complex:
      check_complex(check);
      return;
    case Rule::Part:
      check.require_result({check.shape(0), part_dtype(check.operand(0).dtype)});
      return;
    default:
      check_elementwise(check);
  }
}

}  // namespace ddx::stablehlo::detail

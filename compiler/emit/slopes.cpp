#include "compiler/emit/slopes.h"

#include "compiler/analysis/activity.h"
#include "compiler/emit/selections.h"
#include "compiler/emit/speller.h"

namespace ddx::compiler {

using namespace ir;

/// The partial of a rule by one operand, with the operands' values in it.
std::string Slopes::partial(const Value& result, unsigned operand, Sweep sweep) {
  if (result.slope_slot) {
    return speller_.slot(result.slope_slot, result.level);
  }
  if (result.partner && sweep == Sweep::Reverse) {
    return (is_sine(*result.rule) ? "" : "-") + speller_.value(*result.partner, sweep);
  }
  const std::string& form = result.rule->partials[operand];
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '$') {
      text += form[i];
      continue;
    }
    const char which = form[++i];
    if (which == 'r') {
      text += speller_.value(result, sweep);
    } else if (which == 'T') {
      text += speller_.type(result.type);
    } else {
      text += speller_.value(*result.operands[static_cast<std::size_t>(which - '0')], sweep);
    }
  }
  return text;
}

/// The partial by one operand times `with`, a cotangent of the result or a tangent of the operand.
std::string Slopes::product(const Value& result, unsigned operand, const std::string& with,
                            Sweep sweep) {
  if (result.rule->name == "operator div") {
    return quotient_product(result, operand, with, sweep);
  }
  if (sweep == Sweep::Reverse && is_identity(*result.rule)) {
    return "ddx::detail::singular_cotangent(" + with + ", " +
           speller_.value(*result.operands[0], sweep) + ")";
  }
  const std::string slope = partial(result, operand, sweep);
  if (slope == "1" || slope == "-1") {
    return (slope == "1" ? "" : "-") + with;
  }
  const Masking masking = sweep == Sweep::Forward ? masking_of_tangent(*result.rule, operand)
                                                  : masking_of_cotangent(*result.rule);
  const bool is_root = sweep == Sweep::Forward && is_singular_at_zero(*result.rule);
  switch (masking) {
    case Masking::None:
      break;
    case Masking::ByFactor:
      return (is_root ? "ddx::detail::tangent_of_root(" : "ddx::detail::scaled(") + with + ", " +
             slope + ")";
    case Masking::BySlope:
      return "ddx::detail::scaled(" + speller_.type(result.type) + "(" + slope + "), " + with + ")";
  }
  return (selections_.is_selected() ? "arm.factor<" + speller_.type(result.type) + ">(" : "(") +
         slope + ") * " + with;
}

}  // namespace ddx::compiler

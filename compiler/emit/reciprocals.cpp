#include "compiler/emit/emitter.h"

namespace ddx::compiler {

using namespace ir;

/// One over `divisor`: a variable, which all divisions by the same value in its scope share, since
/// a division costs as much as ten products. Not where that would change the type.
std::string Emitter::reciprocal(const Value& divisor, clang::QualType of_type, Sweep sweep) {
  const std::string number = type(of_type);
  // As in most sources: one value with a quotient in them, when the text is differentiated itself.
  const std::string one = number == "double" ? "1.0" : "static_cast<" + number + ">(1)";
  const std::string inverse = one + " / " + value(divisor, sweep);
  const bool is_literal =
      divisor.kind == Value::Kind::Text && divisor.text.find('\1') == std::string::npos;
  if (is_literal || type(divisor.type) != number) {
    return "(" + inverse + ")";
  }
  auto known = llvm::find_if(reciprocals_, [&](const Reciprocal& r) { return r.of == &divisor; });
  if (known == reciprocals_.end()) {
    const std::string name = "over_t" + std::to_string(divisor.id);
    line(number + " " + name + " = " + inverse + ";");
    known = reciprocals_.insert(reciprocals_.end(), {&divisor, name, indent_});
  }
  return known->name;
}

/// The partial of a division by one operand times `with`. 1 / b is infinite for b below 2^-1024
/// too, where a quotient of 0 has no slope by b: so nothing is multiplied by infinity that is 0.
std::string Emitter::quotient_product(const Value& division, unsigned operand,
                                      const std::string& with, Sweep sweep) {
  std::string slope = reciprocal(*division.operands[1], division.type, sweep);
  if (operand == 1) {
    const bool kept = sweep == Sweep::Forward || division.found != Value::Found::Unneeded;
    slope = kept ? "ddx::detail::scaled(" + value(division, sweep) + ", -" + slope + ")"
                 : "ddx::detail::slope_by_divisor(" + value(*division.operands[0], sweep) + ", " +
                       slope + ")";
  }
  return "ddx::detail::scaled(" + with + ", " + slope + ")";
}

}  // namespace ddx::compiler

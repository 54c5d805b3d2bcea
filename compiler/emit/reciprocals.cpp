#include "compiler/emit/all_parts.h"
#include "compiler/emit/slopes.h"

namespace ddx::compiler {

using namespace ir;

/// One over `divisor`: a variable, which all divisions by the same value in its scope share, since
/// a division costs as much as ten products. Not where that would change the type.
std::string Slopes::reciprocal(const Value& divisor, clang::QualType of_type, Sweep sweep) {
  const std::string number = speller_.type(of_type);
  // As in most sources: one value with a quotient in them, when the text is differentiated itself.
  const std::string one = number == "double" ? "1.0" : "static_cast<" + number + ">(1)";
  const std::string inverse = one + " / " + speller_.value(divisor, sweep);
  const bool is_literal =
      divisor.kind == Value::Kind::Text && divisor.text.find('\1') == std::string::npos;
  if (is_literal || speller_.type(divisor.type) != number) {
    return "(" + inverse + ")";
  }
  llvm::erase_if(reciprocals_, [&](const Reciprocal& r) { return !writer_.is_open(r.scope); });
  auto known = llvm::find_if(reciprocals_, [&](const Reciprocal& r) { return r.of == &divisor; });
  if (known == reciprocals_.end()) {
    const std::string name = "over_t" + std::to_string(divisor.id);
    line(number + " " + name + " = " + inverse + ";");
    known = reciprocals_.insert(reciprocals_.end(), {&divisor, name, writer_.scope()});
  }
  return known->name;
}

/// The partial of a division by one operand times `with`. 1 / b is infinite for b below 2^-1024
/// too, where a quotient of 0 has no slope by b: so nothing is multiplied by infinity that is 0.
std::string Slopes::quotient_product(const Value& division, unsigned operand,
                                     const std::string& with, Sweep sweep) {
  std::string slope = reciprocal(*division.operands[1], division.type, sweep);
  if (operand == 1) {
    const bool kept = sweep == Sweep::Forward || division.found != Value::Found::Unneeded;
    slope = kept ? "ddx::detail::scaled(" + speller_.value(division, sweep) + ", -" + slope + ")"
                 : "ddx::detail::slope_by_divisor(" + speller_.value(*division.operands[0], sweep) +
                       ", " + slope + ")";
  }
  return "ddx::detail::scaled(" + with + ", " + slope + ")";
}

}  // namespace ddx::compiler

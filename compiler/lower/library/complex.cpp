#include "compiler/lower/library/complex.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/calls/replacements.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/rejections.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

bool is_complex(QualType type) {
  return Types::container(type) == Container::StdComplex;
}

bool is_conjugate(const FunctionDecl* callee) {
  return callee->getIdentifier() && callee->getName() == "conj";
}

}  // namespace

/// The real (0) or the imaginary (1) part of a complex number.
Path ComplexNumbers::number_part(Path number, unsigned part) {
  Step step;
  step.part = static_cast<int>(part);
  step.of_number = true;
  const bool constant = number.type.isConstQualified();
  const QualType real = context_.types.element(number.type).getUnqualifiedType();
  number.steps.push_back(step);
  number.type = constant ? real.withConst() : real;
  return number;
}

std::optional<Path> ComplexNumbers::written_part(const ArraySubscriptExpr* subscript) {
  const auto* call_expression = dyn_cast<CallExpr>(subscript->getBase()->IgnoreParenImpCasts());
  const FunctionDecl* callee = call_expression ? call_expression->getDirectCallee() : nullptr;
  Expr::EvalResult index;
  if (!callee || !callee->getIdentifier() || callee->getName() != "parts" ||
      callee->getQualifiedNameAsString() != "ddx::detail::parts" ||
      !subscript->getIdx()->EvaluateAsInt(index, context_.ast)) {
    return std::nullopt;
  }
  const auto number = places_.lvalue(call_expression->getArg(0));
  return number
             ? std::optional(number_part(*number, index.Val.getInt().getZExtValue() == 0 ? 0 : 1))
             : std::nullopt;
}

ComplexValue ComplexNumbers::load_parts(const Path& number, SourceLocation where) {
  return {builder_.load(number_part(number, 0), where),
          builder_.load(number_part(number, 1), where)};
}

void ComplexNumbers::store_parts(Path number, const ComplexValue& parts, SourceLocation where) {
  number.type = number.type.getUnqualifiedType();
  builder_.store(number_part(number, 0), parts.real, where);
  builder_.store(number_part(number, 1), parts.imaginary, where);
}

/// An object of its own for a complex value.
Path ComplexNumbers::complex_object(QualType type, const ComplexValue& parts,
                                    SourceLocation where) {
  Path path;
  path.type = type.getNonReferenceType().getUnqualifiedType();
  path.root = builder_.new_root(Root::Kind::Local, "number", path.type, where);
  ir::Statement* declaration = builder_.declare_local(path.root, where);
  declaration->text = "{}";
  store_parts(path, parts, where);
  return path;
}

ComplexValue ComplexNumbers::product(const ComplexValue& a, const ComplexValue& b, QualType real,
                                     SourceLocation where) {
  const auto times = [&](Value* x, Value* y) {
    return builder_.operation("mul", real, {x, y}, where);
  };
  return {builder_.operation("sub", real, {times(a.real, b.real), times(a.imaginary, b.imaginary)},
                             where),
          builder_.operation("add", real, {times(a.real, b.imaginary), times(a.imaginary, b.real)},
                             where)};
}

/// A complex or real operand as its parts; a real one has no imaginary part.
std::optional<ComplexValue> ComplexNumbers::operand_parts(const Expr* expression, QualType real) {
  const SourceLocation where = expression->getExprLoc();
  if (is_complex(expression->getType())) {
    auto parts = complex_parts(expression);
    if (parts) {
      parts->real = expressions_.convert(parts->real, real, where);
      parts->imaginary = expressions_.convert(parts->imaginary, real, where);
    }
    return parts;
  }
  const Expr* inner = expression->IgnoreParens();
  if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner)) {
    inner = temporary->getSubExpr();
  }
  Value* value = nullptr;
  if (inner->isGLValue()) {
    const auto path = places_.lvalue(inner);
    value = path ? builder_.load(*path, where) : nullptr;
  } else {
    value = expressions_.rvalue(inner);
  }
  return value ? std::optional(ComplexValue{expressions_.convert(value, real, where), nullptr})
               : std::nullopt;
}

/// `a + b`, `a - b`, `a * b`, and `a / b` by a real number.
std::optional<ComplexValue> ComplexNumbers::combined(OverloadedOperatorKind opcode,
                                                     const ComplexValue& a, const ComplexValue& b,
                                                     QualType real, SourceLocation where) {
  const auto apply = [&](llvm::StringRef rule, Value* x, Value* y) {
    return builder_.operation(rule, real, {x, y}, where);
  };
  const auto negative = [&](Value* x) { return builder_.operation("neg", real, {x}, where); };
  switch (opcode) {
    case OO_Plus:
    case OO_PlusEqual:
      return ComplexValue{apply("add", a.real, b.real),
                          !a.imaginary   ? b.imaginary
                          : !b.imaginary ? a.imaginary
                                         : apply("add", a.imaginary, b.imaginary)};
    case OO_Minus:
    case OO_MinusEqual:
      return ComplexValue{apply("sub", a.real, b.real),
                          !a.imaginary   ? negative(b.imaginary)
                          : !b.imaginary ? a.imaginary
                                         : apply("sub", a.imaginary, b.imaginary)};
    case OO_Star:
    case OO_StarEqual:
      if (!b.imaginary) {
        return ComplexValue{apply("mul", a.real, b.real), apply("mul", a.imaginary, b.real)};
      }
      if (!a.imaginary) {
        return ComplexValue{apply("mul", a.real, b.real), apply("mul", a.real, b.imaginary)};
      }
      return product(a, b, real, where);
    case OO_Slash:
    case OO_SlashEqual:
      if (!b.imaginary) {
        return ComplexValue{apply("div", a.real, b.real), apply("div", a.imaginary, b.real)};
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<ComplexValue> ComplexNumbers::complex_parts(const Expr* expression) {
  expression = expression->IgnoreParens();
  const SourceLocation where = expression->getExprLoc();
  const QualType type = expression->getType();
  if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
    return complex_parts(temporary->getSubExpr());
  }
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    return complex_parts(cleanups->getSubExpr());
  }
  if (const auto* constant = dyn_cast<ConstantExpr>(expression)) {
    return complex_parts(constant->getSubExpr());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(expression)) {
    return complex_parts(with_default->getExpr());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(expression)) {
    return complex_parts(with_default->getExpr());
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression);
      cast && !cast->isGLValue() && is_complex(cast->getSubExpr()->getType())) {
    return complex_parts(cast->getSubExpr());
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression);
      cast && !cast->isGLValue() && cast->getCastKind() == CK_ConstructorConversion) {
    return complex_parts(cast->getSubExpr());
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(expression)) {
    const QualType real = context_.types.element(type).getUnqualifiedType();
    ComplexValue parts;
    for (unsigned i = 0; i < construction->getNumArgs() && i < 2; ++i) {
      const Expr* argument = construction->getArg(i);
      if (argument->getType()->isAnyComplexType()) {
        return std::nullopt;
      }
      const auto given = operand_parts(isa<CXXDefaultArgExpr>(argument)
                                           ? cast<CXXDefaultArgExpr>(argument)->getExpr()
                                           : argument,
                                       real);
      if (!given) {
        return std::nullopt;
      }
      if (given->imaginary) {
        return given;
      }
      (i == 0 ? parts.real : parts.imaginary) = given->real;
    }
    parts.real = parts.real ? parts.real : builder_.literal("0", real, where);
    parts.imaginary = parts.imaginary ? parts.imaginary : builder_.literal("0", real, where);
    return parts;
  }
  if (const auto* written = dyn_cast<UserDefinedLiteral>(expression)) {  // 2.0i
    const QualType real = context_.types.element(type).getUnqualifiedType();
    Value* imaginary =
        expressions_.convert(expressions_.rvalue(written->getCookedLiteral()), real, where);
    return ComplexValue{builder_.literal("0", real, where), imaginary};
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    Path chosen;
    chosen.type = type.getUnqualifiedType();
    chosen.root = builder_.new_root(Root::Kind::Local, "number", chosen.type, where);
    ir::Statement* declaration = builder_.declare_local(chosen.root, where);
    declaration->text = "{}";
    bool known = true;
    expressions_.for_each_arm(conditional, where, [&](const Expr* arm) {
      const auto parts = complex_parts(arm);
      known = known && parts;
      if (parts) {
        store_parts(chosen, *parts, where);
      }
    });
    return known ? std::optional(load_parts(chosen, where)) : std::nullopt;
  }
  const auto* call_expression = dyn_cast<CallExpr>(expression);
  const FunctionDecl* callee = call_expression ? call_expression->getDirectCallee() : nullptr;
  if (callee && !expression->isGLValue() && callee->isInStdNamespace()) {
    const QualType real = context_.types.element(type).getUnqualifiedType();
    const auto opcode = callee->getOverloadedOperator();
    if (opcode != OO_None && call_expression->getNumArgs() == 1) {
      auto parts = operand_parts(call_expression->getArg(0), real);
      if (parts && opcode == OO_Minus) {
        parts->real = builder_.operation("neg", real, {parts->real}, where);
        parts->imaginary = builder_.operation("neg", real, {parts->imaginary}, where);
      }
      return parts;
    }
    if (opcode != OO_None && call_expression->getNumArgs() == 2 &&
        (opcode != OO_Slash || !is_complex(call_expression->getArg(1)->getType()))) {
      const auto left = operand_parts(call_expression->getArg(0), real);
      const auto right = left ? operand_parts(call_expression->getArg(1), real) : std::nullopt;
      return right ? combined(opcode, *left, *right, real, where) : std::nullopt;
    }
    if (is_conjugate(callee) && is_complex(call_expression->getArg(0)->getType())) {
      auto parts = complex_parts(call_expression->getArg(0));
      if (parts) {
        parts->imaginary = builder_.operation("neg", real, {parts->imaginary}, where);
      }
      return parts;
    }
  }
  if (call_expression) {
    const auto path = places_.lvalue(expression);
    return path ? std::optional(load_parts(*path, where)) : std::nullopt;
  }
  if (expression->isGLValue()) {
    const auto path = places_.lvalue(expression);
    return path ? std::optional(load_parts(*path, where)) : std::nullopt;
  }
  return std::nullopt;
}

bool ComplexNumbers::complex_call(const FunctionDecl* callee, const Expr* source,
                                  const Expr* object, llvm::ArrayRef<const Expr*> arguments,
                                  Value** value, std::optional<Path>* reference) {
  const SourceLocation where = source->getExprLoc();
  const auto failed = [&] {
    *value = rejections_.unsupported(source);
    return true;
  };
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (method) {
    if (!object || !is_complex(context_.ast.getRecordType(method->getParent()))) {
      return false;
    }
    const QualType number = context_.ast.getRecordType(method->getParent());
    const QualType real = context_.types.element(number).getUnqualifiedType();
    const bool names_part =
        method->getIdentifier() && (method->getName() == "real" || method->getName() == "imag");
    if (names_part && arguments.empty()) {
      const bool is_real = method->getName() == "real";
      const bool temporary =
          !object->isGLValue() || isa<MaterializeTemporaryExpr>(object->IgnoreParens());
      if (object->getType()->isPointerType() || !temporary) {
        const auto path = places_.object_path(object);
        *value = path ? builder_.load(number_part(*path, is_real ? 0 : 1), where)
                      : rejections_.unsupported(source);
        return true;
      }
      const auto parts = complex_parts(object);
      *value = !parts ? rejections_.unsupported(source) : is_real ? parts->real : parts->imaginary;
      return true;
    }
    if (names_part) {
      const auto given = operand_parts(arguments[0], real);
      const auto path = given ? places_.object_path(object) : std::nullopt;
      if (!path) {
        return failed();
      }
      builder_.store(number_part(*path, method->getName() == "real" ? 0 : 1), given->real, where);
      return true;
    }
    const auto opcode = method->getOverloadedOperator();
    if (opcode == OO_None || arguments.size() != 1) {
      return false;
    }
    if (opcode == OO_SlashEqual && is_complex(arguments[0]->getType())) {
      const FunctionDecl* divides =
          replacements_.plain_function("quotient_in_place", {object, arguments[0]});
      if (!divides) {
        return failed();
      }
      calls_.lower_call(divides, source, nullptr, {object, arguments[0]}, reference);
      *reference = named_variable(object) ? places_.lvalue(object) : std::nullopt;
      return true;
    }
    auto given = operand_parts(arguments[0], real);
    const auto path = given ? places_.object_path(object) : std::nullopt;
    if (!path) {
      return failed();
    }
    *reference = path;
    if (opcode == OO_Equal) {
      given->imaginary = given->imaginary ? given->imaginary : builder_.literal("0", real, where);
      store_parts(*path, *given, where);
      return true;
    }
    const bool sums = opcode == OO_PlusEqual || opcode == OO_MinusEqual;
    if (sums) {
      const auto mode = opcode == OO_PlusEqual ? ir::Statement::StoreMode::Add
                                               : ir::Statement::StoreMode::Subtract;
      builder_.store(number_part(*path, 0), given->real, where, mode);
      if (given->imaginary) {
        builder_.store(number_part(*path, 1), given->imaginary, where, mode);
      }
      return true;
    }
    const ComplexValue before = load_parts(*path, where);
    const auto after = combined(opcode, before, *given, real, where);
    if (!after) {
      return failed();
    }
    store_parts(*path, *after, where);
    return true;
  }
  if (!callee->isInStdNamespace() || arguments.empty()) {
    return false;
  }
  const bool gives_complex = is_complex(source->getType()) && !source->isGLValue();
  if (gives_complex && (callee->isOverloadedOperator() || is_conjugate(callee))) {
    if (callee->getOverloadedOperator() == OO_Slash && is_complex(arguments[1]->getType())) {
      return false;  // By a function of its own.
    }
    const auto parts = complex_parts(source);
    if (!parts) {
      return failed();
    }
    *reference = complex_object(source->getType(), *parts, where);
    return true;
  }
  if (arguments.size() != 1 || !is_complex(arguments[0]->getType()) || gives_complex) {
    return false;
  }
  const llvm::StringRef name = callee->getIdentifier() ? callee->getName() : "";
  if (name != "real" && name != "imag" && name != "norm") {
    return false;
  }
  const auto parts = complex_parts(arguments[0]);
  if (!parts) {
    return failed();
  }
  const QualType real = source->getType();
  if (name == "real" || name == "imag") {
    *value = name == "real" ? parts->real : parts->imaginary;
  } else {
    *value = builder_.operation(
        "add", real,
        {builder_.operation("mul", real, {parts->real, parts->real}, where),
         builder_.operation("mul", real, {parts->imaginary, parts->imaginary}, where)},
        where);
  }
  return true;
}

std::optional<Value*> ComplexNumbers::lower_by_rule(const CallSite& site) {
  Value* value = nullptr;
  return !site.object.known && complex_call(site.callee, site.source, site.object.expression,
                                            site.arguments, &value, site.reference)
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace ddx::compiler

#include "compiler/shapes/natives.h"
#include "compiler/shapes/rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

namespace ddx::compiler::shapes {
namespace {

/// The text of an equation that the program states in the call itself.
const clang::StringLiteral* literal(const clang::Expr* e) {
  while (e != nullptr) {
    e = e->IgnoreImplicit()->IgnoreParens();
    if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(e)) {
      return text->isOrdinary() ? text : nullptr;
    }
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(e);
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(e);
    e = made != nullptr && made->getNumArgs() > 0 ? made->getArg(0)
        : cast != nullptr                         ? cast->getSubExpr()
                                                  : nullptr;
  }
  return nullptr;
}

/// An equation without an ellipsis: one letter for each axis.
struct Equation {
  llvm::SmallVector<std::string> terms;
  std::optional<std::string> result;
};

std::optional<Equation> equation_of(llvm::StringRef text) {
  std::string letters;
  llvm::copy_if(text, std::back_inserter(letters), [](char c) { return c != ' '; });
  Equation equation;
  auto [left, right] = llvm::StringRef(letters).split("->");
  llvm::SmallVector<llvm::StringRef> terms;
  left.split(terms, ',');
  const auto are_letters = [](llvm::StringRef term) { return llvm::all_of(term, llvm::isAlpha); };
  if (!are_letters(right) || !llvm::all_of(terms, are_letters)) {
    return std::nullopt;
  }
  equation.terms.assign(terms.begin(), terms.end());
  if (llvm::StringRef(letters).contains("->")) {
    equation.result = right.str();
  }
  return equation;
}

/// The letters of one operand only once, in the order of the alphabet.
std::string implied(const Equation& equation) {
  std::map<char, unsigned> counts;
  for (const char c : llvm::join(equation.terms, "")) {
    ++counts[c];
  }
  std::string result;
  for (const auto& [c, count] : counts) {
    if (count == 1) {
      result += c;
    }
  }
  return result;
}

/// The extents of letters.
class Extents {
 public:
  explicit Extents(Operation& op) : op_(op) {}

  /// Enters those of an operand; fails where they do not fit.
  void enter(llvm::StringRef term, unsigned operand, const Value* x) {
    if (!x->is_tensor()) {
      for (const char c : term) {
        merge(c, {op_.unknown(), x, operand});
      }
      return;
    }
    if (term.size() != x->parts.size()) {
      (void)op_.fail("operand " + std::to_string(operand) + " has rank " +
                         std::to_string(x->parts.size()) + ", and \"" + term.str() + "\" names " +
                         std::to_string(term.size()) + " axes; shape " + shape_text(*x),
                     {x});
      return;
    }
    for (std::size_t axis = 0; axis < term.size() && !op_.failed(); ++axis) {
      const Value* extent = x->parts[axis];
      const std::size_t first = term.find(term[axis]);
      if (first < axis && differ(*x->parts[first], *extent)) {
        (void)op_.fail(std::string("subscript '") + term[axis] + "' represents extents " +
                           extent_text(*x->parts[first]) + " and " + extent_text(*extent) +
                           " of operand " + std::to_string(operand) + "; shape " + shape_text(*x),
                       {x}, {x->parts[first], extent});
        return;
      }
      merge(term[axis], {extent, x, operand});
    }
  }

  /// Null for a letter of no operand.
  [[nodiscard]] const Value* of(char letter) const {
    const auto found = known_.find(letter);
    return found == known_.end() ? nullptr : found->second.extent;
  }

 private:
  struct Known {
    const Value* extent;
    const Value* shape;
    unsigned operand;
  };

  /// An extent of 1 stretches to others.
  void merge(char letter, const Known& next) {
    const auto [at, is_new] = known_.try_emplace(letter, next);
    Known& known = at->second;
    if (is_new || known.extent == next.extent || next.extent->is_known(1)) {
      return;
    }
    if (known.extent->is_known(1)) {
      known = next;
    } else if (differ(*known.extent, *next.extent)) {
      (void)op_.fail(std::string("subscript '") + letter + "' has extent " +
                         extent_text(*known.extent) + " in operand " +
                         std::to_string(known.operand) + " and " + extent_text(*next.extent) +
                         " in operand " + std::to_string(next.operand) + "; shapes " +
                         shape_text(*known.shape) + " and " + shape_text(*next.shape),
                     {known.shape, next.shape}, {known.extent, next.extent});
    } else if (!known.extent->is_number()) {
      known = next.extent->is_number() ? next : Known{op_.unknown(), next.shape, next.operand};
    }
  }

  Operation& op_;
  std::map<char, Known> known_;
};

}  // namespace

std::optional<const Value*> einsum(Interpreter& in, const Call& call) {
  const auto* e = llvm::dyn_cast_or_null<clang::CallExpr>(call.at);
  const clang::StringLiteral* text =
      e == nullptr || e->getNumArgs() < 2 ? nullptr : literal(e->getArg(0));
  const auto equation = text == nullptr ? std::nullopt : equation_of(text->getString());
  if (!equation) {
    return std::nullopt;
  }
  Values operands;
  for (unsigned i = 1; i < call.arguments.size(); ++i) {
    operands.push_back(argument(in, call, i));
  }
  if (operands.size() == 1 && operands.front()->is_list()) {
    operands = Values(operands.front()->parts);
  }
  Operation op(in.arena(), "einsum");
  if (operands.size() != equation->terms.size()) {
    return std::nullopt;
  }
  Extents extents(op);
  for (unsigned i = 0; i < operands.size() && !op.failed(); ++i) {
    extents.enter(equation->terms[i], i, operands[i]);
  }
  op.finish(in, call);
  Values result;
  for (const char c : equation->result ? *equation->result : implied(*equation)) {
    const Value* extent = extents.of(c);
    if (extent == nullptr || op.failed()) {
      return in.arena().unknown(true);
    }
    result.push_back(extent);
  }
  return in.arena().tensor(result);
}

}  // namespace ddx::compiler::shapes

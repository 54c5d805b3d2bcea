#include "compiler/memory/calls.h"
#include "compiler/memory/reals.h"
#include "compiler/memory/singular_points.h"
#include "compiler/rules/power_product.h"
#include "compiler/rules/scalar_rules.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

namespace ddx::compiler::memory {

using namespace llvm;

namespace {

constexpr StringLiteral smoothing = "ddx.smooth.";

/// The root is a call with a row of powers.def.
using Product = PowerProduct<CallBase, Value>;

/// Rewrites the products of one function.
class RootPowers {
 public:
  RootPowers(Function& function, Unit& unit) : function_(function), unit_(unit) {}

  void run() {
    SmallVector<Instruction*> products;
    for (Instruction& instruction : instructions(function_)) {
      if (is_real(instruction.getType()) && !is_smoothed(instruction)) {
        products.push_back(&instruction);
      }
    }
    for (Instruction* product : products) {
      rewrite(*product);
    }
  }

 private:
  static bool is_smoothed(const Instruction& product) {
    const auto* user = product.hasOneUse() ? dyn_cast<CallBase>(*product.user_begin()) : nullptr;
    return user != nullptr && user->getCalledFunction() != nullptr &&
           is_smoothing(*user->getCalledFunction());
  }

  /// The row of a root's form, which its operands give; null for others.
  const PowerRule* row_of(const CallBase& call) const {
    const CallKind kind = kind_of(call, unit_);
    const PowerRule* row = kind.kind == CallKind::Scalar ? find_power_rule(*kind.rule) : nullptr;
    return row != nullptr && !StringRef(row->power).contains('r') ? row : nullptr;
  }

  /// Two calls of one function with the same arguments have the same result.
  static bool are_equal(const CallBase* a, const CallBase* b) {
    return a == b || (a->getCalledOperand() == b->getCalledOperand() &&
                      equal(a->args(), b->args(),
                            [](const Use& x, const Use& y) { return x.get() == y.get(); }));
  }

  std::optional<Product> product_in(Value* value, unsigned depth = 0) const {
    if (depth > highest_power) {
      return std::nullopt;
    }
    if (auto* call = dyn_cast<CallBase>(value)) {
      const Function* callee = call->getCalledFunction();
      if (callee != nullptr && is_smoothing(*callee)) {
        return product_in(call->getArgOperand(0), depth + 1);
      }
      if (row_of(*call) == nullptr) {
        return std::nullopt;
      }
      Product product;
      product.root = call;
      product.power = 1;
      return product;
    }
    auto* operation = dyn_cast<Instruction>(value);
    if (operation == nullptr) {
      return std::nullopt;
    }
    switch (operation->getOpcode()) {
      case Instruction::FMul:
        return joined(operation->getOperand(0), operation->getOperand(1), depth + 1);
      case Instruction::FNeg: {
        auto product = product_in(operation->getOperand(0), depth + 1);
        if (product) {
          product->negative = !product->negative;
        }
        return product;
      }
      case Instruction::FDiv: {
        auto product = product_in(operation->getOperand(0), depth + 1);
        if (product) {
          product->divisors.push_back(operation->getOperand(1));
        }
        return product;
      }
      default:
        return std::nullopt;
    }
  }

  std::optional<Product> joined(Value* a, Value* b, unsigned depth) const {
    return compiler::joined(a, product_in(a, depth), b, product_in(b, depth), are_equal);
  }

  /// The product of two values, where both have a power of one root.
  std::optional<Product> power_in(Value* a, Value* b) const {
    const auto left = product_in(a);
    const auto right = product_in(b);
    return left && right && are_equal(left->root, right->root) ? joined(a, b, 0) : std::nullopt;
  }

  /// pow(r, n) with a whole number n.
  std::optional<Product> power_by_pow(CallBase& call) const {
    const CallKind kind = kind_of(call, unit_);
    if (kind.kind != CallKind::Scalar || kind.rule->name != "pow") {
      return std::nullopt;
    }
    const auto* exponent = dyn_cast<ConstantFP>(call.getArgOperand(1));
    auto* root = dyn_cast<CallBase>(call.getArgOperand(0));
    if (exponent == nullptr || root == nullptr || row_of(*root) == nullptr) {
      return std::nullopt;
    }
    for (unsigned power = 2; power <= highest_power; ++power) {
      if (exponent->isExactlyValue(power)) {
        Product product;
        product.root = root;
        product.power = power;
        return product;
      }
    }
    return std::nullopt;
  }

  void rewrite(Instruction& instruction) {
    std::optional<Product> product;
    Value* added = nullptr;
    auto* const call = dyn_cast<CallBase>(&instruction);
    if (instruction.getOpcode() == Instruction::FMul) {
      product = power_in(instruction.getOperand(0), instruction.getOperand(1));
    } else if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
               intrinsic != nullptr && (intrinsic->getIntrinsicID() == Intrinsic::fmuladd ||
                                        intrinsic->getIntrinsicID() == Intrinsic::fma)) {
      product = power_in(intrinsic->getArgOperand(0), intrinsic->getArgOperand(1));
      added = intrinsic->getArgOperand(2);
    } else if (call != nullptr) {
      product = power_by_pow(*call);
    }
    if (!product || product->power > highest_power ||
        product->power < row_of(*product->root)->degree || instruction.isTerminator()) {
      return;
    }
    IRBuilder<> builder(instruction.getNextNode());
    Value* smooth = smooth_form(builder, *product);
    if (added != nullptr) {
      smooth = builder.CreateFAdd(smooth, added);
    }
    CallInst* const result = builder.CreateCall(function_for(instruction.getType()),
                                                {PoisonValue::get(instruction.getType()), smooth});
    instruction.replaceAllUsesWith(result);
    result->setArgOperand(0, &instruction);
  }

  /// The product, with the root's power by what the root is computed from.
  Value* smooth_form(IRBuilder<>& builder, const Product& product) const {
    const PowerRule& row = *row_of(*product.root);
    Value* result = root_form(builder, row, *product.root);
    for (unsigned i = row.degree; i < product.power; ++i) {
      result = builder.CreateFMul(result, product.root);
    }
    for (Value* factor : product.factors) {
      result = builder.CreateFMul(result, factor);
    }
    for (Value* divisor : product.divisors) {
      result = builder.CreateFDiv(result, divisor);
    }
    return product.negative ? builder.CreateFNeg(result) : result;
  }

  /// `row.power`, a sum of products of operands such as "$0 * $0 + $1 * $1".
  static Value* root_form(IRBuilder<>& builder, const PowerRule& row, CallBase& root) {
    Value* sum = nullptr;
    SmallVector<StringRef> terms;
    StringRef(row.power).split(terms, '+');
    for (StringRef term : terms) {
      Value* product = nullptr;
      SmallVector<StringRef> factors;
      term.split(factors, '*');
      for (StringRef factor : factors) {
        const StringRef name = factor.trim();  // "$0"
        Value* const operand = root.getArgOperand(static_cast<unsigned>(name[1] - '0'));
        product = product == nullptr ? operand : builder.CreateFMul(product, operand);
      }
      sum = sum == nullptr ? product : builder.CreateFAdd(sum, product);
    }
    return sum;
  }

  Function* function_for(Type* real) const {
    const std::string name = (smoothing + suffix_of(real)).str();
    Module& module = unit_.module();
    if (Function* const known = module.getFunction(name)) {
      return known;
    }
    Function* const made = Function::Create(FunctionType::get(real, {real, real}, false),
                                            GlobalValue::InternalLinkage, name, module);
    made->addFnAttr(Attribute::AlwaysInline);
    made->setDoesNotThrow();
    made->setDoesNotAccessMemory();
    IRBuilder<>(BasicBlock::Create(real->getContext(), "", made)).CreateRet(made->getArg(0));
    return made;
  }

  Function& function_;
  Unit& unit_;
};

}  // namespace

void smooth_root_powers(Function& function, Unit& unit) {
  RootPowers(function, unit).run();
}

bool is_smoothing(const Function& function) {
  return function.getName().starts_with(smoothing);
}

const ScalarRule& smoothing_rule() {
  static const ScalarRule rule{"ddx::detail::smooth", 2, {"0", "1"}};
  return rule;
}

}  // namespace ddx::compiler::memory

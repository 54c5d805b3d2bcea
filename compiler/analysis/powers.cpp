#include "compiler/analysis/powers.h"

#include "compiler/analysis/activity.h"
#include "compiler/analysis/writes.h"
#include "compiler/rules/power_product.h"
#include "compiler/rules/scalar_rules.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdlib>
#include <functional>
#include <optional>
#include <string>

namespace ddx::compiler {

using namespace ir;

namespace {

/// Partials name operands by one digit.
constexpr std::size_t most_operands = 10;

/// The root is an operation with a row of powers.def.
using Product = PowerProduct<Value, Value>;

class Powers {
 public:
  explicit Powers(Function& function) : function_(function) {}

  void run() {
    const bool has_root = llvm::any_of(function_.values, [](const Value& value) {
      return value.kind == Value::Kind::Operation && value.rule && find_power_rule(*value.rule);
    });
    if (!has_root) {
      return;
    }
    find_initial_values();
    for_each_statement(function_.body, [&](Statement* statement) {
      if (statement->kind == Statement::Kind::Define) {
        rewrite(*statement->value);
      }
    });
  }

 private:
  void find_initial_values() {
    const Writes writes(function_);
    for_each_statement(function_.body, [&](Statement* statement) {
      if (statement->kind == Statement::Kind::Declare && statement->value &&
          statement->root->type->isScalarType() && statement->root->kind == Root::Kind::Local &&
          writes.is_unwritten(*statement->root)) {
        initial_[statement->root] = statement->value;
      }
    });
  }

  /// What a variable that is never written was declared with, and the root that a derivative
  /// computes; other values themselves.
  Value* resolved(Value* value) const {
    for (;;) {
      if (is(*value, "ddx::detail::singular_at_zero")) {
        value = value->operands[0];
        continue;
      }
      const bool whole = value->kind == Value::Kind::Load && value->path.steps.empty();
      const auto found = whole ? initial_.find(value->path.root) : initial_.end();
      if (found == initial_.end() || !same_type(*found->second, *value)) {
        return value;
      }
      value = found->second;
    }
  }

  static bool same_type(const Value& a, const Value& b) {
    return a.type.getCanonicalType().getUnqualifiedType() ==
           b.type.getCanonicalType().getUnqualifiedType();
  }

  static bool is(const Value& value, llvm::StringRef rule) {
    return value.kind == Value::Kind::Operation && value.rule && value.rule->name == rule;
  }

  /// `value` as a product with a power of a root in it; nothing where it has none.
  std::optional<Product> product_in(Value* given, unsigned depth = 0) const {
    Value* const value = resolved(given);
    if (depth > highest_power || value->kind != Value::Kind::Operation || !value->rule ||
        !value->type->isRealFloatingType()) {
      return std::nullopt;
    }
    if (is(*value, "operator mul")) {
      return joined(value->operands[0], value->operands[1], depth + 1);
    }
    if (is(*value, "operator neg") || is(*value, "operator div")) {
      auto product = product_in(value->operands[0], depth + 1);
      if (product && is(*value, "operator div")) {
        product->divisors.push_back(value->operands[1]);
      } else if (product) {
        product->negative = !product->negative;
      }
      return product;
    }
    Product product;
    product.root = value;
    product.power = 1;
    return find_power_rule(*value->rule) ? std::optional(product) : std::nullopt;
  }

  std::optional<Product> joined(Value* a, Value* b, unsigned depth) const {
    return compiler::joined(a, product_in(a, depth), b, product_in(b, depth), std::equal_to<>());
  }

  /// The exponent, where it is a whole number that the text says.
  static unsigned whole_exponent(const Value& exponent) {
    double number = 0;
    const bool known = exponent.kind == Value::Kind::Text &&
                       !llvm::StringRef(exponent.text).trim().getAsDouble(number);
    return known && number >= 2 && number <= highest_power &&
                   number == static_cast<unsigned>(number)
               ? static_cast<unsigned>(number)
               : 0;
  }

  void rewrite(Value& value) {
    std::optional<Product> product;
    if (is(value, "operator mul") && value.operands.size() == 2) {
      const auto left = product_in(value.operands[0]);
      const auto right = product_in(value.operands[1]);
      if (left && right && left->root == right->root) {
        product = joined(value.operands[0], value.operands[1], 0);
      }
    } else if (is(value, "pow") && value.operands.size() == 2) {
      Value* const base = resolved(value.operands[0]);
      const unsigned power = whole_exponent(*value.operands[1]);
      if (power > 0 && same_type(*base, value) && base->kind == Value::Kind::Operation &&
          base->rule && find_power_rule(*base->rule)) {
        product.emplace();
        product->root = base;
        product->power = power;
      }
    }
    if (product && product->power <= highest_power && is_uniform(value, *product)) {
      give_rule(value, *product);
    }
  }

  /// All parts are of the type of the product, and the root has as many powers as its row asks for.
  bool is_uniform(const Value& value, const Product& product) const {
    const auto fits = [&](const Value* part) { return same_type(*part, value); };
    return fits(product.root) && llvm::all_of(product.factors, fits) &&
           llvm::all_of(product.divisors, fits) &&
           product.power >= find_power_rule(*product.root->rule)->degree &&
           2 + 1 + product.factors.size() + product.divisors.size() +
                   product.root->operands.size() <=
               most_operands;
  }

  /// `name` to a whole power, as text; empty for 0.
  static std::string power(const std::string& name, unsigned exponent) {
    std::string text;
    for (unsigned i = 0; i < exponent; ++i) {
      text += (i == 0 ? "" : " * ") + name;
    }
    return text;
  }

  /// `form`, tokens of a row of powers.def. The root stands at operand `root`, what it is computed
  /// from at `first`.
  static std::string spelled(const Product& product, const std::string& form, std::size_t root,
                             std::size_t first) {
    const PowerRule& row = *find_power_rule(*product.root->rule);
    const std::string r = "$" + std::to_string(root);
    const std::string rest = power(r, product.power - row.degree);
    std::string text;
    for (std::size_t i = 0; i < form.size(); ++i) {
      if (form[i] != '$') {
        text += form[i];
        continue;
      }
      switch (const char which = form[++i]) {
        case 'T':
          text += "$T";
          break;
        case 'r':
          text += r;
          break;
        case 'k':
          text += std::to_string(product.power);
          break;
        case 'p':
          text += rest.empty() ? "1" : "(" + rest + ")";
          break;
        case 'q':
          text += "(" + power(r, product.power) + ")";
          break;
        default:
          text += "$" + std::to_string(first + static_cast<std::size_t>(which - '0'));
      }
    }
    return text;
  }

  /// Operands: those of the text, the root, factors, divisors, and what the root is computed from.
  void give_rule(Value& value, const Product& product) {
    ScalarRule rule{value.rule->name, 0, {}, 2};
    const auto factors = value.operands.size() + 1;
    const auto divisors = factors + product.factors.size();
    const auto inner = divisors + product.divisors.size();
    const auto cofactor = [&](std::size_t without) {
      std::string text = product.negative ? "-1" : "";
      for (std::size_t i = factors; i < divisors; ++i) {
        if (i != without) {
          text += (text.empty() ? "$" : " * $") + std::to_string(i);
        }
      }
      for (std::size_t i = divisors; i < inner; ++i) {
        text += (text.empty() ? "1 / $" : " / $") + std::to_string(i);
      }
      return text;
    };
    const auto times = [](const std::string& a, const std::string& b) {
      return a.empty() ? b : a + " * (" + b + ")";
    };
    const auto by_row = [&](const std::string& form) {
      return spelled(product, form, factors - 1, inner);
    };
    const PowerRule& row = *find_power_rule(*product.root->rule);
    rule.partials.assign(factors, "0");
    for (std::size_t i = factors; i < divisors; ++i) {
      rule.partials.push_back(times(cofactor(i), by_row("$p * (" + row.power + ")")));
    }
    for (std::size_t i = divisors; i < inner; ++i) {
      rule.partials.push_back("-$r / $" + std::to_string(i));
    }
    for (unsigned k = 0; k < product.root->operands.size(); ++k) {
      const std::string partial = by_row(row.partials[k]);
      rule.partials.push_back(partial == "0" ? partial : times(cofactor(inner), partial));
    }
    value.operands.push_back(product.root);
    value.operands.append(product.factors);
    value.operands.append(product.divisors);
    value.operands.append(product.root->operands);
    rule.arity = static_cast<unsigned>(value.operands.size());
    value.rule = kept_rule(std::move(rule));
  }

  Function& function_;
  llvm::DenseMap<const Root*, Value*> initial_;
};

}  // namespace

void differentiate_powers(Function& function) {
  Powers(function).run();
}

}  // namespace ddx::compiler

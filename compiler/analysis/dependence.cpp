#include "compiler/analysis/dependence.h"

#include "compiler/analysis/activity.h"
#include "compiler/ir/derivative.h"

#include "llvm/ADT/DenseSet.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// What is varied, less what only calls make varied whose results depend on nothing.
class Dependence {
 public:
  explicit Dependence(const Function& function) : function_(function) {}

  bool run() {
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
      if (function_.key.parameters[i].active) {
        roots_.insert(function_.parameters[i]);
      }
    }
    do {
      changed_ = false;
      for_each_statement(function_.body, [&](const Statement* statement) { spread(*statement); });
    } while (changed_);
    bool found = false;
    for_each_statement(function_.body, [&](const Statement* statement) {
      found = found || (statement->kind == Statement::Kind::Return && statement->value &&
                        depends(*statement->value));
    });
    return found;
  }

 private:
  bool depends(const Value& value) const { return values_.contains(&value); }

  /// A value that was just computed.
  void define(const Value& value) {
    const bool found =
        value.kind == Value::Kind::Load ? roots_.contains(value.path.root)
        : value.kind == Value::Kind::Operation
            ? llvm::any_of(value.operands, [&](const Value* operand) { return depends(*operand); })
            : true;
    if (value.varied && found) {
      changed_ = values_.insert(&value).second || changed_;
    }
  }

  void mark(const Root* root) { changed_ = roots_.insert(root).second || changed_; }

  bool reads_depending(const Statement& call) {
    return llvm::any_of(call.arguments, [&](const Argument& argument) {
      return argument.kind == Argument::Kind::Value
                 ? depends(*argument.value)
                 : argument.path.root && roots_.contains(argument.path.root);
    });
  }

  void spread(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::Store:
      case Statement::Kind::Vector:
        if (statement.value && depends(*statement.value)) {
          mark(statement.path.root);
        }
        return;
      case Statement::Kind::Define:
        return define(*statement.value);
      case Statement::Kind::Declare:
        if (statement.value ? depends(*statement.value)
                            : llvm::any_of(statement.reads, [&](const Root* read) {
                                return roots_.contains(read);
                              })) {
          mark(statement.root);
        }
        return;
      case Statement::Kind::Call:
        return spread_call(statement);
      default:
        return;
    }
  }

  void spread_call(const Statement& call) {
    if (!reads_depending(call)) {
      return;
    }
    if (call.value && call.value->varied && (!call.derivative || call.derivative->result_depends)) {
      changed_ = values_.insert(call.value).second || changed_;
    }
    for (const Argument& argument : call.arguments) {
      if (!argument.is_constant && argument.path.root && argument.path.root->varied) {
        mark(argument.path.root);
      }
    }
  }

  const Function& function_;
  llvm::DenseSet<const Root*> roots_;
  llvm::DenseSet<const Value*> values_;
  bool changed_ = false;
};

}  // namespace

bool result_depends(const Function& function) {
  return Dependence(function).run();
}

}  // namespace ddx::compiler

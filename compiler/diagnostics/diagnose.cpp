#include "compiler/diagnostics/diagnose.h"

#include "compiler/analysis/activity.h"
#include "compiler/diagnostics/diagnostics.h"

#include <set>

namespace ddx::compiler {

using namespace ir;

namespace {

class Checker {
 public:
  Checker(Function& function, const Context& context, const CallChain& chain)
      : function_(function), context_(context), chain_(chain) {}

  bool run() {
    for_each_statement(function_.body, [&](const Statement* statement) { check(*statement); });
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
      check_parameter(*function_.parameters[i], function_.key.parameters[i]);
    }
    return accepted_;
  }

 private:
  void reject(const Statement& statement, const std::string& what) {
    accepted_ = false;
    if (!met_.insert({statement.where.getRawEncoding(), what}).second) {
      return;
    }
    clang::DiagnosticsEngine& diagnostics = context_.sema.getDiagnostics();
    report(diagnostics, Diagnostic::NotDifferentiable, statement.where) << what;
    for (std::size_t i = chain_.size(); i-- > 0;) {
      if (i == 1 && !chain_[0].first) {
        continue;  // The call in the header that every request goes through tells nothing.
      }
      if (chain_[i].first) {
        report(diagnostics, Diagnostic::WhenDifferentiating, chain_[i].second) << chain_[i].first;
      } else {
        report(diagnostics, Diagnostic::RequestedHere, chain_[i].second);
      }
    }
  }

  /// An object from outside the derivative that active values are written to, and whose shape is
  /// not known, has no place for its adjoint.
  void check_parameter(const Root& parameter, const ParameterFacts& facts) {
    if (!facts.active && parameter.active() &&
        (parameter.kind == Root::Kind::Pointer || context_.types.is_shaped(parameter.type))) {
      Statement place;
      place.kind = Statement::Kind::Unsupported;
      place.where = parameter.where;
      reject(place,
             "writing active values to '" + parameter.name + "', which is captured from outside");
    }
  }

  static bool touches(const Statement& statement) {
    const auto varied = [](const Root* root) { return root->varied; };
    return llvm::any_of(statement.reads, varied) ||
           llvm::any_of(statement.text_writes, [](const Root* root) { return root->active(); });
  }

  void check(const Statement& statement) {
    if (statement.writes_global && statement.kind != Statement::Kind::Call &&
        llvm::any_of(statement.reads, [](const Root* root) { return root->varied; })) {
      reject(statement, "a call in this expression, which writes a global variable");
    }
    switch (statement.kind) {
      case Statement::Kind::Unsupported:
        // What cannot be printed exactly cannot be carried over either.
        if (statement.always || touches(statement) || statement.primal_text.empty()) {
          reject(statement, statement.text);
        }
        return;
      case Statement::Kind::Declare:
        // std::max and its kin return one of their arguments; a copy is as good while those stay as they are.
        if (!statement.stands_for.empty()) {
          for_each_statement(function_.body, [&](const Statement* other) {
            for_each_write(*other, [&](const Root* written) {
              if (llvm::is_contained(statement.stands_for, written) || written == statement.root) {
                reject(statement, "a reference to one of several objects that change");
              }
            });
          });
        }
        // An object without tangent that is made from active values would lose them.
        if (!statement.root->carries && context_.types.may_hold_real(statement.root->type) &&
            statement.root->varied) {
          reject(statement, "an object of type '" + statement.root->type.getAsString(policy()) +
                                "' that active values enter");
        }
        return;
      case Statement::Kind::Text:
      case Statement::Kind::Define:
      case Statement::Kind::Loop:
        if (statement.kind == Statement::Kind::Loop &&
            statement.form == Statement::LoopForm::Counted) {
          check_bound(statement);
        }
        if (statement.kind == Statement::Kind::Define &&
            statement.value->kind == Value::Kind::Text &&
            context_.types.may_hold_real(statement.value->type) &&
            llvm::any_of(statement.value->reads, [](const Root* root) { return root->varied; })) {
          reject(statement, "a value that comes out of an object without tangent");
          return;
        }
        if (llvm::any_of(statement.text_writes, [](const Root* root) { return root->active(); })) {
          reject(statement, "this expression, which may change an active object");
        }
        return;
      case Statement::Kind::Store:
      case Statement::Kind::Vector:
        if (statement.path.root->kind == Root::Kind::Global && statement.value &&
            statement.value->varied) {
          reject(statement, "writing the global variable '" + name_of(*statement.path.root) + "'");
        }
        return;
      case Statement::Kind::Call:
        if (statement.writes_global && !is_active(statement) && has_varied_argument(statement)) {
          reject(statement, "a call of '" + statement.callee->getNameAsString() +
                                "', which writes a global variable");
        }
        for (const Argument& argument : statement.arguments) {
          if (llvm::any_of(argument.reads, [](const Root* root) { return root->varied; })) {
            reject(statement, "an argument that takes active values to a type without tangent");
          }
          const bool global = argument.path.root && argument.path.root->kind == Root::Kind::Global;
          if (global && argument.path.root->varied && !argument.is_constant) {
            reject(statement, "writing the global variable '" + name_of(*argument.path.root) + "'");
          }
        }
        return;
      default:
        return;
    }
  }

  static bool has_varied_argument(const Statement& call) {
    return llvm::any_of(call.arguments, [](const Argument& argument) {
      return argument.kind == Argument::Kind::Value
                 ? argument.value->varied
                 : argument.path.root && argument.path.root->varied;
    });
  }

  /// A counted loop evaluates its bound once: nothing in it may change the bound, by whatever name.
  void check_bound(const Statement& loop) {
    std::vector<const Value*> pending = {loop.end};
    std::vector<const Root*> named;
    while (!pending.empty()) {
      const Value* value = pending.back();
      pending.pop_back();
      pending.insert(pending.end(), value->operands.begin(), value->operands.end());
      named.insert(named.end(), value->reads.begin(), value->reads.end());
      if (value->kind == Value::Kind::Load) {
        named.push_back(value->path.root);
      }
    }
    for_each_statement(loop.body, [&](const Statement* statement) {
      for_each_write(*statement, [&](const Root* written) {
        const bool scalar = written->type->isScalarType();
        const bool resizes = statement->kind == Statement::Kind::Vector ||
                             (statement->kind == Statement::Kind::Store &&
                              Types::container(statement->path.type) == Container::StdVector);
        if ((scalar || resizes) && llvm::is_contained(named, written)) {
          reject(loop, "a loop whose bound its body changes through another name");
        }
      });
    });
  }

  static std::string name_of(const Root& root) {
    return root.decl ? root.decl->getNameAsString() : root.name;
  }

  clang::PrintingPolicy policy() const {
    clang::PrintingPolicy result(context_.ast.getPrintingPolicy());
    result.SuppressDefaultTemplateArgs = true;
    return result;
  }

  Function& function_;
  const Context& context_;
  const CallChain& chain_;
  std::set<std::pair<unsigned, std::string>> met_;
  bool accepted_ = true;
};

}  // namespace

bool diagnose(Function& function, const Context& context, const CallChain& chain) {
  return Checker(function, context, chain).run();
}

}  // namespace ddx::compiler

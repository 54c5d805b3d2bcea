#include "compiler/diagnose/diagnose.h"

#include "compiler/analysis/activity.h"
#include "compiler/analysis/outside_state.h"
#include "compiler/diagnose/loop_bounds.h"
#include "compiler/diagnostics/call_chain.h"
#include "compiler/diagnostics/source_text.h"
#include "compiler/ir/derivative.h"
#include "compiler/request/registry.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/whole_types.h"

#include <optional>
#include <set>
#include <tuple>

namespace ddx::compiler {

using namespace ir;

namespace {

class Checker {
 public:
  Checker(Function& function, const Context& context, const CallChain& chain,
          Warned* warned = nullptr)
      : function_(function), context_(context), chain_(chain), warned_(warned) {}

  bool run() {
    for_each_statement(function_.body, [&](const Statement* statement) { check(*statement); });
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
      check_parameter(*function_.parameters[i], function_.key.parameters[i]);
    }
    return accepted_;
  }

 private:
  /// Reports `id` for `statement`, unless what is wrong there has been said already.
  void reject(const Statement& statement, Diagnostic id, const std::vector<std::string>& facts,
              clang::SourceLocation where = {}, std::optional<ChainLink> reached = std::nullopt) {
    accepted_ = false;
    where = where.isValid() ? where : statement.where;
    const bool said =
        is_said(statement) ||
        !met_.insert({id == Diagnostic::UnsupportedField ? 0 : where.getRawEncoding(), id, facts})
             .second;
    reported_.push_back(where);
    for (const InlineSite* site = statement.inlined; site; site = site->outer) {
      reported_.push_back(site->where);
    }
    if (statement.kind == Statement::Kind::Unsupported && statement.root) {
      spoiled_roots_.insert(statement.root);
    }
    spoiled_variables_.insert(statement.unplaced.begin(), statement.unplaced.end());
    if (said) {
      return;
    }
    ChainedError error{id, facts, where, calls_to(statement), std::move(reached)};
    if (names_source(id)) {
      const clang::SourceLocation place =
          place_in_program(context_.sema.getSourceManager(), where, error.calls);
      const bool has_range = statement.range.isValid() && place == where;
      error.facts.push_back(has_range ? source_text(context_.sema, statement.range)
                                      : call_text(context_.sema, place));
    }
    report(context_.diagnostics, error);
  }

  /// True for what only follows from a statement that was rejected before: a part of it was, or an
  /// object that it names could not be made.
  bool is_said(const Statement& statement) const {
    const clang::SourceManager& sources = context_.sema.getSourceManager();
    const auto is_spoiled = [&](const Root* root) { return spoiled_roots_.count(root) != 0; };
    return llvm::any_of(reported_,
                        [&](clang::SourceLocation place) {
                          return statement.range.isValid() &&
                                 sources.isPointWithin(place, statement.range.getBegin(),
                                                       statement.range.getEnd());
                        }) ||
           llvm::any_of(statement.unplaced,
                        [&](const clang::VarDecl* variable) {
                          return spoiled_variables_.count(variable) != 0;
                        }) ||
           llvm::any_of(statement.reads, is_spoiled) ||
           llvm::any_of(statement.arguments,
                        [&](const Argument& argument) {
                          return argument.path.root && is_spoiled(argument.path.root);
                        }) ||
           (statement.value && llvm::any_of(statement.value->reads, is_spoiled));
  }

  /// The calls that lead to `statement`, innermost first.
  [[nodiscard]] std::vector<ChainLink> calls_to(const Statement& statement) const {
    const auto name = [&](const clang::FunctionDecl& callee) {
      std::string text;
      llvm::raw_string_ostream out(text);
      callee.getNameForDiagnostic(out, context_.ast.getPrintingPolicy(), /*Qualified=*/false);
      return text;
    };
    std::vector<ChainLink> calls;
    for (const InlineSite* site = statement.inlined; site; site = site->outer) {
      calls.push_back({site->where, name(*site->callee)});
    }
    for (std::size_t i = chain_.size(); i-- > 0;) {
      if (i == 1 && !chain_[0].first) {
        continue;  // The call in the header that every request goes through adds nothing.
      }
      calls.push_back({chain_[i].second, chain_[i].first ? name(*chain_[i].first) : ""});
    }
    return calls;
  }

  /// True for errors that quote the source.
  static bool names_source(Diagnostic id) {
    switch (id) {
      case Diagnostic::UnsupportedExpression:
      case Diagnostic::UnsupportedAssignment:
      case Diagnostic::UnsupportedInitialiser:
      case Diagnostic::UnsupportedConstruction:
      case Diagnostic::UnsupportedPolymorphic:
      case Diagnostic::UnsupportedSideEffect:
      case Diagnostic::UnsupportedReference:
      case Diagnostic::UnsupportedContainerCall:
      case Diagnostic::UnsupportedVisitor:
      case Diagnostic::UnsupportedNestedGradient:
      case Diagnostic::UnsupportedCheckpoint:
      case Diagnostic::UnsupportedWithDerivative:
      case Diagnostic::UnsupportedControlFlow:
      case Diagnostic::UnsupportedCompiledCall:
      case Diagnostic::UnsupportedArgument:
      case Diagnostic::UnsupportedGlobalText:
      case Diagnostic::UnsupportedCapture:
      case Diagnostic::UnsupportedStatement:
      case Diagnostic::UnsupportedThrow:
      case Diagnostic::UnsupportedBinding:
        return true;
      default:
        return false;
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
      reject(place, Diagnostic::UnsupportedOutside, {parameter.name});
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
      reject(statement, Diagnostic::UnsupportedGlobalText, {});
    }
    switch (statement.kind) {
      case Statement::Kind::Unsupported:
        // What cannot be printed exactly cannot be carried over either.
        if (statement.always || touches(statement) || statement.primal_text.empty()) {
          reject(statement, statement.diagnostic, statement.facts);
        }
        return;
      case Statement::Kind::Declare:
        return check_declaration(statement);
      case Statement::Kind::Loop:
        if (statement.form == Statement::LoopForm::Counted) {
          if (changes_bound(statement, context_)) {
            reject(statement, Diagnostic::UnsupportedBound, {});
          }
        }
        return check_text(statement);
      case Statement::Kind::Text:
      case Statement::Kind::Define:
        return check_text(statement);
      case Statement::Kind::If:
        return check_exact_comparisons(statement);
      case Statement::Kind::Store:
      case Statement::Kind::Vector:
        if (statement.path.root->kind == Root::Kind::Global && statement.value &&
            statement.value->varied) {
          reject(statement, Diagnostic::UnsupportedGlobal, {name_of(*statement.path.root)});
        }
        return;
      case Statement::Kind::Call:
        return check_call(statement);
      default:
        return;
    }
  }

  /// True where a result depends on whether the block is entered.
  bool computes_result(Block* block) const {
    bool found = false;
    for_each_statement(block, [&](const Statement* inner) {
      const bool stores =
          inner->kind == Statement::Kind::Store || inner->kind == Statement::Kind::Vector;
      found =
          found || (stores && inner->path.root->active()) ||
          (inner->kind == Statement::Kind::Return && inner->value && inner->value->has_tangent) ||
          (inner->kind == Statement::Kind::Call && is_active(*inner, context_.types));
    });
    return found;
  }

  /// Warns of a branch that one value of an active real takes: nothing nearby has its derivative.
  void check_exact_comparisons(const Statement& branch) {
    for (const ExactComparison& comparison : branch.exact) {
      const bool active = llvm::any_of(comparison.reads, [](const Root* root) {
        return named_root(*root).varied && named_root(*root).has_tangent;
      });
      if (active && (computes_result(branch.body) || computes_result(branch.otherwise)) &&
          warned_ && warned_->insert(comparison.where).second) {
        report(context_.sema.getDiagnostics(), Diagnostic::ExactComparison, comparison.where)
            << comparison.text << static_cast<int>(comparison.holds);
      }
    }
  }

  /// An object without tangent that is made from active values would lose them.
  void check_declaration(const Statement& statement) {
    const Root& root = *statement.root;
    check_reference(statement);
    if (root.has_tangent || !root.varied || !context_.types.variable_may_hold_real(root.type) ||
        !spoiled_roots_.insert(&root).second) {
      return;
    }
    if (statement.diagnostic != Diagnostic::UnsupportedObject) {
      return reject(statement, statement.diagnostic, statement.facts);
    }
    const std::string type = readable_type(root.type, context_.ast);
    const clang::CXXRecordDecl* record = Types::record(root.type);
    if (record && record->isUnion()) {
      return reject(statement, Diagnostic::UnsupportedUnion, {type});
    }
    if (record && in_library(record) && record->getName() == "__normal_iterator") {
      return reject(statement, Diagnostic::UnsupportedIterator, {name_of(root)});
    }
    if (record && !in_library(record)) {
      for (const clang::FieldDecl* field : record->fields()) {
        if (field->getType()->isReferenceType() || field->getType()->isPointerType()) {
          return reject(statement, Diagnostic::UnsupportedObjectWithPointer,
                        {type, field->getNameAsString(),
                         field->getType()->isReferenceType() ? "reference" : "pointer"});
        }
      }
    }
    reject(statement, Diagnostic::UnsupportedObject, {type});
  }

  /// std::max and similar functions return one of their arguments; a copy is as good while those
  /// stay as they are.
  void check_reference(const Statement& declaration) {
    for_each_statement(declaration.stands_for.empty() ? nullptr : function_.body,
                       [&](const Statement* other) {
                         for_each_write(*other, [&](const Root* written) {
                           if (llvm::is_contained(declaration.stands_for, written) ||
                               written == declaration.root) {
                             reject(declaration, Diagnostic::UnsupportedChangingReference, {});
                           }
                         });
                       });
  }

  void check_text(const Statement& statement) {
    const auto varied = [](const Root* root) { return root->varied; };
    if (statement.kind == Statement::Kind::Define && statement.value->kind == Value::Kind::Text &&
        context_.types.variable_may_hold_real(statement.value->type) &&
        llvm::any_of(statement.value->reads, varied)) {
      if (statement.value->type->isPointerType()) {
        return reject(statement, Diagnostic::UnsupportedStoredPointer, {});
      }
      return reject(statement, Diagnostic::UnsupportedOpaqueValue,
                    {readable_type(statement.value->type, context_.ast)});
    }
    if (!statement.writes_inactive &&
        llvm::any_of(statement.text_writes, [](const Root* root) { return root->active(); })) {
      reject(statement, Diagnostic::UnsupportedSideEffect, {});
    }
  }

  void check_call(const Statement& statement) {
    const bool varied = has_varied_argument(statement);
    if (statement.writes_global && !is_active(statement, context_.types) && varied) {
      reject(statement, Diagnostic::UnsupportedGlobalCall, {statement.callee->getNameAsString()});
    }
    if (varied && statement.value && !statement.value->has_tangent &&
        context_.types.may_hold_real(statement.value->type) &&
        !context_.types.holds_only_pointers(statement.value->type)) {
      reject(statement, Diagnostic::UnsupportedOpaqueResult,
             {statement.callee->getNameAsString(),
              readable_type(statement.value->type, context_.ast)});
    }
    if (statement.functor) {
      check_functor(statement);
    }
    if (function_.key.mode == Mode::Forward && statement.registered &&
        is_active(statement, context_.types) && statement.value && !statement.registered->jvp &&
        !context_.types.has_coordinates(statement.value->type) &&
        !has_visible_pullback(*statement.registered->vjp)) {
      reject(statement, Diagnostic::UnsupportedForwardCall, {statement.callee->getNameAsString()});
    }
    for (const Argument& argument : statement.arguments) {
      const Root* root = argument.path.root;
      if (root && root->kind == Root::Kind::Global && root->varied && !argument.is_constant) {
        reject(statement, Diagnostic::UnsupportedGlobal, {name_of(*root)});
      }
      if (argument.kind == Argument::Kind::Text) {
        check_opaque(statement, argument, varied);
      }
      if (root && argument.kind != Argument::Kind::Value &&
          (root->varied || (varied && !argument.is_constant)) && is_opaque(statement, argument)) {
        reject(statement, Diagnostic::UnsupportedOpaqueArgument,
               {readable_type(argument.path.type, context_.ast)});
      }
    }
  }

  /// True where the pullback is a lambda, or one with a shell around it: it can be differentiated.
  static bool has_visible_pullback(const clang::FunctionDecl& vjp) {
    const auto argument = [](clang::QualType type, unsigned position) -> clang::QualType {
      const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
          type->getAsCXXRecordDecl());
      return record ? record->getTemplateArgs().get(position).getAsType() : clang::QualType();
    };
    const clang::QualType pullback = argument(vjp.getReturnType(), 1);
    const clang::CXXRecordDecl* record = Types::record(pullback);
    if (!record || record->isLambda()) {
      return record;
    }
    const std::string name = record->getQualifiedNameAsString();
    const bool is_shell = name == "ddx::detail::ZeroAware" || name == "ddx::detail::Symmetric";
    return (is_shell && Types::is_closure(argument(pullback, 0))) ||
           name == "ddx::detail::RegisteredTangentPullback";
  }

  /// The function is called again, with copies of its arguments.
  void check_functor(const Statement& call) {
    const bool again = is_active(call, context_.types);
    const bool stays = llvm::all_of(call.arguments, [&](const Argument& argument) {
      const bool by_value = argument.kind == Argument::Kind::Value;
      const clang::QualType type = by_value                                ? argument.value->type
                                   : argument.kind == Argument::Kind::Text ? argument.type
                                                                           : argument.path.type;
      return argument.kind != Argument::Kind::Pointer && (by_value || argument.is_constant) &&
             (!is_active(argument, context_.types) || context_.types.counts(type)) &&
             !type->isArrayType() && is_copyable(type) &&
             !context_.types.holds_dynamic_pointer(type) &&
             (!again || is_self_contained(type, context_.types));
    });
    const FunctorCall::Kind kind = call.functor->kind;
    const bool gradient =
        kind == FunctorCall::Kind::Gradient || kind == FunctorCall::Kind::Pullback;
    const bool changes = kind == FunctorCall::Kind::ChangedCotangent;
    const bool counts =
        gradient || !call.value || !call.value->active() || context_.types.counts(call.value->type);
    if (!stays || !counts) {
      reject(call, refused_functor(kind), {});
    } else if (changes) {
      if (again && function_.key.mode == Mode::Forward) {
        reject(call, Diagnostic::UnsupportedForwardCall, {"with_derivative"});
      }
    } else if (again || kind == FunctorCall::Kind::Pullback) {
      check_outside_state(call);
    }
  }

  static Diagnostic refused_functor(FunctorCall::Kind kind) {
    switch (kind) {
      case FunctorCall::Kind::Gradient:
      case FunctorCall::Kind::Pullback:
        return Diagnostic::UnsupportedNestedGradient;
      case FunctorCall::Kind::Checkpoint:
      case FunctorCall::Kind::CheckpointedLoop:
        return Diagnostic::UnsupportedCheckpoint;
      case FunctorCall::Kind::ChangedCotangent:
        return Diagnostic::UnsupportedWithDerivative;
      case FunctorCall::Kind::Cond:
      case FunctorCall::Kind::Scan:
      case FunctorCall::Kind::WhileLoop:
      case FunctorCall::Kind::Map:
        return Diagnostic::UnsupportedControlFlow;
    }
    llvm_unreachable("closed set");
  }

  /// Called again, a function must find everything as it was.
  void check_outside_state(const Statement& call) {
    // A target that is not known is null.
    const bool by_pointer = llvm::is_contained(call.targets, nullptr);
    std::vector<const clang::FunctionDecl*> reached = call.targets;
    llvm::erase(reached, nullptr);
    reached.push_back(call.callee);
    if (const auto state = find_outside_state(context_, reached, by_pointer)) {
      const std::string name = state->what->getNameAsString();
      reject(call,
             llvm::isa<clang::VarDecl>(state->what) ? Diagnostic::UnsupportedOutsideVariable
                                                    : Diagnostic::UnsupportedOutsideCall,
             {name}, {}, ChainLink{state->where, name});
    }
  }

  /// True for objects with no numbers of their own.
  static bool holds_nothing(clang::QualType type) {
    const clang::CXXRecordDecl* record = Types::record(type);
    return record && (record->isEmpty() || Types::is_hollow(type.getNonReferenceType()));
  }

  /// True where the callee may find active values that its derivative knows nothing of.
  bool is_opaque(const Statement& call, const Argument& argument) {
    const Path& path = argument.path;
    if (path.is_base_class() && !llvm::isa<clang::CXXConstructorDecl>(call.callee)) {
      return !is_differentiable(path, context_.types);  // It may cast to the derived class.
    }
    return !argument.has_tangent && !holds_nothing(path.type) &&
           context_.types.may_hold_real(path.type) &&
           !context_.types.holds_only_pointers(path.type);
  }

  /// What is passed as text can neither bring active values to the callee nor take them away.
  void check_opaque(const Statement& call, const Argument& argument, bool varied) {
    if (argument.type->isFunctionPointerType() || !context_.types.may_hold_real(argument.type)) {
      return;  // Calls of a function are judged where they stand, texts where numbers are read
               // back.
    }
    const bool leads = context_.types.holds_only_pointers(argument.type);
    const bool brings = llvm::any_of(argument.reads, [](const Root* root) { return root->varied; });
    const bool takes = varied && !leads && !argument.is_constant && !argument.reads.empty();
    if (brings || takes) {
      reject(call, Diagnostic::UnsupportedOpaqueArgument,
             {readable_type(argument.type, context_.ast)}, argument.where);
    }
  }

  bool has_varied_argument(const Statement& call) {
    return llvm::any_of(call.arguments, [&](const Argument& argument) {
      return brings_varied(argument, context_.types);
    });
  }

  static std::string name_of(const Root& root) {
    return root.decl ? root.decl->getNameAsString() : root.name;
  }

  Function& function_;
  const Context& context_;
  const CallChain& chain_;
  Warned* warned_;
  std::set<std::tuple<unsigned, Diagnostic, std::vector<std::string>>> met_;
  std::vector<clang::SourceLocation> reported_;
  std::set<const Root*> spoiled_roots_;  ///< Objects whose creation was rejected.
  std::set<const clang::VarDecl*> spoiled_variables_;
  bool accepted_ = true;
};

}  // namespace

bool diagnose(Function& function, const Context& context, const CallChain& chain, Warned& warned) {
  return Checker(function, context, chain, &warned).run();
}

}  // namespace ddx::compiler

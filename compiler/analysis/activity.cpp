#include "compiler/analysis/activity.h"

#include "compiler/support/whole_types.h"

namespace ddx::compiler {

using namespace ir;

/// False where it is certain that a tangent of the type has no numbers in it: that of a class which
/// lists no members, or only members of such classes.
static bool has_slopes(clang::QualType type, Types& types) {
  type = type.getNonReferenceType();
  const clang::CXXRecordDecl* const record = Types::record(type);
  if (!record || Types::container(type) != Container::None || in_library(record) ||
      record->isLambda() || record->isPolymorphic() || types.is_leaf(record)) {
    return true;
  }
  return llvm::any_of(record->fields(),
                      [&](const clang::FieldDecl* field) {
                        return types.has_tangent(field) && has_slopes(field->getType(), types);
                      }) ||
         llvm::any_of(record->bases(), [&](const clang::CXXBaseSpecifier& base) {
           return types.has_tangent(base.getType()) && has_slopes(base.getType(), types);
         });
}

bool is_differentiable(const Path& path, Types& types) {
  if (path.type->isPointerType() || !types.has_tangent(path.type) ||
      !has_slopes(path.type, types)) {
    return false;
  }
  for (const Step& step : path.steps) {
    if (step.field && !types.has_tangent(step.field)) {
      return false;
    }
  }
  return true;
}

bool is_active(const Argument& argument, Types& types) {
  if (!argument.has_tangent) {
    return false;
  }
  return argument.kind == Argument::Kind::Value
             ? argument.value->active()
             : argument.path.root && argument.path.root->active() &&
                   is_differentiable(argument.path, types);
}

bool is_active(const Statement& call, Types& types) {
  // A pullback receives the cotangent of its result, and of nothing else.
  if ((call.registered || call.functor) && !(call.value && call.value->active())) {
    return false;
  }
  return llvm::any_of(call.arguments,
                      [&](const Argument& argument) { return is_active(argument, types); });
}

bool has_useful_outputs(const Statement& call) {
  // A call without result may still do something with its arguments: its body is looked at.
  return !call.value || call.value->useful ||
         llvm::any_of(call.arguments, [](const Argument& argument) {
           return !argument.is_constant && argument.path.root && argument.path.root->useful;
         });
}

bool brings_varied(const Argument& argument, Types& types) {
  if (argument.kind == Argument::Kind::Value) {
    return argument.value->varied;
  }
  // A part without derivative is constant, whatever the rest of its object is.
  return argument.path.root && argument.path.root->varied &&
         (!argument.has_tangent || is_differentiable(argument.path, types));
}

/// True for a type without tangent whose objects may show the numbers they were made of: a string.
static bool may_tell(clang::QualType type, Types& types) {
  return !is_discrete(type, types) && !types.holds_only_pointers(type);
}

/// True where an object without tangent (a string) that is made of `value` may tell numbers. Of
/// characters only those of a text do: one chosen by a number does not.
static bool passes_on(const Value& value, Types& types) {
  const bool of_text = value.type->isAnyCharacterType();
  if (!may_tell(value.type, types)) {
    return false;
  }
  const auto is_computed_from_active = [&](const Root* root) {
    return root->varied && (!of_text || !root->has_tangent);
  };
  const bool of_object =
      value.kind == Value::Kind::Load && is_computed_from_active(value.path.root);
  return (!of_text && value.varied) || of_object ||
         llvm::any_of(value.reads, is_computed_from_active) ||
         llvm::any_of(value.operands, [&](const Value* operand) {
           return of_text ? passes_on(*operand, types) : operand->varied;
         });
}

bool is_computed_from_active(const Argument& argument, Types& types) {
  if (argument.has_tangent) {
    return false;
  }
  if (argument.kind == Argument::Kind::Value) {
    return argument.value->type->isAnyCharacterType() && passes_on(*argument.value, types);
  }
  if (argument.kind == Argument::Kind::Text) {
    return !argument.is_null && !argument.type->isFunctionPointerType() &&
           may_tell(argument.type, types) &&
           llvm::any_of(argument.reads, [](const Root* root) { return root->varied; });
  }
  const Root* const root = argument.path.root;
  const bool holds_nothing =  // Where it may not be a base of something that does.
      !argument.path.steps.empty() && !argument.path.is_base_class() &&
      Types::is_hollow(argument.path.type);
  return root && root->varied && !holds_nothing && may_tell(argument.path.type, types);
}

namespace {

class Analysis {
 public:
  Analysis(Function& function, Types& types) : function_(function), types_(types) {}

  void run() {
    do {
      changed_ = false;
      for_each_statement(function_.body, [&](Statement* statement) { spread_varied(*statement); });
    } while (changed_);
    for (Root* parameter : function_.parameters) {
      if (function_.key.outputs_useful && parameter->varied && parameter->has_tangent &&
          parameter->kind != Root::Kind::Scalar) {
        parameter->useful = true;
      }
    }
    do {
      changed_ = false;
      for_each_statement_backwards(function_.body,
                                   [&](Statement* statement) { spread_useful(*statement); });
    } while (changed_);
  }

 private:
  void set(bool& flag) {
    changed_ = changed_ || !flag;
    flag = true;
  }

  /// An object without slopes is constant, whatever is done to it.
  bool may_vary(clang::QualType type, bool has_tangent) {
    return !has_tangent || has_slopes(type, types_);
  }
  bool may_vary(const Root& root) {
    return root.kind == Root::Kind::Global || may_vary(root.type, root.has_tangent);
  }

  /// What is carried over as text may pass on what it reads through objects that have no tangent (a
  /// stream, a string, a map).
  void spread_through_text(const Statement& statement) {
    if (statement.harmless) {
      return;
    }
    const auto taint = [&](Root* root) {
      // What only leads to memory takes none of the numbers there along.
      const bool leads = types_.holds_only_pointers(root->type);
      const bool of_text = statement.assigns_character || root->type->isAnyCharacterType();
      if (leads && statement.kind == Statement::Kind::Unsupported) {
        return;  // It is refused itself where numbers come near it.
      }
      const bool reads_varied = llvm::any_of(statement.reads, [&](const Root* read) {
        return read->varied && !(of_text && read->has_tangent);
      });
      const bool has_place = root->has_tangent && !statement.writes_inactive;  // For what was read.
      if (reads_varied && !has_place && !is_discrete(root->type, types_)) {
        set(root->varied);
      }
    };
    for (Root* root : statement.text_writes) {
      taint(root);
    }
    if (statement.kind == Statement::Kind::Declare) {
      taint(statement.root);
    }
  }

  void spread_varied(Statement& statement) {
    spread_through_text(statement);
    switch (statement.kind) {
      case Statement::Kind::Define:
        if (value_varies(*statement.value)) {
          set(statement.value->varied);
        }
        return;
      case Statement::Kind::Store:
      case Statement::Kind::Vector:
        if (statement.value && !statement.value->has_tangent &&
            passes_on(*statement.value, types_)) {
          set(statement.path.root->varied);
        }
        if (statement.value && statement.value->varied && types_.has_tangent(statement.path.type) &&
            path_listed(statement.path) && !statement.path.root->is_null) {
          set(statement.path.root->varied);
        }
        return;
      case Statement::Kind::Declare:
        if (statement.value && statement.value->varied && statement.root->has_tangent) {
          set(statement.root->varied);
        }
        if (statement.value && !statement.root->has_tangent &&
            may_tell(statement.root->type, types_) && passes_on(*statement.value, types_)) {
          set(statement.root->varied);
        }
        return;
      case Statement::Kind::Call: {
        bool varied = false;
        bool told = false;
        for (const Argument& argument : statement.arguments) {
          varied = varied || (argument.has_tangent && brings_varied(argument, types_));
          told = told || is_computed_from_active(argument, types_);
        }
        if (!varied && !told) {
          return;
        }
        // Without a tangent (a text), a result may still tell of numbers.
        if (statement.value && (varied || !statement.value->has_tangent) &&
            may_vary(statement.value->type, statement.value->has_tangent)) {
          set(statement.value->varied);
        }
        const auto may_take = [&](const Root& root) {  // A string that the call may write, say.
          return !root.has_tangent && root.kind != Root::Kind::Global &&
                 may_tell(root.type, types_) && (told || !root.type->isAnyCharacterType());
        };
        for (const Argument& argument : statement.arguments) {
          Root* const root = argument.path.root;
          if (root && !argument.is_constant && !root->is_null &&
              ((varied && argument.has_tangent && may_vary(*root)) || may_take(*root))) {
            set(root->varied);
          }
        }
        for (Root* root : statement.text_writes) {
          if (may_take(*root)) {
            set(root->varied);
          }
        }
        return;
      }
      default:
        return;
    }
  }

  bool path_listed(const Path& path) {
    for (const Step& step : path.steps) {
      if (step.field && !types_.has_tangent(step.field)) {
        return false;
      }
    }
    return true;
  }

  bool value_varies(const Value& value) {
    if (!value.has_tangent) {
      return false;
    }
    if (value.kind == Value::Kind::Load) {
      return value.path.root->varied && is_differentiable(value.path, types_);
    }
    if (value.kind == Value::Kind::Operation && value.rule) {
      for (unsigned i = 0; i < value.operands.size(); ++i) {
        if (value.operands[i]->varied && !value.rule->is_zero(i)) {
          return true;
        }
      }
    }
    return false;
  }

  void spread_useful(Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::Define: {
        Value& value = *statement.value;
        if (!value.useful) {
          return;
        }
        if (value.kind == Value::Kind::Load) {
          set(value.path.root->useful);
        }
        if (value.kind == Value::Kind::Operation && value.rule) {
          for (unsigned i = 0; i < value.operands.size(); ++i) {
            if (!value.rule->is_zero(i)) {
              set(value.operands[i]->useful);
            }
          }
        }
        return;
      }
      case Statement::Kind::Store:
      case Statement::Kind::Vector:
        if (statement.value && statement.path.root->useful) {
          set(statement.value->useful);
        }
        return;
      case Statement::Kind::Declare:
        if (statement.value && statement.root->useful) {
          set(statement.value->useful);
        }
        return;
      case Statement::Kind::Return:
        if (statement.value && function_.key.result_useful) {
          set(statement.value->useful);
        }
        return;
      case Statement::Kind::Call: {
        if (!has_useful_outputs(statement)) {
          return;
        }
        for (const Argument& argument : statement.arguments) {
          if (argument.kind == Argument::Kind::Value) {
            set(argument.value->useful);
          } else if (argument.path.root) {
            set(argument.path.root->useful);
          }
        }
        return;
      }
      default:
        return;
    }
  }

  Function& function_;
  Types& types_;
  bool changed_ = false;
};

}  // namespace

void analyse_activity(Function& function, Types& types) {
  Analysis(function, types).run();
}

}  // namespace ddx::compiler

#include "compiler/residuals/residuals.h"

#include "compiler/analysis/activity.h"
#include "compiler/ir/derivative.h"
#include "compiler/ir/functor_calls.h"
#include "compiler/request/registry.h"
#include "compiler/residuals/expansion.h"
#include "compiler/residuals/invariance.h"
#include "compiler/residuals/last_writer.h"
#include "compiler/residuals/reversed_statements.h"
#include "compiler/residuals/saved_slices.h"
#include "compiler/residuals/shape_slots.h"

#include <optional>

namespace ddx::compiler {

using namespace ir;

namespace {

/// The types of the arguments of `call`, each after a comma.
std::string argument_types(const Statement& call, const Context& context) {
  std::string types;
  for (const Argument& passed : call.arguments) {
    const clang::QualType type = passed.kind == Argument::Kind::Value  ? passed.value->type
                                 : passed.kind == Argument::Kind::Text ? passed.type
                                                                       : passed.path.type;
    types += ", " + context.names.type(type.getUnqualifiedType());
  }
  return types;
}

class Planner {
 public:
  Planner(Function& function, const Context& context, const Writes& writes)
      : function_(function),
        context_(context),
        writes_(writes),
        slices_(function, context, writes) {}

  void run() {
    find_initial_values();
    expansion_.emplace(function_);
    find_reversed(function_, context_.types);
    for_each_statement(function_.body, [&](Statement* statement) { need_of(*statement); });
    plan_shapes(function_, context_);
  }

 private:
  Slot* new_slot(Level* level, std::string type, const std::string& name) {
    return add_slot(function_, level, std::move(type), name);
  }

  // --- values that a variable keeps from its declaration on
  void find_initial_values() {
    for_each_statement(function_.body, [&](Statement* statement) {
      if (statement->kind == Statement::Kind::Declare && statement->value &&
          statement->root->type->isScalarType() && statement->root->kind == Root::Kind::Local &&
          writes_.is_unwritten(*statement->root)) {
        statement->root->initial = statement->value;
      }
    });
  }

  // --- needs
  void need_path(const Path& path) {
    for (const Step& step : path.steps) {
      for (Value* index : step.index) {
        need(index);
      }
    }
  }

  void need_of(Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::Define:
        need_of_operation(*statement.value);
        break;
      case Statement::Kind::Store:
      case Statement::Kind::Vector:
        if (statement.reversed) {
          need_path(statement.path);
          plan_old_shape(function_, context_, statement);
        }
        break;
      case Statement::Kind::Call:
        if (statement.reversed) {
          plan_call(statement);
        }
        break;
      case Statement::Kind::If:
        if (statement.reversed && !statement.last_slot) {
          statement.only_exit = only_exit(statement);
          if (!statement.only_exit) {
            need(statement.value);
          }
        }
        break;
      case Statement::Kind::Loop:
        plan_loop(statement);
        break;
      case Statement::Kind::Switch:
        if (statement.reversed) {
          statement.entry_slot = new_slot(statement.level, "int", "entry");
          plan_breaks(statement);
        }
        break;
      case Statement::Kind::Return:
        if (!function_.single_exit && !function_.exit_slot) {
          function_.exit_slot = new_slot(function_.level, "unsigned", "exit");
        }
        break;
      default:
        break;
    }
  }

  void plan_breaks(Statement& statement) {
    if (statement.break_sites > 0) {
      statement.break_slot = new_slot(statement.level, "unsigned", "left");
    }
  }

  void need_of_operation(Value& value) {
    if (!value.active()) {
      return;
    }
    if (value.kind == Value::Kind::Load) {
      need_path(value.path);
    }
    if (value.kind != Value::Kind::Operation || !value.rule) {
      return;
    }
    if (value.partner && value.partner->slope_slot) {
      return need(value.partner);
    }
    value.partner = nullptr;
    if (saves_slope(value)) {
      value.slope_slot = new_slot(value.level, context_.names.type(value.type.getUnqualifiedType()),
                                  "slope" + std::to_string(value.id));
      return;
    }
    for (unsigned i = 0; i < value.operands.size(); ++i) {
      if (!value.operands[i]->active() || value.rule->is_zero(i)) {
        continue;
      }
      for (unsigned k = 0; k < value.operands.size(); ++k) {
        if (value.rule->needs_operand(i, k)) {
          need(value.operands[k]);
        }
      }
      if (value.rule->needs_result(i)) {
        need_result(value);
      }
    }
  }

  /// A sine costs little more together with its cosine, which alone costs as much again (measured
  /// on shapes: 2.08 times the primal, against 2.59). Not where the operand has another type.
  static bool saves_slope(const Value& value) {
    return !joint_evaluation(*value.rule).empty() && value.operands[0]->active() &&
           value.type->isRealFloatingType() &&
           value.type.getCanonicalType().getUnqualifiedType() ==
               value.operands[0]->type.getCanonicalType().getUnqualifiedType();
  }

  /// A quotient is a product where one over its divisor is at hand, as for its slope by that.
  void need_result(Value& value) {
    unsigned budget = Expansion::most_operations;
    if (value.rule->name == "operator div" && value.found == Value::Found::Unneeded &&
        can_recompute(*value.operands[0], budget)) {
      need(value.operands[0]);
    } else {
      need(&value);
    }
  }

  void plan_call(Statement& call) {
    if (call.functor) {
      call.slot = new_slot(call.level,
                           functor_pullback(*call.functor, argument_types(call, context_)) + "*",
                           "pullback");
    } else if (call.registered) {
      const auto* result = llvm::cast<clang::ClassTemplateSpecializationDecl>(
          call.registered->vjp->getReturnType()->getAsCXXRecordDecl());
      call.slot = new_slot(call.level,
                           context_.names.type(result->getTemplateArgs().get(1).getAsType()) + "*",
                           "pullback");
    } else {
      // The residuals of a function that is still being worked on are not complete: recursion.
      call.boxed = call.derivative->in_progress;
      call.slot =
          new_slot(call.level, call.derivative->residuals() + (call.boxed ? "*" : ""), "call");
    }
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const Argument& argument = call.arguments[i];
      const bool taken = call.derivative && call.derivative->reverse_takes[i];
      if (argument.kind == Argument::Kind::Text) {
        if (taken) {
          mark_text(argument.text);
        }
      } else if (argument.kind != Argument::Kind::Value && argument.path.root) {
        if (taken) {
          mark_root(*argument.path.root);
        }
        if (taken || is_active(argument, context_.types)) {
          need_path(argument.path);
        }
      }
    }
  }

  void plan_loop(Statement& loop) {
    plan_continues(loop);
    if (!loop.reversed) {
      return;
    }
    plan_breaks(loop);
    const bool leaves = loop.break_sites > 0 || loop.exits.any();
    if (loop.form == Statement::LoopForm::Counted) {
      need(loop.begin);
      loop.last_writer = leaves || loop.continue_sites > 0 ? nullptr : last_writer(loop);
      if (loop.last_writer) {
        loop.last_writer->last_slot = new_slot(loop.level, "std::size_t", "last");
        loop.only_last = does_only(loop, *loop.last_writer);
      }
      if (loop.only_last) {
        // The reverse sweep does not count.
      } else if (leaves) {
        loop.count_slot = new_slot(loop.level, "std::size_t", "count");
      } else {
        need(loop.end);
      }
    } else {
      loop.count_slot = new_slot(loop.level, "std::size_t", "count");
    }
    loop.chained = leaves || loop.form != Statement::LoopForm::Counted;
  }

  void plan_continues(Statement& loop) {
    if (loop.reversed && loop.continue_sites > 0) {
      loop.continue_slot = new_slot(loop.inner, "unsigned", "skipped");
    }
  }

  /// Could the reverse sweep evaluate `value` again, with at most `budget` operations?
  bool can_recompute(const Value& value, unsigned& budget) {
    if (value.found != Value::Found::Unneeded) {
      return true;
    }
    if (!expansion_->is_small(value)) {
      return false;
    }
    switch (value.kind) {
      case Value::Kind::Text:
        return value.cheap && text_readable(value.text, value);
      case Value::Kind::Load:
        return is_near(value) ? writes_.is_readable(*value.path.root)
                              : root_readable(*value.path.root, value);
      case Value::Kind::Operation: {
        if (value.rule && is_identity(*value.rule)) {
          return can_recompute(*value.operands[0], budget);
        }
        const bool arithmetic =
            !value.rule || value.rule == conversion_rule() || value.rule->name == "operator add" ||
            value.rule->name == "operator sub" || value.rule->name == "operator mul" ||
            value.rule->name == "operator neg";
        if (!arithmetic || budget == 0 || value.text.find('(') != std::string::npos) {
          if (!(value.rule == conversion_rule() && budget > 0)) {
            return false;
          }
        }
        if (!value.type->isScalarType()) {
          return false;
        }
        --budget;
        const Root* array = nullptr;
        for (const Value* operand : printed_operands(value)) {
          if (can_recompute(*operand, budget) || slices_.joins(*operand)) {
            continue;
          }
          // The difference of two elements of one array: one copy of the array serves all such.
          if (!slices_.may_copy(*operand) || (array && array != operand->path.root)) {
            return false;
          }
          array = operand->path.root;
        }
        return !array || printed_operands(value).size() == 2;
      }
      case Value::Kind::Call:
        return false;
    }
    return false;
  }

  /// One element of an object of its own level is saved rather than the object.
  static bool is_near(const Value& load) {
    return load.path.root->keepable && load.path.root->level == load.level;
  }

  bool text_readable(const std::string& text, const Value& reader) {
    bool readable = true;
    fill_holes(function_, text, [&](Root& root) {
      readable = readable && root_readable(root, reader);
      return std::string();
    });
    return readable;
  }

  /// Does the reverse sweep find in `root` what `reader` found? Indices are needed in their own
  /// right.
  bool root_readable(Root& root, const Value& reader) {
    if (writes_.is_readable(root) || writes_.is_settled(root, reader.order, reader.level)) {
      return true;
    }
    if (root.kind == Root::Kind::Scalar) {
      return writes_.is_unwritten(root) && root.type->isScalarType();
    }
    if (root.initial) {
      return true;  // Saved once where it is declared, at the latest.
    }
    if (root.kind == Root::Kind::Alias) {
      return root_readable(*root.target.root, reader);
    }
    return false;
  }

  void mark_text(const std::string& text) {
    fill_holes(function_, text, [&](Root& root) {
      mark_root(root);
      return std::string();
    });
  }

  void mark_root(Root& root) {
    root.named = true;
    if (root.kind == Root::Kind::Scalar && !root.slot) {
      root.slot = new_slot(function_.level, context_.names.type(root.type), root.name);
    } else if (root.initial) {
      need(root.initial);
    } else if (root.kind == Root::Kind::Alias) {
      mark_root(*root.target.root);
      need_path(root.target);
    } else if (root.keepable && !root.kept_slot) {
      root.kept_slot = new_slot(
          root.level, "ddx::detail::Kept<" + context_.names.type(root.type) + ">", root.name);
    }
  }

  void need(Value* value) {
    if (value->found != Value::Found::Unneeded) {
      return;
    }
    unsigned budget = Expansion::most_operations;
    if (can_recompute(*value, budget)) {
      value->found = Value::Found::Recomputed;
      switch (value->kind) {
        case Value::Kind::Text:
          mark_text(value->text);
          break;
        case Value::Kind::Load:
          mark_root(*value->path.root);
          need_path(value->path);
          break;
        default:
          for (Value* operand : printed_operands(*value)) {
            need(operand);
          }
          break;
      }
      return;
    }
    if (find_linear(*value)) {
      value->found = Value::Found::Recomputed;
      return;
    }
    Level* level = value->level;
    while (level->loop && is_invariant(function_, writes_, *value, *level->loop)) {
      level = level->parent;  // One slot serves every iteration.
    }
    if (level->loop && slices_.copy(*value, *level->loop)) {
      value->found = Value::Found::Copied;
      return;
    }
    value->found = Value::Found::Saved;
    const std::string type = context_.names.type(value->type.getUnqualifiedType());
    value->slot = new_slot(level, value->type->isScalarType() ? type : "const " + type + "*",
                           "t" + std::to_string(value->id));
    value->slot_level = level;
  }

  /// The text of one integer that a loop around it only steps, once per iteration: entry value +
  /// number * step.
  bool find_linear(Value& value) {
    Root* root = nullptr;
    bool single = value.kind == Value::Kind::Text && value.cheap;
    fill_holes(function_, value.text, [&](Root& named) {
      if (!root_readable(named, value)) {
        single = single && (!root || root == &named);
        root = &named;
      }
      return std::string();
    });
    if (!single || !root || root->kind != Root::Kind::Local) {
      return false;
    }
    Level* level = value.level;
    while (level->loop && writes_.count_in(*root, *level->loop) == 0) {
      level = level->parent;
    }
    Statement* const loop = level->loop;
    if (!loop || !loop->reversed || writes_.count_in(*root, *loop) != 1 ||
        root->level == loop->inner) {
      return false;
    }
    const Statement* step = nullptr;
    for (const Block* block : {loop->body, loop->increment}) {
      for (const Statement* statement : block ? block->statements : std::vector<Statement*>{}) {
        const bool skipped = block == loop->body && loop->continue_sites > 0;
        if (statement->stepped == root && !skipped) {
          step = statement;
        }
      }
    }
    // Where does the value stand: in the body, and before or behind the step?
    const Block* at = value.block;
    const Statement* place = nullptr;
    while (at && at != loop->body && at != loop->increment) {
      place = at->owner;
      at = at->parent;
    }
    if (!step || at != loop->body) {
      return false;
    }
    bool behind = false;
    for (const Statement* statement : loop->body->statements) {
      const bool here =
          place ? statement == place
                : statement->kind == Statement::Kind::Define && statement->value == &value;
      if (here) {
        break;
      }
      behind = behind || statement == step;
    }
    const bool known =
        llvm::any_of(loop->linear, [&](const auto& entry) { return entry.first == root; });
    if (!known) {
      loop->linear.push_back(
          {root, {new_slot(loop->level, context_.names.type(root->type), root->name), step->step}});
    }
    value.linear_in = loop;
    value.linear_root = root;
    value.linear_after = behind;
    mark_text(value.text);
    return true;
  }

  Function& function_;
  const Context& context_;
  const Writes& writes_;
  SavedSlices slices_;
  std::optional<Expansion> expansion_;  ///< Once the values that variables keep are known.
};

}  // namespace

void plan_residuals(Function& function, const Context& context, const Writes& writes) {
  Planner(function, context, writes).run();
}

}  // namespace ddx::compiler

#include "compiler/residuals/residuals.h"

#include "compiler/analysis/activity.h"
#include "compiler/ir/derivative.h"
#include "compiler/ir/functor_calls.h"
#include "compiler/request/registry.h"
#include "compiler/residuals/expansion.h"
#include "compiler/residuals/invariance.h"
#include "compiler/residuals/last_writer.h"
#include "compiler/residuals/saved_slices.h"

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
    find_exits(*function_.body);
    mark_reversed(*function_.body);
    for_each_statement(function_.body, [&](Statement* statement) { need_of(*statement); });
    plan_shapes();
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

  // --- sites by which control leaves a region
  static void merge(Exits& into, const Exits& from) {
    into.last_return = std::max(into.last_return, from.last_return);
    const auto add = [](auto& list, const auto& more) {
      for (const auto& [target, site] : more) {
        auto* found = llvm::find_if(list, [&](const auto& known) { return known.first == target; });
        if (found == list.end()) {
          list.push_back({target, site});
        } else {
          found->second = std::max(found->second, site);
        }
      }
    };
    add(into.breaks, from.breaks);
    add(into.continues, from.continues);
  }

  Exits find_exits(Block& block) {
    Exits result;
    for (Statement* statement : block.statements) {
      Exits own;
      switch (statement->kind) {
        case Statement::Kind::Return:
          if (!function_.single_exit) {
            own.last_return = statement->site;
          }
          break;
        case Statement::Kind::Break:
          if (statement->site > 0) {
            own.breaks.push_back({statement->target, statement->site});
          }
          break;
        case Statement::Kind::Continue:
          own.continues.push_back({statement->target, statement->site});
          break;
        default:
          for (Block* inner : {statement->body, statement->otherwise, statement->increment}) {
            if (inner) {
              merge(own, find_exits(*inner));
            }
          }
          for (SwitchSegment& segment : statement->segments) {
            merge(own, find_exits(*segment.body));
          }
          llvm::erase_if(own.breaks, [&](const auto& exit) { return exit.first == statement; });
          llvm::erase_if(own.continues, [&](const auto& exit) { return exit.first == statement; });
          break;
      }
      statement->exits = own;
      merge(result, own);
    }
    return result;
  }

  // --- what the reverse sweep visits
  bool mark_reversed(Block& block) {
    bool any = false;
    for (Statement* statement : block.statements) {
      bool inner = false;
      for (Block* part : {statement->body, statement->otherwise, statement->increment}) {
        if (part) {
          inner = mark_reversed(*part) || inner;
        }
      }
      for (SwitchSegment& segment : statement->segments) {
        inner = mark_reversed(*segment.body) || inner;
      }
      statement->reversed = inner || has_adjoint(*statement);
      any = any || statement->reversed;
    }
    return any;
  }

  bool has_adjoint(const Statement& statement) {
    switch (statement.kind) {
      case Statement::Kind::Define:
        return statement.value->active();
      case Statement::Kind::Store:
      case Statement::Kind::Vector:
        return statement.path.root->active() && is_differentiable(statement.path, context_.types);
      case Statement::Kind::Declare:
        return statement.value && statement.value->active() && statement.root->active();
      case Statement::Kind::Return:
        return statement.value && statement.value->active();
      case Statement::Kind::Call:
        return is_active(statement, context_.types);
      default:
        return false;
    }
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
          plan_store(statement);
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

  /// The exit at the end of the branch, where it has no other and nothing else to choose: the site
  /// among the residuals states whether it was taken.
  static const Statement* only_exit(const Statement& branch) {
    if (!branch.otherwise->statements.empty() || branch.body->statements.empty()) {
      return nullptr;
    }
    const Statement* const last = branch.body->statements.back();
    unsigned exits = 0;
    for_each_statement(branch.body, [&](const Statement* inner) {
      exits += inner->kind == Statement::Kind::Return || inner->kind == Statement::Kind::Break ||
               inner->kind == Statement::Kind::Continue;
    });
    const bool leaves = last->kind == Statement::Kind::Return ||
                        last->kind == Statement::Kind::Break ||
                        last->kind == Statement::Kind::Continue;
    return leaves && exits == 1 && last->site > 0 && branch.exits.any() ? last : nullptr;
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

  void plan_store(Statement& statement) {
    const clang::QualType type = statement.path.type;
    const bool whole = statement.kind == Statement::Kind::Store;
    const bool drops = statement.kind == Statement::Kind::Vector &&
                       (statement.action == Statement::VectorAction::Resize ||
                        statement.action == Statement::VectorAction::Clear ||
                        statement.action == Statement::VectorAction::SetAlternative ||
                        statement.action == Statement::VectorAction::Reset);
    if (statement.constructs) {
      return;  // There was nothing before.
    }
    if (context_.types.is_flat_vector(type)) {
      if (whole || drops) {
        statement.slot = new_slot(statement.level, "std::size_t", "old_size");
      }
    } else if (context_.types.is_shaped(type) && keeps_dropped_elements(statement)) {
      statement.slot = new_slot(statement.level,
                                "ddx::detail::OldElements<" + context_.types.tangent(type) + ">",
                                "old_elements");
    } else if (context_.types.is_shaped(type) && (whole || drops)) {
      statement.slot = new_slot(statement.level, context_.types.tangent(type) + "*", "old_shape");
    } else if (context_.types.is_shaped(type) && statement.kind == Statement::Kind::Vector &&
               (statement.action == Statement::VectorAction::RemoveLast ||
                statement.action == Statement::VectorAction::RemoveFirst)) {
      statement.slot =
          new_slot(statement.level, context_.types.tangent(context_.types.element(type)) + "*",
                   "last_shape");
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

  // --- adjoints whose shape only the forward sweep knows
  void plan_shapes() {
    for (Root& root : function_.roots) {
      if (root.kind != Root::Kind::Local || !root.active() ||
          !context_.types.is_shaped(root.type)) {
        continue;
      }
      if (context_.types.is_flat_vector(root.type)) {
        root.size_slot = new_slot(root.level, "std::size_t", root.name + "_size");
      } else {
        root.shape_slot =
            new_slot(root.level, context_.types.tangent(root.type) + "*", root.name + "_shape");
      }
    }
  }

  Function& function_;
  const Context& context_;
  const Writes& writes_;
  SavedSlices slices_;
  std::optional<Expansion> expansion_;  ///< Once the values that variables keep are known.
};

}  // namespace

bool keeps_dropped_elements(const Statement& statement) {
  return statement.kind == Statement::Kind::Vector &&
         (statement.action == Statement::VectorAction::Resize ||
          statement.action == Statement::VectorAction::Clear);
}

void plan_residuals(Function& function, const Context& context, const Writes& writes) {
  Planner(function, context, writes).run();
}

}  // namespace ddx::compiler

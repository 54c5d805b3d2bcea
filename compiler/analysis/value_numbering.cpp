#include "compiler/analysis/value_numbering.h"

#include "compiler/analysis/activity.h"
#include "compiler/analysis/writes.h"
#include "compiler/ir/overlap.h"
#include "compiler/rules/scalar_rules.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include <utility>
#include <vector>

namespace ddx::compiler {

using namespace ir;

namespace {

class ValueNumbering {
 public:
  explicit ValueNumbering(Function& function) : function_(function), writes_(function) {}

  void run() {
    walk(*function_.body);
    if (!replaced_.empty()) {
      replace_uses();
    }
  }

 private:
  // --- the name of what a value computes: equal names, equal values

  std::string name_of(const Value* value) const {
    const auto found = equal_.find(value);
    return "#" + std::to_string((found == equal_.end() ? value : found->second)->id);
  }

  /// True for what is said as easily again, in both sweeps: a name or a number.
  bool is_plain(const Value& value) const {
    if (value.kind == Value::Kind::Text) {
      return value.text.find(' ') == std::string::npos;
    }
    if (value.kind != Value::Kind::Load || !value.path.steps.empty()) {
      return false;
    }
    const Root& root = *value.path.root;
    return writes_.is_unwritten(root) && (root.kind != Root::Kind::Reference || root.is_unchanged);
  }

  static std::string type_of(const Value& value) {
    return std::to_string(
        reinterpret_cast<std::uintptr_t>(value.type.getCanonicalType().getTypePtr()));
  }

  /// Empty where nothing can be said.
  std::string name(const Value& value) const {
    if (!value.type->isScalarType()) {
      return "";
    }
    const std::string type = type_of(value);
    switch (value.kind) {
      case Value::Kind::Load: {
        if (value.path.root->bound_to_text) {
          return "";
        }
        std::string text = type + " load " + std::to_string(value.path.root->id);
        for (const Step& step : value.path.steps) {
          if (step.is_element()) {
            text += "[";
            for (const Value* index : step.index) {
              text += name_of(index);
            }
            text += "]";
          } else if (step.part >= 0) {
            text += "<" + std::to_string(step.part) + ">";
          } else {
            const void* part = step.field ? static_cast<const void*>(step.field) : step.base;
            text += "." + std::to_string(reinterpret_cast<std::uintptr_t>(part));
          }
        }
        return text;
      }
      case Value::Kind::Text:
        return value.cheap && !names_text(value) ? type + " text " + value.text : "";
      case Value::Kind::Operation: {
        if (!value.rule) {
          return "";
        }
        std::string text = type + " operation " + value.text;
        for (const Value* operand : value.operands) {
          text += name_of(operand);
        }
        return text;
      }
      case Value::Kind::Call:
        return "";
    }
    return "";
  }

  /// True for text that names, by an alias maybe, what other names may be part of.
  bool names_text(const Value& value) const {
    return llvm::any_of(value.reads,
                        [](const Root* root) { return named_root(*root).bound_to_text; });
  }

  // --- what is known at a place

  /// Records that a write to `root` makes the value named `name` another one.
  void depends(const std::string& name, const Root& root) {
    if (root.kind == Root::Kind::Alias) {
      depends(name, *root.target.root);
    }
    dependants_[&root].push_back(name);
    if (root.kind == Root::Kind::Global) {
      globals_.insert(&root);
    }
    if (is_outside(root)) {
      outside_.insert(&root);
    }
  }

  void define(Value& value) {
    const std::string name = this->name(value);
    if (name.empty()) {
      return;
    }
    const auto [found, is_new] = known_.try_emplace(name, &value);
    if (!is_new) {
      equal_[&value] = found->second;
      if (!is_plain(value) || value.type->isPointerType()) {  // A pointer is saved wherever it is.
        replaced_[&value] = found->second;
      }
      return;
    }
    added_.push_back(name);
    find_partner(value);
    if (value.kind == Value::Kind::Load) {
      depends(name, *value.path.root);
    } else if (value.kind == Value::Kind::Text) {
      texts_.push_back(name);
      fill_holes(function_, value.text, [&](Root& root) {
        depends(name, root);
        return std::string();
      });
    }
  }

  /// Finds the sine or cosine that has taken the same angle.
  void find_partner(Value& value) {
    if (value.kind != Value::Kind::Operation || joint_evaluation(*value.rule).empty()) {
      return;
    }
    const std::string angle = type_of(value) + " angle " + name_of(value.operands[0]);
    const auto [found, is_new] = known_.try_emplace(angle, &value);
    if (is_new) {
      added_.push_back(angle);
    } else if (is_sine(*found->second->rule) != is_sine(*value.rule)) {
      value.partner = found->second;
    }
  }

  void forget(std::vector<std::string>& names) {
    for (const std::string& name : names) {
      known_.erase(name);
    }
    names.clear();
  }

  void forget_written(const Root& written) {
    if (const auto found = dependants_.find(&written); found != dependants_.end()) {
      forget(found->second);
    }
    if (is_outside(written)) {
      for (const Root* root : outside_) {
        if (overlap(*root, written)) {
          forget(dependants_[root]);
        }
      }
    }
  }

  /// Forgets what functions may change that no hole names: integers, and globals.
  void forget_unnamed() {
    forget(texts_);
    for (const Root* root : globals_) {
      forget(dependants_[root]);
    }
  }

  /// Forgets what the statement itself may change.
  void forget_changed(const Statement& statement) {
    for_each_write(statement, [&](const Root* root) { forget_written(*root); });
    switch (statement.kind) {
      case Statement::Kind::Call:
      case Statement::Kind::Text:
      case Statement::Kind::Unsupported:
        return forget_unnamed();
      case Statement::Kind::Define:
        if (statement.value->kind == Value::Kind::Text && !statement.value->cheap) {
          forget_unnamed();
        }
        return;
      case Statement::Kind::Declare:
        if (!statement.value) {
          forget_unnamed();
        }
        return;
      default:
        return;
    }
  }

  void forget_changed_in(Block& block) {
    for_each_statement(&block, [&](Statement* statement) { forget_changed(*statement); });
  }

  /// What a block computes is known in it alone.
  void walk_inner(Block* block) {
    if (!block) {
      return;
    }
    std::vector<std::string> outer = std::exchange(added_, {});
    walk(*block);
    forget(added_);
    added_ = std::move(outer);
  }

  void walk(Block& block) {
    for (Statement* statement : block.statements) {
      if (statement->kind == Statement::Kind::Loop) {
        // Every iteration but the first comes after the others.
        forget_changed(*statement);
        forget_changed_in(*statement->body);
        if (statement->increment) {
          forget_changed_in(*statement->increment);
        }
      }
      walk_inner(statement->body);
      walk_inner(statement->otherwise);
      walk_inner(statement->increment);
      for (SwitchSegment& segment : statement->segments) {
        walk_inner(segment.body);
      }
      if (statement->kind == Statement::Kind::Define && statement->text_writes.empty()) {
        define(*statement->value);
      }
      forget_changed(*statement);
    }
  }

  // --- one for the other

  void replace(Value*& value) {
    if (!value) {
      return;
    }
    if (const auto found = replaced_.find(value); found != replaced_.end()) {
      value = found->second;
    }
  }

  void replace(Path& path) {
    for (Step& step : path.steps) {
      for (Value*& index : step.index) {
        replace(index);
      }
    }
  }

  void replace_uses() {
    for (Value& value : function_.values) {
      for (Value*& operand : value.operands) {
        replace(operand);
      }
      replace(value.path);
    }
    for (Root& root : function_.roots) {
      replace(root.target);
    }
    for (Statement& statement : function_.statements) {
      if (statement.kind != Statement::Kind::Define) {
        replace(statement.value);
      }
      replace(statement.count);
      replace(statement.begin);
      replace(statement.end);
      replace(statement.path);
      for (Argument& argument : statement.arguments) {
        replace(argument.value);
        replace(argument.path);
      }
    }
    for (Block& block : function_.blocks) {
      llvm::erase_if(block.statements, [&](const Statement* statement) {
        return statement->kind == Statement::Kind::Define && replaced_.contains(statement->value);
      });
    }
  }

  Function& function_;
  const Writes writes_;
  llvm::StringMap<Value*> known_;
  llvm::DenseMap<const Value*, Value*> equal_;     ///< To the value of its name.
  llvm::DenseMap<const Value*, Value*> replaced_;  ///< Of these, those that it takes the place of.
  llvm::DenseMap<const Root*, std::vector<std::string>> dependants_;
  llvm::DenseSet<const Root*> outside_;  ///< Roots among these that other roots may overlap.
  llvm::DenseSet<const Root*> globals_;  ///< Roots among these that are variables of the program.
  std::vector<std::string> texts_;
  std::vector<std::string> added_;
};

}  // namespace

void number_values(Function& function) {
  ValueNumbering(function).run();
}

}  // namespace ddx::compiler

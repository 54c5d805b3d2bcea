#include "compiler/ir/ir.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace ddx::compiler::ir {

Slot* add_slot(Function& function, Level* level, std::string type, const std::string& name) {
  Slot& slot = function.slots.emplace_back();
  slot.type = std::move(type);
  // A member of the record: a global variable's name loses its qualifier.
  const std::size_t qualifier = name.rfind("::");
  slot.name = (qualifier == std::string::npos ? name : name.substr(qualifier + 2)) + "_" +
              std::to_string(function.slots.size());
  level->slots.push_back(&slot);
  return &slot;
}

namespace {

const char* action_name(Statement::VectorAction action) {
  switch (action) {
    case Statement::VectorAction::Append:
      return "append";
    case Statement::VectorAction::RemoveLast:
      return "remove_last";
    case Statement::VectorAction::Resize:
      return "resize";
    case Statement::VectorAction::Clear:
      return "clear";
    case Statement::VectorAction::Fill:
      return "fill";
    case Statement::VectorAction::Prepend:
      return "prepend";
    case Statement::VectorAction::RemoveFirst:
      return "remove_first";
  }
  llvm_unreachable("not an action");
}

/// Renders a function; which facts are shown depends on the stage.
class Printer {
 public:
  Printer(const Function& function, Stage stage) : function_(function), stage_(stage) {}

  std::string run() {
    out_ = function_.key.function->getNameAsString() + "(";
    for (const Root* parameter : function_.parameters) {
      out_ += (parameter == function_.parameters.front() ? "" : ", ") + parameter->name +
              facts(*parameter);
    }
    out_ += ")\n";
    block(*function_.body, 1);
    return out_;
  }

 private:
  template <class Named>
  std::string facts(const Named& named) const {
    if (stage_ == Stage::Lower || !named.has_tangent) {
      return "";
    }
    return named.active() ? " [active]"
           : named.varied ? " [varied]"
           : named.useful ? " [useful]"
                          : " [none]";
  }

  std::string found(const Value& value) const {
    if (stage_ != Stage::Residuals) {
      return "";
    }
    const std::string slope = value.slope_slot ? " {slope saved in " + value.level->name + "}"
                              : value.partner  ? " {with " + name(value.partner) + "}"
                                               : std::string();
    switch (value.found) {
      case Value::Found::Unneeded:
        return slope;
      case Value::Found::Recomputed:
        return " {recomputed}" + slope;
      case Value::Found::Copied:
        return " {copied in front of " + value.slice->home->inner->name + "}" + slope;
      default:
        return " {saved in " + value.slot_level->name + "}" + slope;
    }
  }

  static std::string name(const Value* value) { return "%" + std::to_string(value->id); }

  std::string text(const std::string& with_holes) const {
    return fill_holes(function_, with_holes, [](const Root& root) { return root.name; });
  }

  std::string path(const Path& path) const {
    std::string result = path.root->name;
    for (const Step& step : path.steps) {
      if (step.of_number) {
        result += step.part == 0 ? ".real" : ".imag";
      } else if (step.field) {
        result += "." + step.field->getNameAsString();
      } else if (step.part >= 0) {
        result += ".<" + std::to_string(step.part) + ">";
      } else if (step.base) {
        result += ".<" + step.base->getNameAsString() + ">";
      } else {
        std::string sum;
        for (const Value* part : step.index) {
          sum += (sum.empty() ? "" : " + ") + name(part);
        }
        result += "[" + (sum.empty() ? "0" : sum) + "]";
      }
    }
    return result;
  }

  void line(unsigned depth, const std::string& text) {
    out_ += std::string(2 * depth, ' ') + text + "\n";
  }

  std::string definition(const Value& value) const {
    switch (value.kind) {
      case Value::Kind::Text:
        return text(value.text);
      case Value::Kind::Load:
        return "load " + path(value.path);
      case Value::Kind::Operation: {
        std::string result = value.rule ? value.rule->name : "'" + value.text + "'";
        for (const Value* operand : value.operands) {
          result += " " + name(operand);
        }
        return result;
      }
      case Value::Kind::Call:
        return "call";
    }
    return "";
  }

  void block(const Block& block, unsigned depth) {
    for (const Statement* statement : block.statements) {
      this->statement(*statement, depth);
    }
  }

  void call(const Statement& statement, unsigned depth) {
    std::string list;
    for (const Argument& argument : statement.arguments) {
      list += list.empty() ? "" : ", ";
      switch (argument.kind) {
        case Argument::Kind::Value:
          list += name(argument.value);
          break;
        case Argument::Kind::Reference:
          list += "&" + path(argument.path);
          break;
        case Argument::Kind::Pointer:
          list += "*" + path(argument.path);
          break;
        case Argument::Kind::Text:
          list += text(argument.text);
          break;
      }
    }
    const std::string result = statement.value ? name(statement.value) + facts(*statement.value) +
                                                     found(*statement.value) + " = "
                                               : "";
    line(depth, result + "call " + statement.callee->getQualifiedNameAsString() + "(" + list + ")" +
                    (statement.registered ? " registered" : ""));
  }

  void loop(const Statement& statement, unsigned depth) {
    const std::string marks = stage_ == Stage::Residuals && statement.chained ? " chained" : "";
    if (statement.form == Statement::LoopForm::Counted) {
      line(depth, "loop " + statement.inner->name + " " + statement.root->name + " from " +
                      name(statement.begin) + (statement.inclusive ? " through " : " to ") +
                      name(statement.end) + " step " + std::to_string(statement.step) + marks);
    } else {
      const char* form = statement.form == Statement::LoopForm::While     ? " while "
                         : statement.form == Statement::LoopForm::DoWhile ? " do while "
                                                                          : " forever";
      line(depth, "loop " + statement.inner->name + form + text(statement.text) + marks);
    }
    block(*statement.body, depth + 1);
    if (statement.increment) {
      line(depth, "then");
      block(*statement.increment, depth + 1);
    }
  }

  void statement(const Statement& statement, unsigned depth) {
    switch (statement.kind) {
      case Statement::Kind::Define:
        return line(depth, name(statement.value) + facts(*statement.value) +
                               found(*statement.value) + " = " + definition(*statement.value));
      case Statement::Kind::Store: {
        const char* sign = statement.mode == Statement::StoreMode::Add        ? " += "
                           : statement.mode == Statement::StoreMode::Subtract ? " -= "
                                                                              : " = ";
        return line(depth, "store " + path(statement.path) + sign + name(statement.value));
      }
      case Statement::Kind::Declare:
        return line(depth, "declare " + statement.root->name + facts(*statement.root) +
                               (statement.value          ? " = " + name(statement.value)
                                : statement.text.empty() ? ""
                                                         : " " + text(statement.text)));
      case Statement::Kind::Bind:
        return line(depth, "bind " + statement.root->name + " = &" + path(statement.root->target));
      case Statement::Kind::Call:
        return call(statement, depth);
      case Statement::Kind::If:
        line(depth, "if " + name(statement.value));
        block(*statement.body, depth + 1);
        if (!statement.otherwise->statements.empty()) {
          line(depth, "else");
          block(*statement.otherwise, depth + 1);
        }
        return;
      case Statement::Kind::Loop:
        return loop(statement, depth);
      case Statement::Kind::Switch:
        line(depth, "switch " + name(statement.value));
        for (const SwitchSegment& segment : statement.segments) {
          for (const std::string& label : segment.labels) {
            line(depth, label);
          }
          block(*segment.body, depth + 1);
        }
        return;
      case Statement::Kind::Return:
        return line(depth, "return" + (statement.value ? " " + name(statement.value) : ""));
      case Statement::Kind::Break:
        return line(depth, "break");
      case Statement::Kind::Continue:
        return line(depth, "continue");
      case Statement::Kind::Block:
        line(depth, "block");
        return block(*statement.body, depth + 1);
      case Statement::Kind::Text:
        return line(depth, "text " + text(statement.text));
      case Statement::Kind::Vector: {
        return line(depth, std::string(action_name(statement.action)) + " " + path(statement.path) +
                               (statement.value   ? " " + name(statement.value)
                                : statement.count ? " " + name(statement.count)
                                                  : ""));
      }
      case Statement::Kind::Check:
        return line(depth, "check " + path(statement.path) + " at " + name(statement.value));
      case Statement::Kind::Unsupported:
        return line(depth,
                    "unsupported " + name_of(statement.diagnostic).str() +
                        (statement.facts.empty() ? "" : " " + llvm::join(statement.facts, ", ")));
    }
  }

  const Function& function_;
  Stage stage_;
  std::string out_;
};

}  // namespace

std::string to_string(const Function& function, Stage stage) {
  return Printer(function, stage).run();
}

}  // namespace ddx::compiler::ir

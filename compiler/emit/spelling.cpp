#include "compiler/analysis/activity.h"
#include "compiler/emit/emitter.h"

#include "clang/AST/RecordLayout.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace ddx::compiler {

using namespace ir;

void Emitter::count_uses() {
  const auto use = [](Value* value, Statement* user) {
    if (!value) {
      return;
    }
    ++value->uses;
    value->user = user;
    value->nested_use = value->nested_use || user->block != value->block;
  };
  for_each_statement(function_.body, [&](Statement* statement) {
    const auto use_path = [&](const Path& path) {
      for (const Step& step : path.steps) {
        for (Value* index : step.index) {
          use(index, statement);
        }
      }
    };
    if (statement->kind == Statement::Kind::Define) {
      for (Value* operand : statement->value->operands) {
        use(operand, statement);
      }
      use_path(statement->value->path);
    } else if (statement->kind != Statement::Kind::Call &&
               statement->kind != Statement::Kind::Unsupported) {
      use(statement->value, statement);
      if (statement->value && (statement->kind == Statement::Kind::Store ||
                               statement->kind == Statement::Kind::Vector ||
                               statement->kind == Statement::Kind::Declare ||
                               statement->kind == Statement::Kind::Return)) {
        ++statement->value->whole_uses;
      }
    }
    use(statement->count, statement);
    use(statement->begin, statement);
    use(statement->end, statement);
    use_path(statement->path);
    if (statement->kind == Statement::Kind::Bind) {
      use_path(statement->root->target);
    }
    for (const Argument& argument : statement->arguments) {
      use(argument.value, statement);
      use_path(argument.path);
    }
  });
}

namespace {

/// So deep may operations stand in one another where they are printed: few compilers of C++ read
/// more than 256 nested brackets.
constexpr unsigned deepest_expression = 64;

/// How deep the expression that `value` is printed as would be.
unsigned depth_of(const Value& value) {
  unsigned inner = 0;
  const auto add = [&](const Value* part) {
    inner = std::max(inner, part->folded ? part->depth : 0);
  };
  for (const Value* operand : value.operands) {
    add(operand);
  }
  for (const Step& step : value.path.steps) {
    for (const Value* part : step.index) {
      add(part);
    }
  }
  return inner + 1;
}

/// True for an object that the next statement puts in its place: printed there, it is made there,
/// and need not be one that can be copied or moved.
bool is_made_in_place(const Block& block, std::size_t definition) {
  const Value& value = *block.statements[definition]->value;
  const Statement* next =
      definition + 1 < block.statements.size() ? block.statements[definition + 1] : nullptr;
  return next && next == value.user && next->value == &value && value.type->isRecordType() &&
         (next->kind == Statement::Kind::Declare || next->constructs);
}

}  // namespace

/// A value is printed where it is used when that is its only use, nothing is saved of it, only
/// pure definitions lie between, and the expression does not become too deep.
void Emitter::decide_folding(Block& block) {
  for (std::size_t i = 0; i < block.statements.size(); ++i) {
    Statement* statement = block.statements[i];
    if (statement->kind != Statement::Kind::Define) {
      continue;
    }
    Value& value = *statement->value;
    value.depth = depth_of(value);
    const bool object = value.kind == Value::Kind::Load && !value.type->isScalarType();
    if (value.depth > deepest_expression || value.nested_use ||
        (value.uses != 1 && !(object && value.uses > 0)) || value.found == Value::Found::Saved ||
        value.slope_slot || !statement->text_writes.empty()) {
      continue;
    }
    if (value.kind == Value::Kind::Text && !value.cheap && !is_made_in_place(block, i)) {
      continue;
    }
    bool pure = true;
    std::size_t k = i + 1;
    for (; pure && k < block.statements.size() && block.statements[k] != value.user; ++k) {
      const Statement& between = *block.statements[k];
      const bool definition = between.kind == Statement::Kind::Define &&
                              between.text_writes.empty() &&
                              (between.value->kind != Value::Kind::Text || between.value->cheap);
      pure = pure && (definition || between.kind == Statement::Kind::Bind);
    }
    const bool header = value.user && (value.user->kind == Statement::Kind::Loop ||
                                       value.user->kind == Statement::Kind::Bind);
    value.folded = pure && k < block.statements.size() && !header;
  }
}

std::string Emitter::index(const Step& step, Sweep sweep) {
  std::string sum;
  for (const Value* part : step.index) {
    sum += (sum.empty() ? "" : " + ") + value(*part, sweep);
  }
  return sum.empty() ? "0" : sum;
}

std::string Emitter::root(const Root& root, Sweep sweep) {
  if (sweep == Sweep::Forward) {
    return root.name;
  }
  switch (root.kind) {
    case Root::Kind::Scalar:
      return root.slot ? slot(root.slot, function_.level) : root.name;
    case Root::Kind::Alias:
      return root.is_pointer_alias ? pointer(root.target, sweep)
                                   : "(" + path(root.target, sweep) + ")";
    case Root::Kind::Local:
      if (reading_ && reading_->linear_root == &root) {
        return linear(*reading_);
      }
      return root.kept_slot ? "(*" + slot(root.kept_slot, root.level) + ")"
             : root.initial ? value(*root.initial, sweep)
                            : root.name;
    case Root::Kind::Reference:
    case Root::Kind::Pointer:
    case Root::Kind::Induction:
    case Root::Kind::Global:
    case Root::Kind::Memory:
      return root.name;
  }
  return root.name;
}

/// An integer that its loop only steps, from the number of the iteration.
std::string Emitter::linear(const Value& read) {
  const Statement& loop = *read.linear_in;
  for (const auto& [stepped, entry] : loop.linear) {
    if (stepped == read.linear_root) {
      const std::string here = "at_" + entry.first->name;
      return read.linear_after ? "static_cast<" + type(stepped->type) + ">(" + here + " + " +
                                     std::to_string(entry.second) + ")"
                               : here;
    }
  }
  return read.linear_root->name;
}

std::string Emitter::text(const std::string& with_holes, Sweep sweep) {
  return fill_holes(function_, with_holes, [&](Root& named) { return root(named, sweep); });
}

/// As `path`, for a write: members that are const are written while their object is made.
std::string Emitter::writable(const Path& path) {
  Path part = path;
  for (std::size_t i = path.steps.size(); i-- > 0;) {
    const clang::FieldDecl* field = path.steps[i].field;
    if (field && context_.ast.getBaseElementType(field->getType()).isConstQualified()) {
      part.steps.resize(i + 1);
      clang::Qualifiers unused;
      const std::string member =
          "const_cast<" + type(context_.ast.getUnqualifiedArrayType(field->getType(), unused)) +
          "&>(" + this->path(part, Sweep::Forward) + ")";
      return spelled_from(member, path, i + 1, Sweep::Forward);
    }
  }
  return this->path(path, Sweep::Forward);
}

std::string Emitter::path(const Path& path, Sweep sweep) {
  return spelled_from(root(*path.root, sweep), path, 0, sweep);
}

/// What the steps of `path` from number `first` on name in `result`.
std::string Emitter::spelled_from(std::string result, const Path& path, std::size_t first,
                                  Sweep sweep) {
  for (const Step& step : llvm::ArrayRef(path.steps).drop_front(first)) {
    if (step.of_number) {
      result = "ddx::detail::parts(" + result + ")[" + std::to_string(step.part) + "]";
    } else if (step.field) {
      result += "." + context_.names.field(step.field);
    } else if (step.of_sum_type) {
      result = "ddx::detail::held<" + std::to_string(step.part) + ">(" + result + ")";
    } else if (step.part >= 0) {
      result = "std::get<" + std::to_string(step.part) + ">(" + result + ")";
    } else if (step.base) {
      result = "static_cast<" + type(context_.ast.getRecordType(step.base)) +
               (path.type.isConstQualified() || path.root->is_constant ? " const&>(" : "&>(") +
               result + ")";
    } else {
      result += "[" + index(step, sweep) + "]";
    }
  }
  return result;
}

/// A pointer to what `target` names, without forming an element that may not exist.
std::string Emitter::pointer(const Path& target, Sweep sweep) {
  if (!target.steps.empty() && target.steps.back().of_sum_type) {  // Null where it holds another.
    Path whole = target;
    const Step last = whole.steps.pop_back_val();
    return "ddx::detail::held_if<" + std::to_string(last.part) + ">(" + path(whole, sweep) + ")";
  }
  if (target.steps.empty() || !target.steps.back().is_element() || target.steps.back().segmented) {
    return "(&" + path(target, sweep) + ")";
  }
  Path whole = target;
  const Step last = whole.steps.pop_back_val();
  std::string base = path(whole, sweep);
  if (!whole.steps.empty() || whole.root->kind != Root::Kind::Pointer) {
    base = "std::data(" + base + ")";
  }
  return last.index.empty() ? base : "(" + base + " + (" + index(last, sweep) + "))";
}

std::string Emitter::adjoint(const Path& path, Sweep sweep) {
  const FlatField* const flat = sweep == Sweep::Reverse ? flat_field(path) : nullptr;
  std::string result = flat ? flat->name : adjoint(*path.root);
  const std::size_t first = flat ? flat->part.fields.size() : 0;
  for (const Step& step : llvm::ArrayRef(path.steps).drop_front(first)) {
    if (step.of_number) {
      result = "ddx::detail::parts(" + result + ")[" + std::to_string(step.part) + "]";
    } else if (step.field) {
      result += "." + context_.names.field(step.field);
    } else if (step.part >= 0) {
      result = "std::get<" + std::to_string(step.part) + ">(" + result + ")";
    } else if (step.base) {
      result += ".base_" + step.base->getName().str();
    } else {
      result += "[" + index(step, sweep) + "]";
    }
  }
  return result;
}

std::string Emitter::adjoint_pointer(const Path& target, Sweep sweep) {
  if (target.steps.empty() || !target.steps.back().is_element() || target.steps.back().segmented) {
    return "(&" + adjoint(target, sweep) + ")";
  }
  Path whole = target;
  const Step last = whole.steps.pop_back_val();
  const bool is_pointer = whole.steps.empty() && whole.root->kind == Root::Kind::Pointer;
  const std::string base = is_pointer                ? adjoint(whole, sweep)
                           : sweep == Sweep::Reverse ? adjoint_elements(whole)
                                                     : "std::data(" + adjoint(whole, sweep) + ")";
  return last.index.empty() ? base : "(" + base + " + (" + index(last, sweep) + "))";
}

/// An operation, by what computes its result in a derivative.
std::string Emitter::operation_text(const Value& computed, Sweep sweep) {
  const llvm::StringRef instead = computed.rule ? value_in_derivatives(*computed.rule) : "";
  std::string result;
  for (std::size_t i = 0; i < computed.text.size(); ++i) {
    if (computed.text[i] == '$') {
      const auto operand = static_cast<std::size_t>(computed.text[++i] - '0');
      result += value(*computed.operands[operand], sweep);
    } else {
      result += computed.text[i];
    }
  }
  if (!instead.empty()) {
    result = instead.str() + result.substr(result.find('('));
  }
  return computed.rule && is_singular_at_zero(*computed.rule)
             ? "ddx::detail::singular_at_zero(" + result + ")"
             : result;
}

/// The expression that computes `value`.
std::string Emitter::expression(const Value& computed, Sweep sweep) {
  switch (computed.kind) {
    case Value::Kind::Text: {
      const Value* const outer = std::exchange(reading_, &computed);
      std::string result = text(computed.text, sweep);
      reading_ = outer;
      return result;
    }
    case Value::Kind::Load:
      if (sweep == Sweep::Reverse && computed.path.steps.empty() && computed.path.root->initial) {
        return value(*computed.path.root->initial, sweep);
      }
      return path(computed.path, sweep);
    case Value::Kind::Operation: {
      if (computed.slope_slot && sweep == Sweep::Forward) {
        return joint_evaluation(*computed.rule).str() + "(" + value(*computed.operands[0], sweep) +
               ", " + slot(computed.slope_slot, computed.level) + ")";
      }
      if (computed.partner && computed.partner->slope_slot && sweep == Sweep::Forward) {
        return (is_sine(*computed.rule) ? "-" : "") +
               slot(computed.partner->slope_slot, computed.partner->level);
      }
      return operation_text(computed, sweep);
    }
    case Value::Kind::Call:
      break;
  }
  return "t" + std::to_string(computed.id);
}

std::string Emitter::value(const Value& named, Sweep sweep) {
  if (sweep == Sweep::Forward) {
    if (!named.folded) {
      return "t" + std::to_string(named.id);
    }
  } else if (named.found == Value::Found::Saved) {
    const std::string saved = slot(named.slot, named.slot_level);
    return named.type->isScalarType() ? saved : "(*" + saved + ")";
  } else if (named.found == Value::Found::Copied) {
    return copied(named);
  }
  const std::string inner = expression(named, sweep);
  const bool simple =
      named.kind == Value::Kind::Load ||
      inner.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.") ==
          std::string::npos;
  return simple ? inner : "(" + inner + ")";
}

}  // namespace ddx::compiler

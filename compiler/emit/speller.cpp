#include "compiler/emit/speller.h"

#include "compiler/analysis/activity.h"
#include "compiler/emit/all_parts.h"

#include "clang/AST/RecordLayout.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace ddx::compiler {

using namespace ir;

std::string Speller::index(const Step& step, Sweep sweep) {
  std::string sum;
  for (const Value* part : step.index) {
    sum += (sum.empty() ? "" : " + ") + value(*part, sweep);
  }
  return sum.empty() ? "0" : sum;
}

std::string Speller::root(const Root& root, Sweep sweep) {
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
      return root.name;
  }
  return root.name;
}

/// An integer that its loop only steps, from the number of the iteration.
std::string Speller::linear(const Value& read) {
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

std::string Speller::text(const std::string& with_holes, Sweep sweep) {
  return fill_holes(function_, with_holes, [&](Root& named) { return root(named, sweep); });
}

/// As `path`, for a write: members that are const are written while their object is made.
std::string Speller::writable(const Path& path) {
  Path part = path;
  for (std::size_t i = path.steps.size(); i-- > 0;) {
    const clang::FieldDecl* field = path.steps[i].field;
    if (field && context_.ast.getBaseElementType(field->getType()).isConstQualified()) {
      part.steps.resize(i + 1);
      clang::Qualifiers unused;
      const std::string member =
          "const_cast<" + type(context_.ast.getUnqualifiedArrayType(field->getType(), unused)) +
          "&>(" + this->path(part, Sweep::Forward) + ")";
      return spelled_from(member, path, i + 1, Sweep::Forward, "&>(");
    }
  }
  return spelled_from(root(*path.root, Sweep::Forward), path, 0, Sweep::Forward, "&>(");
}

std::string Speller::path(const Path& path, Sweep sweep) {
  const bool is_constant = path.type.isConstQualified() || path.root->is_constant;
  return spelled_from(root(*path.root, sweep), path, 0, sweep, is_constant ? " const&>(" : "&>(");
}

/// What the steps of `path` from number `first` on name in `result`. `base_cast`: what follows the
/// type in a cast to a base class.
std::string Speller::spelled_from(std::string result, const Path& path, std::size_t first,
                                  Sweep sweep, llvm::StringRef base_cast) {
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
      result = "static_cast<" + type(context_.ast.getRecordType(step.base)) + base_cast.str() +
               result + ")";
    } else {
      result += "[" + index(step, sweep) + "]";
    }
  }
  return result;
}

/// A pointer to what `target` names, without forming an element that may not exist.
std::string Speller::pointer(const Path& target, Sweep sweep) {
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

std::string Speller::adjoint(const Path& path, Sweep sweep) {
  const FlatField* const flat = sweep == Sweep::Reverse ? flat_adjoints_.flat_field(path) : nullptr;
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

std::string Speller::adjoint_pointer(const Path& target, Sweep sweep) {
  if (target.steps.empty() || !target.steps.back().is_element() || target.steps.back().segmented) {
    return "(&" + adjoint(target, sweep) + ")";
  }
  Path whole = target;
  const Step last = whole.steps.pop_back_val();
  const bool is_pointer = whole.steps.empty() && whole.root->kind == Root::Kind::Pointer;
  const std::string base = is_pointer                ? adjoint(whole, sweep)
                           : sweep == Sweep::Reverse ? flat_adjoints_.adjoint_elements(whole)
                                                     : "std::data(" + adjoint(whole, sweep) + ")";
  return last.index.empty() ? base : "(" + base + " + (" + index(last, sweep) + "))";
}

/// An operation, by what computes its result in a derivative.
std::string Speller::operation_text(const Value& computed, Sweep sweep) {
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
std::string Speller::expression(const Value& computed, Sweep sweep) {
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

std::string Speller::value(const Value& named, Sweep sweep) {
  if (sweep == Sweep::Forward) {
    if (!named.folded) {
      return "t" + std::to_string(named.id);
    }
  } else if (named.found == Value::Found::Saved) {
    const std::string saved = slot(named.slot, named.slot_level);
    return named.type->isScalarType() ? saved : "(*" + saved + ")";
  } else if (named.found == Value::Found::Copied) {
    return slice_copies_.copied(named);
  }
  const std::string inner = expression(named, sweep);
  const bool simple =
      named.kind == Value::Kind::Load ||
      inner.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.") ==
          std::string::npos;
  return simple ? inner : "(" + inner + ")";
}

}  // namespace ddx::compiler

#include "compiler/residuals/expansion.h"

#include "compiler/analysis/activity.h"

#include <algorithm>

namespace ddx::compiler {

using namespace ir;

void Expansion::Size::add(const Size& other) {
  operations += other.operations;
  nested_reads = std::max(nested_reads, other.nested_reads);
}

// Operands stand before the values computed from them, so that each is known when it is asked for.
Expansion::Expansion(const Function& function) : function_(function) {
  for_each_statement(function.body, [&](const Statement* statement) {
    if (statement->kind == Statement::Kind::Define) {
      sizes_[statement->value] = size_of(*statement->value);
    }
  });
}

bool Expansion::is_small(const Value& value) const {
  const auto known = sizes_.find(&value);
  return (known == sizes_.end() ? size_of(value) : known->second).is_small();
}

Expansion::Size Expansion::inside(const Value& value) const {
  const auto known = sizes_.find(&value);
  const Size size = known == sizes_.end() ? size_of(value) : known->second;
  return size.is_small() ? size : Size{};
}

Expansion::Size Expansion::size_of(const Value& value) const {
  Size size;
  switch (value.kind) {
    case Value::Kind::Text:
      fill_holes(function_, value.text, [&](const Root& root) {
        size.add(size_of(root));
        size.operations += root.initial ? 1 : 0;
        return std::string();
      });
      break;
    case Value::Kind::Load:
      size = size_of(value.path);
      break;
    case Value::Kind::Operation:
      size.operations = 1;
      for (const Value* operand : printed_operands(value)) {
        size.add(inside(*operand));
      }
      break;
    case Value::Kind::Call:
      break;
  }
  return size;
}

Expansion::Size Expansion::size_of(const Root& root) const {
  if (root.initial) {
    return inside(*root.initial);
  }
  return root.kind == Root::Kind::Alias ? size_of(root.target) : Size{};
}

Expansion::Size Expansion::size_of(const Path& path) const {
  Size size = size_of(*path.root);
  for (const Step& step : path.steps) {
    if (step.is_element()) {
      unsigned inner = 0;
      for (const Value* part : step.index) {
        inner = std::max(inner, inside(*part).nested_reads);
      }
      size.nested_reads = std::max(size.nested_reads, inner + 1);
    }
  }
  return size;
}

}  // namespace ddx::compiler

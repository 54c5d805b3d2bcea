#include "compiler/residuals/invariance.h"

namespace ddx::compiler {

using namespace ir;

bool is_invariant(const Function& function, const Writes& writes, const Value& value,
                  const Statement& loop) {
  bool inside = false;
  for (const Level* level = value.level; level; level = level->parent) {
    inside = inside || level == loop.inner;
  }
  if (!inside) {
    return true;
  }
  const auto path_invariant = [&](const Path& path) {
    if (!writes.is_invariant(*path.root, loop)) {
      return false;
    }
    for (const Step& step : path.steps) {
      for (const Value* index : step.index) {
        if (!is_invariant(function, writes, *index, loop)) {
          return false;
        }
      }
    }
    return true;
  };
  switch (value.kind) {
    case Value::Kind::Text: {
      if (!value.cheap) {
        return false;
      }
      bool invariant = true;
      fill_holes(function, value.text, [&](Root& root) {
        const bool here = root.kind == Root::Kind::Alias ? path_invariant(root.target)
                          : root.initial ? is_invariant(function, writes, *root.initial, loop)
                                         : writes.is_invariant(root, loop);
        invariant = invariant && here;
        return std::string();
      });
      return invariant;
    }
    case Value::Kind::Load:
      if (value.path.root->initial && value.path.steps.empty()) {
        return is_invariant(function, writes, *value.path.root->initial, loop);
      }
      return path_invariant(value.path);
    case Value::Kind::Operation:
      return llvm::all_of(value.operands, [&](const Value* operand) {
        return is_invariant(function, writes, *operand, loop);
      });
    case Value::Kind::Call:
      return false;
  }
  return false;
}

}  // namespace ddx::compiler

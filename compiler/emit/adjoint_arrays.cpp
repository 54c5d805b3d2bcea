#include "compiler/emit/adjoint_arrays.h"

#include "compiler/analysis/activity.h"
#include "compiler/emit/all_parts.h"

#include "llvm/ADT/MapVector.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// What the statements of a function do to one local vector.
struct History {
  bool touched = false;  ///< By some statement behind its declaration.
  bool starts_empty = false;
  bool appended = false;
  bool filled = false;
  bool unfit = false;
};

/// Finds the local vectors that only grow, and whose adjoints are met element by element or all
/// elements at once: an array of the final length holds such an adjoint.
class Search {
 public:
  Search(Function& function, Types& types) : function_(function), types_(types) {}

  void run() {
    for (Block& block : function_.blocks) {
      for (const Root* declared : block.roots) {
        if (declared->kind == Root::Kind::Local && declared->block == &block &&
            declared->active() && declared->size_slot &&
            Types::container(declared->type) == Container::StdVector &&
            Types::is_real(types_.element(declared->type))) {
          histories_[declared];
        }
      }
    }
    for_each_statement(function_.body, [&](const Statement* statement) { add(*statement); });
  }

  [[nodiscard]] bool fits(const Root& root) const {
    const auto found = histories_.find(&root);
    return found != histories_.end() && !found->second.unfit &&
           !(found->second.appended && found->second.filled);
  }

  [[nodiscard]] const llvm::MapVector<const Root*, History>& histories() const {
    return histories_;
  }

 private:
  History* history(const Root* root) {
    const auto* found = histories_.find(root);
    return found == histories_.end() ? nullptr : const_cast<History*>(&found->second);
  }

  void touch(const Path& path, bool fits) {
    if (History* const its = history(path.root)) {
      its->touched = true;
      its->unfit =
          its->unfit || !(fits || (!path.steps.empty() && path.steps.front().is_element()));
    }
  }

  void add(const Statement& statement) {
    for (const Root* written : statement.text_writes) {
      History* const its = history(written);
      if (its && !statement.harmless) {
        its->unfit = true;
      }
    }
    switch (statement.kind) {
      case Statement::Kind::Define:
        if (statement.value->kind == Value::Kind::Load) {
          touch(statement.value->path, is_handed_over(*statement.value));
        }
        return;
      case Statement::Kind::Store:
        return touch(statement.path, false);
      case Statement::Kind::Declare:
        return declare(statement);
      case Statement::Kind::Vector:
        return change(statement);
      case Statement::Kind::Call:
        for (std::size_t i = 0; i < statement.arguments.size(); ++i) {
          const Argument& passed = statement.arguments[i];
          if (passed.kind == Argument::Kind::Reference || passed.kind == Argument::Kind::Pointer) {
            touch(passed.path, passed.kind == Argument::Kind::Reference && statement.derivative &&
                                   statement.derivative->takes_flat(i));
          }
        }
        return;
      default:
        return;
    }
  }

  void declare(const Statement& statement) {
    History* const its = history(statement.root);
    if (!its) {
      return;
    }
    its->starts_empty = !statement.value && (statement.text.empty() || statement.text == "{}");
    // What a call returns is handed to its reverse as it stands.
    its->unfit = its->unfit || statement.in_storage || !statement.stands_for.empty() ||
                 (statement.value && statement.value->active() &&
                  statement.value->kind != Value::Kind::Load && !is_handed_back(statement));
  }

  void change(const Statement& statement) {
    History* const its = statement.path.steps.empty() ? history(statement.path.root) : nullptr;
    if (!its) {
      return touch(statement.path, false);
    }
    switch (statement.action) {
      case Statement::VectorAction::Append:
        its->appended = true;
        break;
      case Statement::VectorAction::Fill:
        its->filled = true;
        break;
      case Statement::VectorAction::Resize:
        its->unfit = its->unfit || its->touched || !its->starts_empty ||
                     statement.block != statement.path.root->block;
        break;
      case Statement::VectorAction::RemoveLast:
      case Statement::VectorAction::Clear:
      case Statement::VectorAction::Prepend:
      case Statement::VectorAction::RemoveFirst:
        its->unfit = true;
        break;
    }
    its->touched = true;
  }

  Function& function_;
  Types& types_;
  llvm::MapVector<const Root*, History> histories_;
};

}  // namespace

bool is_handed_over(const Value& whole) {
  return whole.kind == Value::Kind::Load && whole.path.steps.empty() &&
         whole.uses == whole.whole_uses;
}

bool is_handed_back(const Statement& declaration) {
  const Value* const made = declaration.value;
  return made && made->kind == Value::Kind::Call && made->uses == 1 &&
         made->block == declaration.block && made->call && made->call->derivative &&
         !made->call->derivative->seed_size.empty();
}

/// Decides which local vectors have their adjoints in arrays of the arena, where they cost no
/// allocation, and a pointer says all that there is to say of them; and whether that of the result
/// is taken over from the caller as it stands.
void AdjointArrays::decide_adjoint_arrays() {
  Search search(function_, context_.types);
  search.run();
  for (const auto& [root, history] : search.histories()) {
    if (search.fits(*root)) {
      arrays_[root] = {history.appended};
    }
  }
  const Statement* const last =
      function_.body->statements.empty() ? nullptr : function_.body->statements.back();
  if (!last || last->kind != Statement::Kind::Return || !last->value || !function_.single_exit ||
      derivative_.recursive || !function_.key.result_useful ||
      last->value->kind != Value::Kind::Load || !last->value->path.steps.empty()) {
    return;
  }
  const Root& result = *last->value->path.root;
  if (arrays_.contains(&result) && result.block == function_.body &&
      result.type.getCanonicalType().getUnqualifiedType() ==
          function_.result.getCanonicalType().getUnqualifiedType()) {
    taken_over_ = &result;
    flat_adjoints_.add(result);
    derivative_.seed_size = result.size_slot->name;
  }
}

/// The number of elements, as far as the reverse sweep has come.
std::string AdjointArrays::array_length(const Root& root) {
  return arrays_.lookup(&root).appended ? speller_.adjoint(root) + "_end"
                                        : speller_.slot(root.size_slot, root.level);
}

/// The variable that remembers what the arena held before the arrays of `block`; empty where there
/// are none.
std::string AdjointArrays::array_mark(const Block& block) {
  for (const Root* declared : block.roots) {
    if (arrays_.contains(declared) && declared != taken_over_) {
      return speller_.adjoint(*declared) + "_mark";
    }
  }
  return "";
}

void AdjointArrays::declare_arrays(const Block& block) {
  if (const std::string mark = array_mark(block); !mark.empty()) {
    line("const ddx::detail::Arena::Mark " + mark + " = arena.mark();");
  }
  for (const Root* declared : block.roots) {
    const auto found = arrays_.find(declared);
    if (found == arrays_.end()) {
      continue;
    }
    const std::string length = speller_.slot(declared->size_slot, declared->level);
    if (declared != taken_over_) {
      const std::string element = speller_.tangent(context_.types.element(declared->type));
      line(element + "* const " + speller_.adjoint(*declared) + " = arena.zeros<" + element + ">(" +
           length + ");");
    }
    if (found->second.appended) {
      line("std::size_t " + array_length(*declared) + " = " + length + ";");
    }
  }
}

void AdjointArrays::release_arrays(const Block& block) {
  if (const std::string mark = array_mark(block); !mark.empty()) {
    line("arena.release(" + mark + ");");
  }
}

/// Undoes what made a vector longer, or filled it.
void AdjointArrays::reverse_growth(Statement& statement) {
  const Root& root = *statement.path.root;
  const std::string length = array_length(root);
  switch (statement.action) {
    case Statement::VectorAction::Append:
      line(selections_.is_selected() ? length + " -= arm.count();" : "--" + length + ";");
      if (statement.value->active()) {
        const std::string elements = speller_.adjoint(root);
        reverse_.add_to(*statement.value, selections_.is_selected()
                                              ? "arm.element(" + elements + " + " + length + ")"
                                              : elements + "[" + length + "]");
      }
      return;
    case Statement::VectorAction::Fill:
      open("for (auto& part : ddx::detail::element_range(" + speller_.adjoint(root) + ", " +
           length + ")) {");
      if (statement.value->active()) {
        line(speller_.adjoint(*statement.value) + " += part;");
      }
      line("part = 0;");
      return close();
    case Statement::VectorAction::Resize:
    case Statement::VectorAction::RemoveLast:
    case Statement::VectorAction::Clear:
    case Statement::VectorAction::Prepend:
    case Statement::VectorAction::RemoveFirst:
      return;  // It made the elements, and there were none before; the others do not occur.
  }
}

/// The vector that is declared with what a call returns, and whose adjoint the reverse of the call
/// takes over; null where there is none.
const Root* AdjointArrays::handed_back_to(const Value& result) const {
  const bool declared = result.user && result.user->kind == Statement::Kind::Declare &&
                        result.user->value == &result && arrays_.contains(result.user->root);
  return declared && is_handed_back(*result.user) ? result.user->root : nullptr;
}

/// A vector that is not left before its scope ends has its length saved there, once.
bool AdjointArrays::is_saved_at_end(const Root& root) const {
  return arrays_.contains(&root) &&
         llvm::none_of(root.block->statements,
                       [](const Statement* statement) { return statement->exits.any(); });
}

bool AdjointArrays::is_array(const Root& root) const {
  return flat_adjoints_.is_flat(root) || arrays_.contains(&root);
}

}  // namespace ddx::compiler

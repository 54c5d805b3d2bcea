#include "compiler/analysis/activity.h"
#include "compiler/analysis/array_part.h"
#include "compiler/analysis/regions.h"
#include "compiler/emit/adjoint_paths.h"
#include "compiler/emit/all_parts.h"
#include "compiler/emit/flat_adjoints.h"
#include "compiler/ir/overlap.h"

#include "llvm/ADT/SetVector.h"

namespace ddx::compiler {

using namespace ir;

namespace {

/// Which vectors that are members of objects the reverse sweep of a region reaches by element.
class MemberUses {
 public:
  struct Member {
    ArrayPart part;
    clang::QualType type;
  };

  explicit MemberUses(Types& types) : types_(types) {}

  void add(Block* block) {
    for_each_statement(block, [&](const Statement* statement) {
      if (statement->reversed) {
        add(*statement);
      }
    });
  }

  /// The vectors that nothing reaches in another way.
  [[nodiscard]] std::vector<Member> by_element_only() const {
    std::vector<Member> result;
    for (const Member& member : members_) {
      if (llvm::none_of(wholes_,
                        [&](const ArrayPart& whole) { return holds(whole, member.part); })) {
        result.push_back(member);
      }
    }
    return result;
  }

  [[nodiscard]] const llvm::SetVector<const Root*>& roots() const { return roots_; }

 private:
  static bool holds(const ArrayPart& whole, const ArrayPart& part) {
    return whole.root == part.root && whole.fields.size() <= part.fields.size() &&
           std::equal(whole.fields.begin(), whole.fields.end(), part.fields.begin());
  }

  void note(const Path& path, bool elements_of_it) {
    if (!path.root) {
      return;
    }
    if (path.root->kind == Root::Kind::Alias) {
      note(path.root->target, false);  // Spelled in a way of its own.
      return;
    }
    roots_.insert(path.root);
    std::size_t next = 0;
    ArrayPart part = leading_part(path, next);
    const bool element = next < path.steps.size()
                             ? path.steps[next].is_element() && !path.steps[next].segmented
                             : elements_of_it;
    const bool is_vector = !part.fields.empty() && is_vector_of_numbers(*part.fields.back());
    if (!element || !is_vector) {
      wholes_.push_back(std::move(part));
    } else if (llvm::none_of(members_, [&](const Member& known) { return known.part == part; })) {
      const clang::QualType type = part.fields.back()->getType();
      members_.push_back({std::move(part), type});
    }
  }

  [[nodiscard]] bool is_vector_of_numbers(const clang::FieldDecl& field) const {
    const clang::QualType type = field.getType();
    return !type->isReferenceType() && Types::container(type) == Container::StdVector &&
           Types::is_real(types_.element(type));
  }

  void add(const Statement& statement) {
    for_each_adjoint_path(statement,
                          [&](const Path& path, bool takes_flat) { note(path, takes_flat); });
  }

  Types& types_;
  std::vector<Member> members_;
  std::vector<ArrayPart> wholes_;
  llvm::SetVector<const Root*> roots_;
};

}  // namespace

/// The vectors in objects from outside of `loop` whose adjoints it reaches by element only: each is
/// an array of its own, which a pointer parameter can say. Not of objects that may be one by two
/// names.
std::vector<FlatField> FlatAdjoints::flat_fields_in(const Statement& loop) {
  MemberUses uses(context_.types);
  uses.add(loop.body);
  uses.add(loop.increment);
  std::vector<FlatField> result;
  for (auto& [part, type] : uses.by_element_only()) {
    const Root& root = *part.root;
    const bool has_adjoint =
        root.active() && (root.kind == Root::Kind::Local || root.kind == Root::Kind::Reference);
    const bool known =
        llvm::any_of(fields_, [&](const FlatField& flat) { return flat.part == part; });
    const bool alone = llvm::none_of(
        uses.roots(), [&](const Root* other) { return other != &root && overlap(root, *other); });
    if (!has_adjoint || known || !alone || is_inside(root.level, loop)) {
      continue;
    }
    std::string whole = speller_.adjoint(root);
    std::string name = loop.inner->name + "_" + whole;
    for (const clang::FieldDecl* field : part.fields) {
      whole += "." + context_.names.field(field);
      name += "_" + context_.names.field(field);
    }
    result.push_back({part, context_.types.element(type), name, "std::data(" + whole + ")"});
  }
  return result;
}

/// What is known by a pointer of the array that `path` names, or something in it; null for nothing.
const FlatField* FlatAdjoints::flat_field(const Path& path) const {
  if (fields_.empty()) {
    return nullptr;
  }
  std::size_t next = 0;
  const ArrayPart part = leading_part(path, next);
  const auto found =
      llvm::find_if(fields_, [&](const FlatField& flat) { return flat.part == part; });
  return found == fields_.end() ? nullptr : &*found;
}

void FlatAdjoints::enter(llvm::ArrayRef<const Root*> vectors, llvm::ArrayRef<FlatField> fields) {
  vectors_.insert(vectors.begin(), vectors.end());
  fields_.insert(fields_.end(), fields.begin(), fields.end());
}

void FlatAdjoints::leave(llvm::ArrayRef<const Root*> vectors, llvm::ArrayRef<FlatField> fields) {
  for (const Root* vector : vectors) {
    vectors_.erase(vector);
  }
  fields_.resize(fields_.size() - fields.size());
}

}  // namespace ddx::compiler

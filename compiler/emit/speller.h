/// \file
/// Spells values, paths, types and adjoints as C++ text.

#pragma once

#include "compiler/emit/part.h"

#include <string>

namespace ddx::compiler {

/// Spells what stands in either sweep, by what the sweep can reach: the reverse sweep reads
/// residuals where the forward sweep reads variables.
class Speller : public EmitPart {
 public:
  using EmitPart::EmitPart;

  std::string root(const ir::Root& root, Sweep sweep);
  std::string path(const ir::Path& path, Sweep sweep);
  /// As `path`, for a write: members that are const are written while their object is made.
  std::string writable(const ir::Path& path);
  /// A pointer to what `path` names, without forming an element that may not exist.
  std::string pointer(const ir::Path& path, Sweep sweep);
  std::string value(const ir::Value& value, Sweep sweep);
  /// The expression that computes the value.
  std::string expression(const ir::Value& value, Sweep sweep);
  /// Text with holes for roots.
  std::string text(const std::string& with_holes, Sweep sweep);

  std::string adjoint(const ir::Path& path, Sweep sweep = Sweep::Reverse);
  std::string adjoint_pointer(const ir::Path& path, Sweep sweep = Sweep::Reverse);
  static std::string adjoint(const ir::Value& value) { return "d_t" + std::to_string(value.id); }
  static std::string adjoint(const ir::Root& root) { return "d_" + root.name; }

  static std::string slot(const ir::Slot* slot, const ir::Level* level) {
    return level->name + "." + slot->name;
  }
  [[nodiscard]] std::string type(clang::QualType type) const {
    return context_.names.type(type.getNonReferenceType().getUnqualifiedType());
  }
  std::string tangent(clang::QualType type) {
    const std::string one = context_.types.tangent(type);
    return is_batched_ ? "ddx::detail::LanesOf<" + one + ", ddx_lanes>" : one;
  }
  /// The type of the adjoint of a number.
  std::string adjoint_type(clang::QualType number) {
    return is_batched_ ? tangent(number) : type(number);
  }

  /// From now on adjoints are those of several rows of a Jacobian.
  void set_batched() { is_batched_ = true; }
  [[nodiscard]] bool is_batched() const { return is_batched_; }

 private:
  std::string spelled_from(std::string result, const ir::Path& path, std::size_t first, Sweep sweep,
                           llvm::StringRef base_cast);
  std::string index(const ir::Step& step, Sweep sweep);
  std::string operation_text(const ir::Value& computed, Sweep sweep);
  std::string linear(const ir::Value& read);

  const ir::Value* reading_ = nullptr;  ///< The text value being spelled.
  bool is_batched_ = false;
};

}  // namespace ddx::compiler

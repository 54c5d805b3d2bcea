/// \file
/// Text with placeholders for roots.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/effects.h"
#include "compiler/lower/part.h"
#include "compiler/support/expression_text.h"

#include <optional>
#include <string>

namespace ddx::compiler {

/// Spells expressions and bindings as text with placeholders for roots.
class Texts : Part {
 public:
  /// Spells names by what `Scope` says that they denote.
  explicit Texts(AllParts& all);

  /// A binding as text with holes; nothing when its path has no name of its own.
  std::optional<std::string> spell_path(const Binding& binding);
  /// The text of `expression` with placeholders for roots; nothing where a name in it has no text.
  std::optional<std::string> text_of(const clang::Expr* expression);
  /// A value computed by `text`, with the effects of the expression that it spells.
  ir::Value* text_value(const clang::Expr* expression, const Effects& effects,
                        const std::string& text);

 private:
  ExpressionText printer_;
};

}  // namespace ddx::compiler

/// \file
/// What synthesised text declares: its structs of residuals, its functions, and the names in them.

#pragma once

#include "compiler/verify/tokens.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace ddx::compiler {

/// `Type name` as a variable, parameter or field.
struct Declaration {
  std::string_view type;  ///< The last word of its type that is no qualifier, as `R` in `const R&`.
  std::string_view name;
  std::size_t at = 0;        ///< Position of the name.
  bool initialised = false;  ///< Something stands behind the name that gives it a value.
  bool is_class = false;     ///< Its type is no number: it has a constructor, or is bound.
};

struct ResidualStruct {
  std::string_view name;
  std::vector<Declaration> fields;
};

/// A function with a body, by positions of tokens.
struct Function {
  std::string_view name;
  std::size_t parameters = 0;  ///< Of the opening bracket.
  std::size_t body = 0;        ///< Of the opening brace.
};

/// The text, read once.
class Outline {
 public:
  explicit Outline(std::string_view text);

  /// False where a bracket has no partner; there is no more to it then.
  bool is_balanced() const { return tokens_.empty() || !partners_.empty(); }

  const std::vector<Token>& tokens() const { return tokens_; }
  /// The other bracket of a pair.
  std::size_t partner(std::size_t position) const { return partners_[position]; }
  const std::map<std::string_view, ResidualStruct>& residual_structs() const {
    return residual_structs_;
  }
  const std::vector<Function>& functions() const { return functions_; }

  bool is(std::size_t position, std::string_view text) const {
    return position < tokens_.size() && tokens_[position].is(text);
  }

  /// The declaration that begins at `position`, if one does.
  std::optional<Declaration> declaration_at(std::size_t position) const;

 private:
  std::size_t behind_attributes(std::size_t position) const;
  std::size_t behind_arguments(std::size_t position) const;
  void read_residual_struct(std::size_t name);
  std::size_t read_scope(std::size_t begin, std::size_t end);

  std::vector<Token> tokens_;
  std::vector<std::size_t> partners_;
  std::map<std::string_view, ResidualStruct> residual_structs_;
  std::vector<Function> functions_;
};

}  // namespace ddx::compiler

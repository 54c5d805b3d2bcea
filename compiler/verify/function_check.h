/// \file
/// The mistakes that one function can have by itself, and what it does with residuals.

#pragma once

#include "compiler/verify/outline.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::compiler {

enum class Role { Forward, Reverse, Other };

/// A field of a struct of residuals as one function names it first.
struct Access {
  std::string_view residual_struct;
  std::string_view field;
  std::size_t block = 0;  ///< Position of the block, the same for all that stand in it.
};

/// Reads one function from its first token to its last.
class FunctionCheck {
 public:
  FunctionCheck(const Outline& outline, const Function& function, Role role)
      : outline_(outline), function_(function), role_(role) {}

  void run();

  const std::vector<std::string>& mistakes() const { return mistakes_; }
  /// The fields of structs of residuals that it names, in the order of the text.
  const std::vector<Access>& accesses() const { return accesses_; }

 private:
  enum class Origin { Parameter, Closure, Local };
  struct Variable {
    Declaration declaration;
    Origin origin = Origin::Local;
    bool read = false;
  };
  struct Scope {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t first_variable = 0;  ///< Numbers of the first ones in it.
    std::size_t first_mark = 0;
  };

  void complain(const std::string& what);
  void open(std::size_t begin, std::size_t end);
  void close_until(std::size_t position);
  std::size_t header_end(std::size_t bracket) const;
  bool is_declared_at(std::size_t position, const Declaration& declared) const;
  bool begins_header(std::size_t bracket) const;
  bool begins_closure(std::size_t bracket) const;
  bool begins_block(std::size_t brace) const;
  void declare(const Declaration& declaration, Origin origin);
  void read_parameters(std::size_t bracket, Origin origin);
  void use(std::size_t position);
  void assign(std::size_t position);
  void mark_or_release(std::size_t position);
  std::size_t root_of(std::size_t position) const;
  Variable* find(std::string_view name);
  bool is_assignment(std::size_t position) const;
  bool is_lost(const Variable& variable) const;
  bool is_only_written(std::size_t position) const;

  const Outline& outline_;
  const Function& function_;
  const Role role_;
  std::vector<Scope> scopes_;
  std::vector<Variable> variables_;  ///< Those in scope.
  std::map<std::string_view, std::vector<std::size_t>> by_name_;
  std::vector<std::string_view> marks_;
  std::set<std::pair<std::string_view, std::string_view>> seen_;  ///< In `accesses_`.
  std::vector<Access> accesses_;
  std::vector<std::string> mistakes_;
};

}  // namespace ddx::compiler

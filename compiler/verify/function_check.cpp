#include "compiler/verify/function_check.h"

#include <optional>

namespace ddx::compiler {
namespace {

bool is_adjoint(std::string_view name) {
  return name.starts_with("d_");
}

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

}  // namespace

void FunctionCheck::complain(const std::string& what) {
  mistakes_.push_back(std::string(function_.name) + ": " + what);
}

/// Begins the scope of a block or of a header and all that it governs.
void FunctionCheck::open(std::size_t begin, std::size_t end) {
  scopes_.push_back({begin, end, variables_.size(), marks_.size()});
}

/// Does nothing read what a reverse sweep puts into its adjoint?
bool FunctionCheck::is_lost(const Variable& variable) const {
  const std::string_view name = variable.declaration.name;
  return role_ == Role::Reverse && variable.origin == Origin::Local && is_adjoint(name) &&
         !name.ends_with("_mark") && !variable.read;
}

/// Ends the scopes that close in front of `position`.
void FunctionCheck::close_until(std::size_t position) {
  while (!scopes_.empty() && scopes_.back().end < position) {
    const Scope scope = scopes_.back();
    scopes_.pop_back();
    for (; marks_.size() > scope.first_mark; marks_.pop_back()) {
      complain("the arena is marked by " + quoted(marks_.back()) + " and not released there");
    }
    for (std::size_t i = variables_.size(); i-- > scope.first_variable;) {
      const Variable& variable = variables_[i];
      const std::string_view name = variable.declaration.name;
      if (is_lost(variable)) {
        complain("what goes into " + quoted(name) + " is lost");
      }
      by_name_[name].pop_back();
    }
    variables_.resize(scope.first_variable);
  }
}

/// The end of what the header in these brackets governs: a block with what belongs to it, or a
/// statement.
std::size_t FunctionCheck::header_end(std::size_t bracket) const {
  std::size_t i = outline_.partner(bracket) + 1;
  while (i < outline_.tokens().size() && !outline_.is(i, "{") && !outline_.is(i, ";")) {
    i = outline_.is(i, "(") ? outline_.partner(i) + 1 : i + 1;
  }
  return outline_.is(i, "{") ? outline_.partner(i) : i;
}

/// Do the braces hold statements? Else they hold a list of values.
bool FunctionCheck::begins_block(std::size_t brace) const {
  const std::size_t end = outline_.partner(brace);
  for (std::size_t i = brace + 1; i < end; ++i) {
    if (outline_.is(i, ";")) {
      return true;
    }
    const bool opens = outline_.is(i, "{") || outline_.is(i, "(") || outline_.is(i, "[");
    i = opens ? outline_.partner(i) : i;
  }
  return false;
}

/// In a header a name stands in front of what it is made from; else it is an operand, as in a list
/// of values, where "a * b," is a product.
bool FunctionCheck::is_declared_at(std::size_t position, const Declaration& declared) const {
  if (outline_.is(position - 1, "{") && !begins_block(position - 1)) {
    return false;
  }
  return !outline_.is(position - 1, "(") || outline_.is(position - 2, "catch") ||
         outline_.is(declared.at + 1, "=") || outline_.is(declared.at + 1, ":");
}

/// Are the brackets those of a closure's parameters?
bool FunctionCheck::begins_closure(std::size_t bracket) const {
  if (bracket == 0 || !outline_.is(bracket - 1, "]")) {
    return false;
  }
  std::size_t i = outline_.partner(bracket) + 1;
  while (i < outline_.tokens().size() && outline_.tokens()[i].kind == Token::Kind::Word) {
    ++i;
  }
  return outline_.is(i, "{") || outline_.is(i, "->");
}

FunctionCheck::Variable* FunctionCheck::find(std::string_view name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() || found->second.empty() ? nullptr
                                                          : &variables_[found->second.back()];
}

void FunctionCheck::declare(const Declaration& declaration, Origin origin) {
  const std::string_view name = declaration.name;
  const Variable* hidden = find(name);
  if (hidden && origin != Origin::Closure) {
    complain("the declaration of " + quoted(name) + " hides another");
  }
  const bool must_have_value =
      !declaration.is_class && (is_adjoint(name) || role_ == Role::Reverse);
  if (origin == Origin::Local && must_have_value && !declaration.initialised) {
    complain(quoted(name) + " begins without a value");
  }
  by_name_[name].push_back(variables_.size());
  variables_.push_back({declaration, origin, false});
}

void FunctionCheck::read_parameters(std::size_t bracket, Origin origin) {
  const std::size_t end = outline_.partner(bracket);
  for (std::size_t i = bracket + 1; i < end; ++i) {
    if (const std::optional<Declaration> parameter = outline_.declaration_at(i)) {
      declare(*parameter, origin);
      i = parameter->at;
    }
    while (i < end && !outline_.is(i, ",")) {
      i = outline_.is(i, "(") || outline_.is(i, "{") ? outline_.partner(i) + 1 : i + 1;
    }
  }
}

/// The first token of the expression whose last one is in front of `position`, where it is a name
/// with members and elements behind it; else `position`.
std::size_t FunctionCheck::root_of(std::size_t position) const {
  std::size_t i = position;
  while (i > 0) {
    --i;
    if (outline_.is(i, "]")) {
      i = outline_.partner(i);
      continue;
    }
    if (outline_.tokens()[i].kind != Token::Kind::Word) {
      return position;
    }
    if (!outline_.is(i - 1, ".") && !outline_.is(i - 1, "->")) {
      return outline_.is(i - 1, "::") ? position : i;
    }
    --i;
  }
  return position;
}

bool FunctionCheck::is_assignment(std::size_t position) const {
  const std::string_view text = outline_.tokens()[position].text;
  return text == "=" || (text.size() == 2 && text[1] == '=' && text != "==" && text != "!=" &&
                         text != "<=" && text != ">=");
}

/// Is the name here, at the start of a statement, the target of an assignment?
bool FunctionCheck::is_only_written(std::size_t position) const {
  if (!outline_.is(position - 1, ";") && !outline_.is(position - 1, "{") &&
      !outline_.is(position - 1, "}") && !outline_.is(position - 1, ")")) {
    return false;
  }
  std::size_t i = position + 1;
  while (outline_.is(i, "[") || outline_.is(i, ".") || outline_.is(i, "->")) {
    i = outline_.is(i, "[") ? outline_.partner(i) + 1 : i + 2;
  }
  return is_assignment(i);
}

void FunctionCheck::assign(std::size_t position) {
  const bool in_front =
      !is_assignment(position) && outline_.tokens()[position + 1].kind == Token::Kind::Word;
  const std::size_t root = in_front ? position + 1 : root_of(position);
  if (role_ != Role::Reverse || root == position) {
    return;
  }
  const Variable* target = find(outline_.tokens()[root].text);
  if (target && target->origin == Origin::Parameter && !is_adjoint(target->declaration.name)) {
    complain("the reverse sweep writes to " + quoted(target->declaration.name));
  }
}

/// A word that may name a variable.
void FunctionCheck::use(std::size_t position) {
  if (outline_.is(position - 1, ".") || outline_.is(position - 1, "->") ||
      outline_.is(position - 1, "::") || outline_.is(position + 1, "::")) {
    return;
  }
  Variable* variable = find(outline_.tokens()[position].text);
  if (!variable) {
    return;
  }
  variable->read = variable->read || !is_only_written(position);
  const auto residual_struct = outline_.residual_structs().find(variable->declaration.type);
  if (residual_struct == outline_.residual_structs().end() || !outline_.is(position + 1, ".")) {
    return;
  }
  const std::string_view field = outline_.tokens()[position + 2].text;
  if (seen_.emplace(residual_struct->first, field).second) {
    accesses_.push_back({residual_struct->first, field, scopes_.back().begin});
  }
}

/// `name = arena.mark();` and `arena.release(name);`, at the position of `arena`.
void FunctionCheck::mark_or_release(std::size_t position) {
  if (outline_.is(position + 2, "mark") && outline_.is(position - 1, "=")) {
    marks_.push_back(outline_.tokens()[position - 2].text);
  } else if (outline_.is(position + 2, "release")) {
    const std::string_view name = outline_.tokens()[position + 4].text;
    const std::size_t first = scopes_.empty() ? 0 : scopes_.back().first_mark;
    if (marks_.size() == first || marks_.back() != name) {
      complain("the arena is released to " + quoted(name) + " out of turn");
    } else {
      marks_.pop_back();
    }
  }
}

/// Are the brackets those behind the keyword of a statement that may declare something in them?
bool FunctionCheck::begins_header(std::size_t bracket) const {
  return outline_.is(bracket - 1, "for") || outline_.is(bracket - 1, "if") ||
         outline_.is(bracket - 1, "while") || outline_.is(bracket - 1, "switch") ||
         outline_.is(bracket - 1, "catch");
}

void FunctionCheck::run() {
  const std::vector<Token>& tokens = outline_.tokens();
  const std::size_t end = outline_.partner(function_.body);
  open(function_.parameters, end);
  read_parameters(function_.parameters, Origin::Parameter);
  bool may_declare = false;
  std::size_t choices = 0;  // `?` whose `:` is still to come.
  for (std::size_t i = function_.body; i <= end; ++i) {
    close_until(i);
    const std::optional<Declaration> found =
        may_declare ? outline_.declaration_at(i) : std::nullopt;
    const bool declared = found && is_declared_at(i, *found);
    const std::string_view text = tokens[i].text;
    if (declared) {
      declare(*found, Origin::Local);
      i = found->at;
    } else if (text == "{") {
      open(i, outline_.partner(i));
    } else if (text == "(" && begins_header(i)) {
      open(i, header_end(i));
    } else if (text == "(" && begins_closure(i)) {
      open(i, header_end(i));
      read_parameters(i, Origin::Closure);
      i = outline_.partner(i);
    } else if (text == "arena") {
      mark_or_release(i);
    } else if (tokens[i].kind == Token::Kind::Word) {
      use(i);
    } else if (is_assignment(i) || text == "++" || text == "--") {
      assign(i);
    }
    const bool ends_choice = text == ":" && choices > 0;
    choices += text == "?" ? 1 : 0;
    choices -= ends_choice ? 1 : 0;
    may_declare =
        !declared && (text == ";" || text == "{" || text == "}" || (text == ":" && !ends_choice) ||
                      text == "DDX_ADJOINT_SUM" || (text == "(" && begins_header(i)));
  }
  close_until(tokens.size());
}

}  // namespace ddx::compiler

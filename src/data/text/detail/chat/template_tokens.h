/// \file
/// Reading the tokens of a template one after the other.

#pragma once

#include "data/text/detail/chat/template_lexer.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {

/// The tokens of a template, and which is next.
class TemplateTokens {
 public:
  explicit TemplateTokens(std::vector<TemplateToken> tokens) : tokens_(std::move(tokens)) {}

  [[nodiscard]] const TemplateToken& next() const { return tokens_[at_]; }
  [[nodiscard]] std::size_t place() const { return next().place; }
  [[nodiscard]] bool is(TemplateTokenKind kind) const { return next().kind == kind; }
  [[nodiscard]] bool is_name(std::string_view name) const {
    return is(TemplateTokenKind::Name) && next().text == name;
  }
  [[nodiscard]] bool is_operator(std::string_view text) const {
    return is(TemplateTokenKind::Operator) && next().text == text;
  }

  TemplateToken take() {
    auto token = next();
    at_ += token.kind == TemplateTokenKind::End ? 0 : 1;
    return token;
  }
  bool take_name(std::string_view name) { return is_name(name) && (take(), true); }
  bool take_operator(std::string_view text) { return is_operator(text) && (take(), true); }

  /// Throws a TemplateFault where the next token is another.
  void expect_operator(std::string_view text) {
    if (!take_operator(text)) {
      fail("expected '" + std::string(text) + "'");
    }
  }
  std::string expect_name() {
    if (!is(TemplateTokenKind::Name)) {
      fail("expected a name");
    }
    return take().text;
  }

  /// Throws a TemplateFault at the next token.
  [[noreturn]] void fail(std::string facts) const { fail(std::move(facts), place()); }
  [[noreturn]] static void fail(std::string facts, std::size_t place) {
    throw TemplateFault{.facts = std::move(facts), .place = place};
  }

 private:
  std::vector<TemplateToken> tokens_;
  std::size_t at_ = 0;
};

}  // namespace ddx::data::detail

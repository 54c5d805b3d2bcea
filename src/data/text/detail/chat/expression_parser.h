/// \file
/// Expressions of chat templates from their tokens.

#pragma once

#include "data/text/detail/chat/template_syntax.h"
#include "data/text/detail/chat/template_tokens.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ddx::data::detail {

/// Parses expressions with the precedences of Jinja 3.1.
class ExpressionParser {
 public:
  explicit ExpressionParser(TemplateTokens& tokens) : tokens_(tokens) {}

  /// An expression, or several with commas: a tuple.
  TemplateExpressionPointer tuple(bool has_conditions = true);
  /// One expression.
  TemplateExpressionPointer expression();
  /// One without `if` behind it.
  TemplateExpressionPointer disjunction();

 private:
  /// Counts how deep expressions nest.
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser);
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ExpressionParser& parser_;
  };

  TemplateExpressionPointer conjunction();
  TemplateExpressionPointer negation();
  TemplateExpressionPointer comparison();
  TemplateExpressionPointer sum();
  TemplateExpressionPointer concatenation();
  TemplateExpressionPointer product();
  TemplateExpressionPointer power();
  TemplateExpressionPointer unary(bool has_filters);
  TemplateExpressionPointer primary();
  TemplateExpressionPointer with_postfix(TemplateExpressionPointer left);
  TemplateExpressionPointer with_filters(TemplateExpressionPointer left);
  TemplateExpressionPointer subscript(TemplateExpressionPointer left);
  TemplateExpressionPointer item(TemplateExpressionPointer left, std::size_t place);
  TemplateExpressionPointer filter(TemplateExpressionPointer left);
  TemplateExpressionPointer test(TemplateExpressionPointer left);
  TemplateExpressionPointer list();
  TemplateExpressionPointer object();
  TemplateExpressionPointer text();
  void arguments(TemplateExpression& call);

  TemplateTokens& tokens_;
  int depth_ = 0;
};

}  // namespace ddx::data::detail

#include "data/text/detail/chat/template_parser.h"

#include "data/text/detail/chat/expression_parser.h"
#include "data/text/detail/chat/template_lexer.h"
#include "data/text/detail/chat/template_syntax.h"
#include "data/text/detail/chat/template_tokens.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr int deepest_statement = 100;

class StatementParser {
 public:
  explicit StatementParser(std::string_view source)
      : tokens_(template_tokens(source)), expressions_(tokens_) {}

  std::vector<TemplateStatement> all() {
    auto result = body({});
    if (!tokens_.is(TemplateTokenKind::End)) {
      tokens_.fail("unexpected '" + tokens_.next().text + "'");
    }
    return result;
  }

 private:
  /// Statements up to an action that begins with one of these names, which is next then, behind its
  /// opening; all of them where there are no names.
  std::vector<TemplateStatement> body(std::initializer_list<std::string_view> ends) {
    std::vector<TemplateStatement> result;
    if (++depth_ > deepest_statement) {
      tokens_.fail("statements nest deeper than " + std::to_string(deepest_statement));
    }
    while (!tokens_.is(TemplateTokenKind::End)) {
      const auto token = tokens_.take();
      if (token.kind == TemplateTokenKind::Text) {
        result.push_back(
            {.action = TemplateAction::Text, .place = token.place, .text = token.text});
      } else if (token.kind == TemplateTokenKind::PrintBegin) {
        TemplateStatement print{.action = TemplateAction::Print, .place = token.place};
        print.expressions.push_back(expressions_.tuple());
        expect(TemplateTokenKind::PrintEnd, "'}}'");
        result.push_back(std::move(print));
      } else {
        const bool is_end =
            std::ranges::any_of(ends, [&](std::string_view name) { return tokens_.is_name(name); });
        if (is_end) {
          --depth_;
          return result;
        }
        result.push_back(action(token.place));
      }
    }
    if (ends.size() > 0) {
      tokens_.fail("the template ends before '" + std::string(*(ends.end() - 1)) + "'");
    }
    --depth_;
    return result;
  }

  void expect(TemplateTokenKind kind, const std::string& what) {
    if (!tokens_.is(kind)) {
      tokens_.fail("expected " + what);
    }
    tokens_.take();
  }
  void end_action() { expect(TemplateTokenKind::ActionEnd, "'%}'"); }

  /// A body and the end of the action behind it.
  std::vector<TemplateStatement> whole_body(std::string_view end) {
    end_action();
    auto result = body({end});
    tokens_.take();
    end_action();
    return result;
  }

  TemplateStatement action(std::size_t place) {
    const auto name = tokens_.expect_name();
    if (name == "if") {
      return condition(place);
    }
    if (name == "for") {
      return loop(place);
    }
    if (name == "set") {
      return assignment(place);
    }
    if (name == "macro") {
      return macro(place);
    }
    if (name == "break" || name == "continue") {
      if (loops_ == 0) {
        TemplateTokens::fail("'" + name + "' outside of a loop", place);
      }
      end_action();
      return {.action = name == "break" ? TemplateAction::Break : TemplateAction::Continue,
              .place = place};
    }
    if (name == "generation") {
      TemplateStatement group{.action = TemplateAction::Group, .place = place};
      group.bodies.push_back(whole_body("endgeneration"));
      return group;
    }
    TemplateTokens::fail("the statement '" + name + "' is not supported", place);
  }

  TemplateStatement condition(std::size_t place) {
    TemplateStatement result{.action = TemplateAction::If, .place = place};
    while (true) {
      result.expressions.push_back(expressions_.tuple(false));
      end_action();
      result.bodies.push_back(body({"elif", "else", "endif"}));
      const auto end = tokens_.take().text;
      if (end == "elif") {
        continue;
      }
      if (end == "else") {
        result.bodies.push_back(whole_body("endif"));
      } else {
        end_action();
      }
      return result;
    }
  }

  /// One name, or several with commas.
  std::vector<std::string> targets() {
    const bool is_closed = tokens_.take_operator("(");
    std::vector<std::string> names{tokens_.expect_name()};
    while (tokens_.take_operator(",")) {
      names.push_back(tokens_.expect_name());
    }
    if (is_closed) {
      tokens_.expect_operator(")");
    }
    return names;
  }

  TemplateStatement loop(std::size_t place) {
    TemplateStatement result{.action = TemplateAction::For, .place = place};
    result.names = targets();
    if (!tokens_.take_name("in")) {
      tokens_.fail("expected 'in'");
    }
    result.expressions.push_back(expressions_.tuple(false));
    result.expressions.push_back(tokens_.take_name("if") ? expressions_.expression() : nullptr);
    if (tokens_.is_name("recursive")) {
      tokens_.fail("recursive loops are not supported");
    }
    end_action();
    ++loops_;
    result.bodies.push_back(body({"else", "endfor"}));
    --loops_;
    if (tokens_.take().text == "else") {
      result.bodies.push_back(whole_body("endfor"));
    } else {
      end_action();
    }
    return result;
  }

  TemplateStatement assignment(std::size_t place) {
    TemplateStatement result{.action = TemplateAction::Set, .place = place};
    result.names = targets();
    if (result.names.size() == 1 && tokens_.take_operator(".")) {
      result.attribute = tokens_.expect_name();
    }
    if (tokens_.take_operator("=")) {
      result.expressions.push_back(expressions_.tuple());
      end_action();
      return result;
    }
    if (tokens_.is_operator("|")) {
      tokens_.fail("a filter of what is set is not supported");
    }
    if (result.names.size() > 1 || !result.attribute.empty()) {
      tokens_.fail("expected '='");
    }
    result.action = TemplateAction::Capture;
    result.bodies.push_back(whole_body("endset"));
    return result;
  }

  TemplateStatement macro(std::size_t place) {
    TemplateStatement result{.action = TemplateAction::Macro, .place = place};
    result.text = tokens_.expect_name();
    tokens_.expect_operator("(");
    while (!tokens_.is_operator(")")) {
      result.names.push_back(tokens_.expect_name());
      result.expressions.push_back(tokens_.take_operator("=") ? expressions_.expression()
                                                              : nullptr);
      if (!tokens_.take_operator(",")) {
        break;
      }
    }
    tokens_.expect_operator(")");
    const int loops = std::exchange(loops_, 0);
    result.bodies.push_back(whole_body("endmacro"));
    loops_ = loops;
    return result;
  }

  TemplateTokens tokens_;
  ExpressionParser expressions_;
  int depth_ = 0;
  int loops_ = 0;  ///< Around what is parsed.
};

}  // namespace

std::vector<TemplateStatement> parsed_template(std::string_view source) {
  return StatementParser(source).all();
}

}  // namespace ddx::data::detail

#include "compiler/residuals/affine.h"

#include "compiler/analysis/regions.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <vector>

namespace ddx::compiler {

using namespace ir;

namespace {

/// True when the parenthesis that opens `text` is closed by its end.
bool is_parenthesised(llvm::StringRef text) {
  if (!text.starts_with("(") || !text.ends_with(")")) {
    return false;
  }
  int depth = 0;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) {
      return false;
    }
  }
  return true;
}

struct Term {
  bool negative;
  std::string text;
};

/// The terms of a sum as the printer writes it, with spaces around the operators. Nothing where an
/// operator stands in it that binds less than a sum.
std::optional<std::vector<Term>> split_sum(llvm::StringRef text) {
  text = text.trim();
  while (is_parenthesised(text)) {
    text = text.drop_front().drop_back().trim();
  }
  std::vector<Term> terms;
  Term term{false, ""};
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\1') {
      const std::size_t close = text.find('\2', i);
      term.text += text.slice(i, close + 1).str();
      i = close;
      continue;
    }
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (depth == 0 && c == ' ' && i + 2 < text.size() && text[i + 2] == ' ' &&
        (text[i + 1] == '+' || text[i + 1] == '-')) {
      terms.push_back(term);
      term = {text[i + 1] == '-', ""};
      i += 2;
      continue;
    }
    if (depth == 0 && llvm::StringRef("<>=&|^?,!~:").contains(c)) {
      // Of the names of types and scopes, those in a cast are the ones met.
      const llvm::StringRef rest = text.drop_front(i - std::min<std::size_t>(i, 11));
      const bool cast = c == '<' && rest.starts_with("static_cast<");
      if (!cast) {
        return std::nullopt;
      }
      const std::size_t close = text.find(">(", i);
      if (close == llvm::StringRef::npos) {
        return std::nullopt;
      }
      term.text += text.slice(i, close + 1).str();
      i = close;
      continue;
    }
    term.text += c;
  }
  terms.push_back(term);
  return terms;
}

/// The text of an integer value: a text as it stands, or a sum of such.
std::optional<std::string> integer_text(const Value& value) {
  return value.kind == Value::Kind::Text && value.cheap && value.type->isIntegerType()
             ? std::optional<std::string>(value.text)
             : std::nullopt;
}

/// The terms of `text`, where constants that the body of `loop` declares are the sums that they
/// denote.
std::optional<std::vector<Term>> terms_in(const Function& function, llvm::StringRef text,
                                          const Statement& loop) {
  const auto outer = split_sum(text);
  if (!outer) {
    return std::nullopt;
  }
  std::vector<Term> result;
  for (const Term& term : *outer) {
    const Root* root = nullptr;
    fill_holes(function, term.text, [&](const Root& named) {
      root = term.text == hole(named) ? &named : nullptr;
      return std::string();
    });
    const auto meant = root && root->initial && is_inside(root->level, loop)
                           ? integer_text(*root->initial)
                           : std::nullopt;
    const bool same =
        meant && root->initial->type.getCanonicalType() == root->type.getCanonicalType();
    const auto inner = same ? terms_in(function, *meant, loop) : std::nullopt;
    if (!inner) {
      result.push_back(term);
      continue;
    }
    for (const Term& part : *inner) {
      result.push_back({part.negative != term.negative, part.text});
    }
  }
  return result;
}

/// The terms of `text`, those in parentheses too.
std::optional<std::vector<Term>> flat_terms(const Function& function, llvm::StringRef text,
                                            const Statement& loop) {
  const auto outer = terms_in(function, text, loop);
  if (!outer) {
    return std::nullopt;
  }
  std::vector<Term> result;
  for (const Term& term : *outer) {
    const auto inner = is_parenthesised(term.text)
                           ? flat_terms(function, term.text, loop)
                           : std::optional(std::vector<Term>{{false, term.text}});
    if (!inner) {
      return std::nullopt;
    }
    for (const Term& part : *inner) {
      result.push_back({part.negative != term.negative, part.text});
    }
  }
  return result;
}

/// The factors of a product as the printer writes it; one where it is none.
llvm::SmallVector<std::string, 2> factors_of(llvm::StringRef text) {
  llvm::SmallVector<std::string, 2> factors(1);
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
    if (depth == 0 && text.drop_front(i).starts_with(" * ")) {
      factors.emplace_back();
      i += 2;
    } else {
      factors.back() += text[i];
    }
  }
  return factors;
}

/// True for the counter of `loop`, also where it is converted to a type that holds all its values.
bool is_counter(llvm::StringRef text, const Statement& loop) {
  const std::string counter = hole(*loop.root);
  return text == counter ||
         (text.starts_with("static_cast<") && text.ends_with(">(" + counter + ")") &&
          !text.contains("char") && !text.contains("short") && !text.contains("bool"));
}

std::optional<long> integer(llvm::StringRef text) {
  long number = 0;
  return text.rtrim("uUlL").getAsInteger(10, number) ? std::nullopt : std::optional(number);
}

/// How far `text` lies from the counter of `loop`, if it is the counter and a constant.
std::optional<long> from_counter(const Function& function, llvm::StringRef text,
                                 const Statement& loop) {
  const auto terms = flat_terms(function, text, loop);
  long distance = 0;
  unsigned counters = 0;
  for (const Term& term : terms ? *terms : std::vector<Term>{}) {
    if (!term.negative && is_counter(term.text, loop)) {
      ++counters;
    } else if (const auto number = integer(term.text)) {
      distance += term.negative ? -*number : *number;
    } else {
      return std::nullopt;
    }
  }
  return counters == 1 ? std::optional(distance) : std::nullopt;
}

}  // namespace

std::optional<RowIndex> row_index(const Function& function, const std::string& base,
                                  const Statement& loop) {
  const auto terms = flat_terms(function, "0" + base, loop);
  if (!terms) {
    return std::nullopt;
  }
  RowIndex result;
  std::vector<Term> others;
  for (const Term& term : *terms) {
    if (term.text.find(hole(*loop.root)) == std::string::npos) {
      const auto outer = before_loop(function, term.text, loop);
      if (!outer || outer->find(hole(*loop.root)) != std::string::npos) {
        return std::nullopt;
      }
      others.push_back({term.negative, *outer});
      continue;
    }
    const auto factors = factors_of(term.text);
    if (term.negative || factors.size() != 2 || !result.distance.empty()) {
      return std::nullopt;
    }
    for (const auto& [counted, distance] :
         {std::pair(factors[0], factors[1]), std::pair(factors[1], factors[0])}) {
      const auto row = from_counter(function, counted, loop);
      const auto outer = row ? before_loop(function, distance, loop) : std::nullopt;
      if (outer && outer->find(hole(*loop.root)) == std::string::npos) {
        result.distance = *outer;
        result.row = *row;
        break;
      }
    }
    if (result.distance.empty()) {
      return std::nullopt;
    }
  }
  if (result.distance.empty()) {
    return std::nullopt;
  }
  for (const Term& term : others) {
    long times = term.text == result.distance ? 1 : 0;
    if (const auto factors = factors_of(term.text); factors.size() == 2) {
      for (const auto& [number, distance] :
           {std::pair(factors[0], factors[1]), std::pair(factors[1], factors[0])}) {
        times = distance == result.distance ? integer(number).value_or(times) : times;
      }
    }
    if (times != 0) {
      result.row += term.negative ? -times : times;
    } else if (term.text != "0") {
      result.rest += (term.negative ? " - " : " + ") + ("(" + term.text + ")");
    }
  }
  return result;
}

std::optional<std::string> before_loop(const Function& function, const std::string& text,
                                       const Statement& loop) {
  bool known = true;
  std::string result = fill_holes(function, text, [&](const Root& root) -> std::string {
    if (!is_inside(root.level, loop)) {
      known = known && root.kind != Root::Kind::Alias;
      return hole(root);
    }
    const auto inner = root.initial ? integer_text(*root.initial) : std::nullopt;
    const auto outer = inner ? before_loop(function, *inner, loop) : std::nullopt;
    known = known && outer;
    return outer ? "(" + *outer + ")" : "";
  });
  return known ? std::optional<std::string>(result) : std::nullopt;
}

std::optional<AffineIndex> affine_index(const Function& function, const Step& index,
                                        const Statement& loop) {
  AffineIndex result;
  unsigned counters = 0;
  for (const Value* part : index.index) {
    const auto text = integer_text(*part);
    const auto terms = text ? terms_in(function, *text, loop) : std::nullopt;
    if (!terms) {
      return std::nullopt;
    }
    for (const Term& term : *terms) {
      if (!term.negative && is_counter(term.text, loop)) {
        ++counters;
        continue;
      }
      if (const auto number = integer(term.text)) {
        result.constant += term.negative ? -*number : *number;
        continue;
      }
      const auto outer = before_loop(function, term.text, loop);
      if (!outer || outer->find(hole(*loop.root)) != std::string::npos) {
        return std::nullopt;
      }
      result.base += (term.negative ? " - " : " + ") + ("(" + *outer + ")");
    }
  }
  return counters == 1 ? std::optional<AffineIndex>(result) : std::nullopt;
}

}  // namespace ddx::compiler

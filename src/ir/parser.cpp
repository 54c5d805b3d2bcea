#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::ir {
namespace {

/// Parses a text from its beginning to its end.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  /// The whole text.
  Graph graph() {
    Graph result = region();
    skip_space();
    if (at_ != text_.size()) {
      fail("the end of the text");
    }
    return result;
  }

 private:
  /// A graph at this position, whose values and scalars have their own numbers.
  Graph region() {
    Graph outer = std::exchange(graph_, {});
    std::vector<ValueId> outer_values = std::exchange(values_, {});
    body();
    values_ = std::move(outer_values);
    return std::exchange(graph_, std::move(outer));
  }

  void body() {
    expect("graph");
    expect("(");
    if (next_is('%')) {
      do {
        const std::size_t number = name('%');
        expect(":");
        define(number, graph_.add_parameter(type()));
      } while (accept(","));
    }
    bool more = accept(";");
    if (more && next_is('#')) {
      do {
        if (const std::size_t number = name('#'); number != graph_.scalars().size()) {
          fail("scalar #" + std::to_string(graph_.scalars().size()));
        }
        expect(":");
        graph_.add_scalar(accept("number") ? ScalarKind::Number : (expect("key"), ScalarKind::Key));
      } while (accept(","));
      more = accept(";");
    }
    if (more) {
      expect("checks");
      graph_.add_checks(number<std::uint32_t>());
    }
    expect(")");
    expect("{");
    while (!accept("return")) {
      node();
    }
    std::vector<ValueId> results;
    if (next_is('%')) {
      do {
        results.push_back(value());
      } while (accept(","));
    }
    graph_.set_results(std::move(results));
    expect("}");
  }

  /// Throws the error at the current position.
  [[noreturn]] void fail(const std::string& expected) {
    skip_space();
    const std::string_view before = text_.substr(0, at_);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t column = at_ - (before.rfind('\n') + 1) + 1;
    const std::string_view rest = text_.substr(at_, 16);
    throw UsageError(
        "parse_graph",
        "line " + std::to_string(line) + ", column " + std::to_string(column) + ": expected " +
            expected + ", " +
            (rest.empty() ? "the text ends"
                          : "found '" + std::string(rest.substr(0, rest.find('\n'))) + "'"));
  }

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool next_is(char c) {
    skip_space();
    return at_ < text_.size() && text_[at_] == c;
  }
  static bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }

  /// Skips a word or a sign, if it is here as a whole.
  bool accept(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) {
      return false;
    }
    const std::size_t end = at_ + token.size();
    if (in_word(token.back()) && end < text_.size() && in_word(text_[end])) {
      return false;
    }
    at_ = end;
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) {
      fail("'" + std::string(token) + "'");
    }
  }

  std::string_view word() {
    skip_space();
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_word(text_[at_])) {
      ++at_;
    }
    if (at_ == begin) {
      fail("a name");
    }
    return text_.substr(begin, at_ - begin);
  }

  template <class Number>
  Number number() {
    skip_space();
    Number result{};
    const char* const begin = text_.data() + at_;
    const auto read = std::from_chars(begin, text_.data() + text_.size(), result);
    if (read.ec != std::errc()) {
      fail(std::is_integral_v<Number> ? "a whole number in range" : "a number in range");
    }
    at_ += static_cast<std::size_t>(read.ptr - begin);
    return result;
  }

  /// The number of a value or scalar.
  std::size_t name(char sign) {
    expect(std::string_view(&sign, 1));
    return number<std::uint32_t>();
  }
  ValueId value() {
    const std::size_t begin = at_;
    const std::size_t number = name('%');
    if (number >= values_.size()) {
      at_ = begin;
      fail("a value that is there before, one of " + std::to_string(values_.size()));
    }
    return values_[number];
  }
  void define(std::size_t number, ValueId value) {
    if (number != values_.size()) {
      fail("the definition of %" + std::to_string(values_.size()) + " before this");
    }
    values_.push_back(value);
  }

  Type type() {
    const std::size_t begin = at_;
    const std::string_view text = word();
    const auto* const row = std::find_if(dtype_table.begin(), dtype_table.end(),
                                         [&](const DTypeInfo& each) { return each.text == text; });
    if (row == dtype_table.end()) {
      at_ = begin;
      fail("a dtype");
    }
    std::vector<Shape::Extent> extents;
    expect("[");
    if (!accept("]")) {
      do {
        extents.push_back(number<Shape::Extent>());
      } while (accept(","));
      expect("]");
    }
    return {Shape(extents), row->dtype};
  }

  void node() {
    std::vector<std::size_t> names;
    std::vector<Type> results;
    do {
      names.push_back(name('%'));
      expect(":");
      results.push_back(type());
    } while (accept(","));
    expect("=");
    skip_space();
    const std::size_t begin = at_;
    const std::string_view text = word();
    for (std::size_t i = 0; i < control_table.size(); ++i) {
      if (control_table[i].name == text) {
        define(names, control(static_cast<Control>(i), results));
        return;
      }
    }
    const auto* const row =
        std::find_if(ops::op_table.begin(), ops::op_table.end(),
                     [&](const ops::OpInfo& each) { return each.name == text; });
    if (row == ops::op_table.end()) {
      at_ = begin;
      fail("an operation");
    }
    std::vector<ValueId> operands;
    expect("(");
    if (!accept(")")) {
      do {
        operands.push_back(value());
      } while (accept(","));
      expect(")");
    }
    ops::Attributes attributes = ops::default_attributes(row->op);
    ScalarFields scalars = all_baked;
    if (accept("{")) {
      do {
        field(attributes, scalars);
      } while (accept(","));
      expect("}");
    }
    CheckId check = unchecked;
    if (next_is('!')) {
      check = static_cast<CheckId>(name('!'));
      if (Graph::index(check) >= graph_.check_count()) {
        fail("a check of this graph before this");
      }
    }
    define(names, graph_.add_node(row->op, operands, attributes, results, scalars, {}, check));
  }
  void define(const std::vector<std::size_t>& names, ValueId first) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      define(names[i], static_cast<ValueId>(Graph::index(first) + i));
    }
  }

  /// An operation with regions, after its name.
  ValueId control(Control kind, const std::vector<Type>& results) {
    ControlFlow flow{kind, {}, {}};
    expect("(");
    if (next_is('%')) {
      do {
        flow.operands.push_back(value());
      } while (accept(","));
    }
    bool more = accept(";");
    if (more && next_is('#')) {
      do {
        flow.scalars.push_back(numbered<ScalarId>('#', graph_.scalars().size(), "a scalar"));
      } while (accept(","));
      more = accept(";");
    }
    if (more) {
      do {
        flow.checks.push_back(numbered<CheckId>('!', graph_.check_count(), "a check"));
      } while (accept(","));
    }
    expect(")");
    expect("{");
    if (kind == Control::Scan) {
      scan_fields(flow.scan);
    }
    const ControlInfo& row = info(kind);
    for (std::size_t i = 0; i < row.region_count(); ++i) {
      if (i > 0) {
        expect(",");
      }
      expect(row.regions[i]);
      expect("=");
      flow.regions.push_back(std::make_shared<const Graph>(region()));
    }
    expect("}");
    return graph_.add_control(flow, results);
  }
  template <class Id>
  Id numbered(char sign, std::size_t count, const char* what) {
    const std::size_t number = name(sign);
    if (number >= count) {
      fail(std::string(what) + " of this graph before this");
    }
    return static_cast<Id>(number);
  }
  void scan_fields(ScanFields& scan) {
    const auto field = [this](std::string_view name, auto& value) {
      if (accept(name)) {
        expect("=");
        read(value);
        expect(",");
      }
    };
    field("carries", scan.carries);
    field("slices", scan.slices);
    field("trips", scan.trips);
    field("reverse", scan.reverse);
  }

  /// One `name = value` of attributes.
  void field(ops::Attributes& attributes, ScalarFields& scalars) {
    skip_space();
    const std::size_t begin = at_;
    const std::string_view wanted = word();
    expect("=");
    bool found = false;
    std::visit(
        [&](auto& one) {
          std::size_t run_time = 0;
          ops::visit_fields(
              one, [&](const std::string_view name, auto& field, ops::FieldRole role) {
                const std::size_t place = role == ops::FieldRole::RunTime ? run_time++ : 0;
                if (name != wanted) {
                  return;
                }
                found = true;
                if (role == ops::FieldRole::RunTime && next_is('#')) {
                  scalars[place] = static_cast<ScalarId>(this->name('#'));
                  if (Graph::index(scalars[place]) >= graph_.scalars().size()) {
                    fail("a scalar of this graph before this");
                  }
                } else {
                  read(field);
                }
              });
        },
        attributes);
    if (!found) {
      at_ = begin;
      fail("an attribute of this operation");
    }
  }

  void read(bool& field) { field = accept("true") || (expect("false"), false); }
  void read(double& field) { field = number<double>(); }
  template <class Integer>
    requires std::is_integral_v<Integer>
  void read(Integer& field) {
    field = number<Integer>();
  }
  void read(ops::Literal& field) {
    if (accept("(")) {
      field.real = number<double>();
      expect(",");
      field.integer = number<std::int64_t>();
      field.imaginary = accept(",") ? number<double>() : 0;
      expect(")");
      return;
    }
    const std::size_t begin = at_;
    field = {.real = number<double>(), .integer = 0};
    if (accept("i")) {
      at_ = begin;
      field.integer = number<std::int64_t>();
      field.real = static_cast<double>(field.integer);
      expect("i");
    }
  }
  void read(RandomKey& field) {
    std::array<std::uint64_t, 2> state{};
    expect("key");
    expect("(");
    state[0] = number<std::uint64_t>();
    expect(",");
    state[1] = number<std::uint64_t>();
    expect(")");
    field = RandomKey::from_state(state);
  }
  template <class Element, std::size_t n>
  void read(std::array<Element, n>& field) {
    expect("[");
    std::size_t i = 0;
    do {
      if (i == n) {
        fail("at most " + std::to_string(n) + " elements");
      }
      read(field[i++]);
    } while (accept(","));
    expect("]");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Graph graph_;
  std::vector<ValueId> values_;
};

}  // namespace

Graph parse_graph(std::string_view text) {
  return Parser(text).graph();
}

}  // namespace ddx::ir

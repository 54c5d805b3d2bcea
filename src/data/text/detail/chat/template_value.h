/// \file
/// The values that chat templates compute with: those of Python that Jinja's expressions give.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::data::detail {

class TemplateValue;
struct TemplateStatement;
struct TemplateScope;

/// A value that a name has not, or a missing member: empty where it is printed.
struct TemplateUndefined {
  std::string name;  ///< For messages.
};

/// What Python makes a list of values with.
enum class TemplateListForm : std::uint8_t {
  List,
  Tuple,
  Range,      ///< Has items by number, but is no list where it is printed.
  View,       ///< Of an object's keys or values: has a length, but no items by number.
  Generator,  ///< As `map` and `select` give it: is read once, and true though it be empty.
};

/// A list, a tuple, or what loops can go through.
struct TemplateList {
  std::vector<TemplateValue> items;
  TemplateListForm form = TemplateListForm::List;
  mutable bool is_read = false;  ///< Of a generator.
  int depth = 1;
  std::size_t weight = 1;
};

/// A dictionary whose keys are texts, in the order of their insertion.
struct TemplateObject {
  std::vector<std::pair<std::string, TemplateValue>> fields;
  int depth = 1;
  std::size_t weight = 1;
  bool is_loop = false;  ///< Whether it is what a loop knows of itself.

  /// Null where there is no such key.
  [[nodiscard]] const TemplateValue* find(std::string_view key) const noexcept;
  void set(std::string_view key, TemplateValue value);
};

/// A `namespace(...)`: what `set` may change from inner scopes.
struct TemplateNamespace {
  TemplateObject fields;
};

/// A macro, which sees the names of where it was defined.
struct TemplateMacro {
  const TemplateStatement* definition = nullptr;
  TemplateScope* scope = nullptr;
};

/// A function of templates or a method, by its name; methods belong to a value.
struct TemplateFunction {
  std::string name;
  std::shared_ptr<const TemplateValue> self = nullptr;
};

/// How values are sorted into kinds.
enum class TemplateKind : std::uint8_t {
  Undefined,
  None,
  Boolean,
  Integer,
  Real,
  Text,
  List,
  Object,
  Namespace,
  Macro,
  Function,
};

/// A value. Texts, lists and objects are shared by copies and never change.
class TemplateValue {
 public:
  TemplateValue() : content_(std::monostate()) {}  ///< None.
  explicit TemplateValue(TemplateUndefined value) : content_(std::move(value)) {}
  explicit TemplateValue(bool value) : content_(value) {}
  explicit TemplateValue(std::int64_t value) : content_(value) {}
  explicit TemplateValue(double value) : content_(value) {}
  explicit TemplateValue(std::string value)
      : content_(std::make_shared<const std::string>(std::move(value))) {}
  explicit TemplateValue(TemplateMacro value) : content_(value) {}
  explicit TemplateValue(TemplateFunction value) : content_(std::move(value)) {}
  explicit TemplateValue(std::shared_ptr<TemplateNamespace> value) : content_(std::move(value)) {}

  /// A text that is marked as safe for HTML, by the filter `safe`: what is added to it is escaped,
  /// as transformers' Jinja does.
  [[nodiscard]] static TemplateValue safe_text(std::string text);

  /// Throws: std::length_error where values nest deeper than 100, or weigh more than 2^26, or one
  ///         is a namespace or can be called: then a value could contain itself.
  [[nodiscard]] static TemplateValue list(std::vector<TemplateValue> items,
                                          TemplateListForm form = TemplateListForm::List);
  [[nodiscard]] static TemplateValue object(TemplateObject object);

  [[nodiscard]] TemplateKind kind() const noexcept {
    constexpr TemplateKind kinds[] = {
        TemplateKind::None,    TemplateKind::Undefined, TemplateKind::Boolean,
        TemplateKind::Integer, TemplateKind::Real,      TemplateKind::Text,
        TemplateKind::List,    TemplateKind::Object,    TemplateKind::Namespace,
        TemplateKind::Macro,   TemplateKind::Function};
    return kinds[content_.index()];
  }
  [[nodiscard]] bool is(TemplateKind kind) const noexcept { return this->kind() == kind; }

  // Each for values of its kind alone.
  [[nodiscard]] const std::string& undefined_name() const {
    return std::get<TemplateUndefined>(content_).name;
  }
  [[nodiscard]] bool boolean() const { return std::get<bool>(content_); }
  [[nodiscard]] std::int64_t integer() const { return std::get<std::int64_t>(content_); }
  [[nodiscard]] double real() const { return std::get<double>(content_); }
  [[nodiscard]] const std::string& text() const {
    return *std::get<std::shared_ptr<const std::string>>(content_);
  }
  [[nodiscard]] const TemplateList& list() const {
    return *std::get<std::shared_ptr<const TemplateList>>(content_);
  }
  [[nodiscard]] const TemplateObject& object() const {
    return *std::get<std::shared_ptr<const TemplateObject>>(content_);
  }
  [[nodiscard]] TemplateNamespace& name_space() const {
    return *std::get<std::shared_ptr<TemplateNamespace>>(content_);
  }
  [[nodiscard]] const TemplateMacro& macro() const { return std::get<TemplateMacro>(content_); }
  [[nodiscard]] const TemplateFunction& function() const {
    return std::get<TemplateFunction>(content_);
  }

  /// Whether it is a text that is marked as safe.
  [[nodiscard]] bool is_safe() const noexcept { return is_safe_; }

  /// Whether it is a truth value or an integer, which Python computes with alike.
  [[nodiscard]] bool is_whole() const noexcept {
    return is(TemplateKind::Boolean) || is(TemplateKind::Integer);
  }
  [[nodiscard]] bool is_number() const noexcept { return is_whole() || is(TemplateKind::Real); }
  [[nodiscard]] std::int64_t whole() const {
    return is(TemplateKind::Boolean) ? static_cast<std::int64_t>(boolean()) : integer();
  }
  [[nodiscard]] double number() const {
    return is(TemplateKind::Real) ? real() : static_cast<double>(whole());
  }

  /// As Python's bool().
  [[nodiscard]] bool is_true() const noexcept;
  /// How deep values nest in it; 0: it contains none.
  [[nodiscard]] int depth() const noexcept;
  /// What it costs to walk through it: each value in it by 1, and the bytes of texts.
  [[nodiscard]] std::size_t weight() const noexcept;
  /// What it is, for messages: "a text".
  [[nodiscard]] std::string description() const;

  /// As Python's ==.
  friend bool operator==(const TemplateValue& left, const TemplateValue& right);

 private:
  std::variant<std::monostate, TemplateUndefined, bool, std::int64_t, double,
               std::shared_ptr<const std::string>, std::shared_ptr<const TemplateList>,
               std::shared_ptr<const TemplateObject>, std::shared_ptr<TemplateNamespace>,
               TemplateMacro, TemplateFunction>
      content_;
  bool is_safe_ = false;
};

/// As Python's str(): a text as it is, an undefined value empty.
[[nodiscard]] std::string template_text(const TemplateValue& value);

/// As Python's repr().
[[nodiscard]] std::string template_representation(const TemplateValue& value);

/// As Python's json.dumps(value, ensure_ascii=ensures_ascii, indent=indent); -1: no indentation.
///
/// Throws: std::invalid_argument where the value has no form in JSON.
[[nodiscard]] std::string template_json(const TemplateValue& value, std::int64_t indent,
                                        bool ensures_ascii = false);

/// The value of a text of JSON, objects in its order.
///
/// Throws: std::invalid_argument where it is none, or nests deeper than 100.
[[nodiscard]] TemplateValue template_value_of_json(std::string_view text);

}  // namespace ddx::data::detail

#include "ddx/tensor/einsum.h"

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/ops/site.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::detail {
namespace {

/// The subscripts of each operand and of the result, one character for each axis. The axes of an
/// ellipsis are '0', '1', ... counted from its end.
struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

/// Reads the text of an equation for operands of these shapes.
class Reader {
 public:
  Reader(const Subscripts& equation, const std::vector<Shape>& shapes)
      : site_{"einsum", equation.where}, shapes_(shapes), whole_(equation.text) {
    std::ranges::copy_if(equation.text, std::back_inserter(text_), [](char c) { return c != ' '; });
  }

  Equation read() {
    const std::size_t arrow = text_.find("->");
    const std::vector<std::string> terms = split(text_.substr(0, arrow));
    if (terms.size() != shapes_.size()) {
      fail(std::to_string(terms.size()) + " operands are named and " +
           std::to_string(shapes_.size()) + " given");
    }
    Equation equation;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      equation.operands.push_back(expanded(terms[i], i));
    }
    equation.result = arrow == std::string::npos ? implied(equation.operands)
                                                 : named(text_.substr(arrow + 2), equation);
    return equation;
  }

  [[noreturn]] void fail(const std::string& facts) const {
    site_.fail(facts + "; equation \"" + whole_ + "\"");
  }

  /// Throws:  UsageError where there is no such shape.
  void check_extents(const std::vector<std::int64_t>& extents) const { (void)site_.shape(extents); }

 private:
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  static std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> terms(1);
    for (const char c : list) {
      if (c == ',') {
        terms.emplace_back();
      } else {
        terms.back() += c;
      }
    }
    return terms;
  }

  /// The term without its ellipsis, and where that was; npos where there is none.
  std::pair<std::string, std::size_t> without_ellipsis(const std::string& term) const {
    const std::size_t place = term.find("...");
    std::string letters = term;
    if (place != std::string::npos) {
      letters.erase(place, 3);
    }
    for (const char c : letters) {
      if (!is_letter(c)) {
        fail(std::string("'") + c + "' is no subscript");
      }
    }
    return {letters, place};
  }

  static std::string ellipsis_of(std::size_t count) {
    std::string axes;
    while (count > 0) {
      axes += static_cast<char>('0' + --count);
    }
    return axes;
  }

  std::string expanded(const std::string& term, std::size_t operand) {
    auto [letters, place] = without_ellipsis(term);
    const std::size_t rank = shapes_[operand].rank();
    if (place == std::string::npos ? letters.size() != rank : letters.size() > rank) {
      fail("operand " + std::to_string(operand) + " has rank " + std::to_string(rank) + ", and \"" +
           term + "\" names " + std::to_string(letters.size()) + " axes; shape " +
           to_string(shapes_[operand]));
    }
    if (place != std::string::npos) {
      const std::size_t unnamed = rank - letters.size();
      longest_ellipsis_ = std::max(longest_ellipsis_, unnamed);
      letters.insert(place, ellipsis_of(unnamed));
    }
    return letters;
  }

  std::string implied(const std::vector<std::string>& operands) const {
    std::map<char, int> counts;
    for (const std::string& operand : operands) {
      for (const char c : operand) {
        ++counts[c];
      }
    }
    std::string result = ellipsis_of(longest_ellipsis_);
    for (const auto& [c, count] : counts) {
      if (is_letter(c) && count == 1) {
        result += c;
      }
    }
    return result;
  }

  std::string named(const std::string& term, const Equation& equation) const {
    auto [letters, place] = without_ellipsis(term);
    for (const char c : letters) {
      if (std::ranges::count(letters, c) > 1) {
        fail(std::string("subscript '") + c + "' stands twice in the result");
      }
      if (std::ranges::none_of(equation.operands, [c](const std::string& operand) {
            return operand.find(c) != std::string::npos;
          })) {
        fail(std::string("subscript '") + c + "' of the result is in no operand");
      }
    }
    if (place != std::string::npos) {
      letters.insert(place, ellipsis_of(longest_ellipsis_));
    } else if (longest_ellipsis_ > 0) {
      fail("the result has no ellipsis for the axes of those of the operands");
    }
    return letters;
  }

  ops::Site site_;
  const std::vector<Shape>& shapes_;
  std::string whole_;
  std::string text_;
  std::size_t longest_ellipsis_ = 0;
};

std::string spoken(char subscript) {
  return subscript >= '0' && subscript <= '9'
             ? std::string("axis -") + static_cast<char>(subscript + 1) + " of the ellipsis"
             : std::string("subscript '") + subscript + "'";
}

Indices as_indices(const std::vector<std::int64_t>& values) {
  return Indices(std::span<const std::int64_t>(values));
}

/// A value on its way: the subscripts of its axes.
struct Value {
  std::string subscripts;
  std::size_t number = 0;  ///< Among all values.
};

/// Makes the plan of a valid equation.
class Planner {
 public:
  Planner(const Reader& reader, const Equation& equation, const std::vector<Shape>& shapes)
      : reader_(reader), equation_(equation) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      add_operand(i, shapes[i]);
    }
  }

  EinsumPlan plan() {
    for (std::size_t i = 0; i < live_.size(); ++i) {
      sum_and_squeeze(i);
    }
    while (live_.size() > 1) {
      contract_best_pair();
    }
    const std::string& last = live_.front().subscripts;
    if (last != equation_.result) {
      std::vector<std::int64_t> order;
      for (const char c : equation_.result) {
        order.push_back(static_cast<std::int64_t>(last.find(c)));
      }
      plan_.order = as_indices(order);
    }
    return std::move(plan_);
  }

 private:
  /// Where the first subscript stands that stands twice, and where again; equal where none does.
  static std::pair<std::size_t, std::size_t> repeated_axes(const std::string& subscripts) {
    for (std::size_t first = 0; first < subscripts.size(); ++first) {
      const std::size_t second = subscripts.find(subscripts[first], first + 1);
      if (second != std::string::npos) {
        return {first, second};
      }
    }
    return {0, 0};
  }

  /// The order in which two axes come last.
  static Indices moved_last(std::size_t rank, std::size_t first, std::size_t second) {
    std::vector<std::int64_t> order;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if (axis != first && axis != second) {
        order.push_back(static_cast<std::int64_t>(axis));
      }
    }
    order.push_back(static_cast<std::int64_t>(first));
    order.push_back(static_cast<std::int64_t>(second));
    return as_indices(order);
  }

  /// Takes the diagonals of an operand and enters its extents.
  void add_operand(std::size_t number, const Shape& shape) {
    std::string subscripts = equation_.operands[number];
    std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
    EinsumOperand operand;
    for (auto [first, second] = repeated_axes(subscripts); first != second;
         std::tie(first, second) = repeated_axes(subscripts)) {
      if (extents[first] != extents[second]) {
        reader_.fail(spoken(subscripts[first]) + " represents extents " +
                     std::to_string(extents[first]) + " and " + std::to_string(extents[second]) +
                     " of operand " + std::to_string(number) + "; shape " + to_string(shape));
      }
      operand.diagonals.push_back(moved_last(subscripts.size(), first, second));
      // Their diagonal is one axis, the last one.
      subscripts += subscripts[first];
      extents.push_back(extents[first]);
      for (const std::size_t axis : {second, first}) {
        subscripts.erase(axis, 1);
        extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
      }
    }
    for (std::size_t axis = 0; axis < subscripts.size(); ++axis) {
      enter_extent(subscripts[axis], extents[axis], number);
    }
    live_.push_back({subscripts, number});
    own_extents_.push_back(std::move(extents));
    plan_.operands.push_back(std::move(operand));
  }

  void enter_extent(char subscript, std::int64_t extent, std::size_t operand) {
    const auto [known, is_new] = extents_.try_emplace(subscript, Extent{extent, operand});
    if (is_new || known->second.value == extent || extent == 1) {
      return;
    }
    if (known->second.value != 1) {
      reader_.fail(spoken(subscript) + " has extent " + std::to_string(known->second.value) +
                   " in operand " + std::to_string(known->second.operand) + " and " +
                   std::to_string(extent) + " in operand " + std::to_string(operand));
    }
    known->second = {extent, operand};
  }

  [[nodiscard]] std::int64_t extent(char subscript) const { return extents_.at(subscript).value; }

  /// Whether the axis of an operand stays: it is not one of extent 1 where others are longer.
  [[nodiscard]] bool stays(std::size_t operand, std::size_t axis) const {
    return own_extents_[operand][axis] == extent(live_[operand].subscripts[axis]);
  }

  [[nodiscard]] bool used_elsewhere(char subscript, std::size_t operand) const {
    if (equation_.result.find(subscript) != std::string::npos) {
      return true;
    }
    for (std::size_t i = 0; i < live_.size(); ++i) {
      const std::size_t axis = live_[i].subscripts.find(subscript);
      if (i != operand && axis != std::string::npos && (i < operand || stays(i, axis))) {
        return true;
      }
    }
    return false;
  }

  /// Sums over what no other value and not the result has, and drops axes of extent 1 along which
  /// others are longer. Earlier operands have been through this.
  void sum_and_squeeze(std::size_t number) {
    std::string kept;
    std::vector<std::int64_t> sums;
    std::vector<std::int64_t> shape;
    const std::string& subscripts = live_[number].subscripts;
    for (std::size_t axis = 0; axis < subscripts.size(); ++axis) {
      if (!stays(number, axis)) {
        continue;
      }
      if (used_elsewhere(subscripts[axis], number)) {
        kept += subscripts[axis];
        shape.push_back(extent(subscripts[axis]));
      } else {
        sums.push_back(static_cast<std::int64_t>(axis));
      }
    }
    plan_.operands[number].sums = as_indices(sums);
    plan_.operands[number].shape = as_indices(shape);
    live_[number].subscripts = kept;
    own_extents_[number] = std::move(shape);
  }

  /// The subscripts of two values that their contraction keeps: those of the result or of others.
  [[nodiscard]] std::string kept_by(std::size_t i, std::size_t j) const {
    std::string kept;
    for (const char c : live_[i].subscripts + live_[j].subscripts) {
      bool needed = equation_.result.find(c) != std::string::npos;
      for (std::size_t k = 0; k < live_.size(); ++k) {
        needed |= k != i && k != j && live_[k].subscripts.find(c) != std::string::npos;
      }
      if (needed && kept.find(c) == std::string::npos) {
        kept += c;
      }
    }
    return kept;
  }

  [[nodiscard]] std::vector<std::int64_t> extents_of(const std::string& subscripts) const {
    std::vector<std::int64_t> extents;
    for (const char c : subscripts) {
      extents.push_back(extent(c));
    }
    return extents;
  }

  [[nodiscard]] double size_of(const std::string& subscripts) const {
    double size = 1;
    for (const char c : subscripts) {
      size *= static_cast<double>(extent(c));
    }
    return size;
  }

  void contract_best_pair() {
    double least = std::numeric_limits<double>::infinity();
    std::size_t left = 0;
    std::size_t right = 1;
    for (std::size_t i = 0; i < live_.size(); ++i) {
      for (std::size_t j = i + 1; j < live_.size(); ++j) {
        const double growth =
            size_of(kept_by(i, j)) - size_of(live_[i].subscripts) - size_of(live_[j].subscripts);
        if (growth < least) {
          least = growth;
          left = i;
          right = j;
        }
      }
    }
    const Value a = live_[left];
    const Value b = live_[right];
    reader_.check_extents(extents_of(kept_by(left, right)));
    // The last contraction has the axes of the result, and makes them in their order.
    const std::string y = live_.size() == 2 ? equation_.result : kept_by(left, right);
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(right));
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(left));
    live_.push_back({y, plan_.operands.size() + plan_.steps.size()});
    plan_.steps.push_back({a.number, b.number, {a.subscripts, b.subscripts, y}});
  }

  struct Extent {
    std::int64_t value;
    std::size_t operand;
  };

  const Reader& reader_;
  const Equation& equation_;
  std::map<char, Extent> extents_;
  std::vector<Value> live_;
  std::vector<std::vector<std::int64_t>> own_extents_;
  EinsumPlan plan_;
};

}  // namespace

EinsumPlan einsum_plan(const Subscripts& equation, const std::vector<Shape>& shapes) {
  Reader reader(equation, shapes);
  const Equation subscripts = reader.read();
  return Planner(reader, subscripts, shapes).plan();
}

}  // namespace ddx::detail

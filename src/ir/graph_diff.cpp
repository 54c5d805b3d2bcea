#include "ddx/ir/graph_diff.h"

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include "ir/detail/field_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::ir {
namespace {

/// The matching names of operations: so many at the beginning, and so many at the end.
struct Alignment {
  std::size_t prefix = 0;
  std::size_t suffix = 0;
};

Alignment align(const Graph& a, const Graph& b) {
  const std::size_t least = std::min(a.node_count(), b.node_count());
  Alignment result;
  while (result.prefix < least && a.node(result.prefix).op == b.node(result.prefix).op) {
    ++result.prefix;
  }
  while (result.prefix + result.suffix < least &&
         a.node(a.node_count() - 1 - result.suffix).op ==
             b.node(b.node_count() - 1 - result.suffix).op) {
    ++result.suffix;
  }
  return result;
}

bool same_types(const Graph& a, const Node& in_a, const Graph& b, const Node& in_b) {
  bool same =
      in_a.result_count == in_b.result_count && in_a.operands.size() == in_b.operands.size();
  for (std::size_t i = 0; same && i < in_a.result_count; ++i) {
    same = a.type(in_a.result(i)) == b.type(in_b.result(i));
  }
  for (std::size_t i = 0; same && i < in_a.operands.size(); ++i) {
    same = a.type(in_a.operands[i]) == b.type(in_b.operands[i]);
  }
  return same;
}

/// Whether two nodes of the same operation have equal regions.
bool same_regions(const Graph& a, const Node& in_a, const Graph& b, const Node& in_b) {
  return std::ranges::equal(in_a.regions, in_b.regions, [&](RegionId one, RegionId other) {
    return a.region(one) == b.region(other);
  });
}

bool same_attributes(const Node& a, const Node& b) {
  bool same = ops::identical(a.attributes, b.attributes) && a.scan == b.scan;
  for (std::size_t i = 0; i < a.scalars.size(); ++i) {
    same = same && (a.scalars[i] == baked) == (b.scalars[i] == baked);
  }
  return same;
}

template <class Field>
std::string text_of(const Field& field) {
  return detail::field_text(field);
}
template <class Element, std::size_t n>
std::string text_of(const std::array<Element, n>& field) {
  std::string text = "[";
  for (const Element& element : field) {
    text += (text.size() == 1 ? "" : ", ") + detail::field_text(element);
  }
  return text + "]";
}

struct NamedText {
  std::string_view name;
  std::string text;
};

/// The fields of a node; a run-time number is printed as such.
std::vector<NamedText> fields_of(const Node& node) {
  std::vector<NamedText> fields;
  std::size_t next_scalar = 0;
  std::visit(
      [&](const auto& attributes) {
        ops::visit_fields(
            attributes, [&](std::string_view name, const auto& field, ops::FieldRole role) {
              const bool given =
                  role == ops::FieldRole::RunTime && node.scalars[next_scalar++] != baked;
              fields.push_back({name, given ? "given at the run" : text_of(field)});
            });
      },
      node.attributes);
  if (node.op == Control::Scan) {
    fields.push_back({"carries", detail::field_text(node.scan.carries)});
    fields.push_back({"slices", detail::field_text(node.scan.slices)});
    fields.push_back({"trips", detail::field_text(node.scan.trips)});
    fields.push_back({"reverse", detail::field_text(node.scan.reverse)});
  }
  return fields;
}

/// The names of some operations, without those of numbers if there are others.
std::string names(const Graph& graph, std::size_t begin, std::size_t end) {
  constexpr std::size_t most = 4;
  std::vector<std::string_view> found;
  for (std::size_t i = begin; i < end; ++i) {
    if (graph.node(i).op != ops::Op::full) {
      found.push_back(to_string(graph.node(i).op));
    }
  }
  if (found.empty()) {
    return "full";
  }
  std::string text;
  for (const std::string_view name : found | std::views::take(most)) {
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return found.size() <= most ? text
                              : text + " and " + std::to_string(found.size() - most) + " more";
}

/// Compares graphs whose operations have the same names up to some position.
class Comparison {
 public:
  Comparison(const Graph& before, const Graph& after) : before_(before), after_(after) {}

  [[nodiscard]] std::optional<Difference> first() const {
    const Alignment alignment = align(before_, after_);
    for (std::size_t i = 0; i < alignment.prefix; ++i) {
      if (auto difference = at(i)) {
        return difference;
      }
    }
    const std::size_t left = before_.node_count() - alignment.prefix;
    const std::size_t right = after_.node_count() - alignment.prefix;
    if (left == 0 && right == 0) {
      return of_results();
    }
    return of_names(alignment);
  }

 private:
  /// The difference of the node i of both.
  [[nodiscard]] std::optional<Difference> at(std::size_t i) const {
    const Node a = before_.node(i);
    const Node b = after_.node(i);
    const std::string name(to_string(a.op));
    const std::size_t operands = std::min(a.operands.size(), b.operands.size());
    for (std::size_t k = 0; k < operands; ++k) {
      if (auto found = of_type("operand " + std::to_string(k) + " of " + name,
                               before_.type(a.operands[k]), after_.type(b.operands[k]), i)) {
        return found;
      }
    }
    for (std::size_t k = 0; k < std::min(a.result_count, b.result_count); ++k) {
      if (auto found = of_type("result of " + name, before_.type(a.result(k)),
                               after_.type(b.result(k)), i)) {
        return found;
      }
    }
    if (!same_attributes(a, b)) {
      const auto fields_a = fields_of(a);
      const auto fields_b = fields_of(b);
      for (std::size_t k = 0; k < std::min(fields_a.size(), fields_b.size()); ++k) {
        if (fields_a[k].text != fields_b[k].text) {
          return made(DifferenceKind::Attribute, std::string(fields_a[k].name) + " of " + name,
                      fields_a[k].text, fields_b[k].text, i);
        }
      }
    }
    if (auto found = of_regions(a, b)) {
      return found;
    }
    if (!std::ranges::equal(a.region_scalars, b.region_scalars)) {
      return made(DifferenceKind::Operand, "scalars of the regions of " + name,
                  scalars_text(a.region_scalars), scalars_text(b.region_scalars), i);
    }
    if (!std::ranges::equal(a.operands, b.operands) || a.scalars != b.scalars) {
      return made(DifferenceKind::Operand, "operands of " + name, operands_text(before_, a),
                  operands_text(after_, b), i);
    }
    if (a.check != b.check || !std::ranges::equal(a.region_checks, b.region_checks)) {
      return made(DifferenceKind::Check, "demand of " + name + " on elements",
                  a.check == unchecked ? "none" : "one", b.check == unchecked ? "none" : "one", i);
    }
    return std::nullopt;
  }

  /// The first difference within the regions of two nodes of one operation.
  [[nodiscard]] std::optional<Difference> of_regions(const Node& a, const Node& b) const {
    for (std::size_t k = 0; k < a.regions.size(); ++k) {
      auto found = first_difference(before_.region(a.regions[k]), after_.region(b.regions[k]));
      if (found) {
        found->what += " in the " + std::string(info(a.op.control()).regions[k]) + " of " +
                       std::string(to_string(a.op));
        return found;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Difference> of_type(const std::string& what, const Type& before,
                                                  const Type& after, std::size_t i) const {
    if (before == after) {
      return std::nullopt;
    }
    return made(before.dtype == after.dtype ? DifferenceKind::Shape : DifferenceKind::DType, what,
                to_string(before), to_string(after), i);
  }

  [[nodiscard]] Difference made(DifferenceKind kind, std::string what, std::string before,
                                std::string after, std::size_t i) const {
    return {.kind = kind,
            .what = std::move(what),
            .before = std::move(before),
            .after = std::move(after),
            .line_before = line_of(before_, i),
            .line_after = line_of(after_, i)};
  }

  [[nodiscard]] static std::string scalars_text(std::span<const ScalarId> scalars) {
    std::string text;
    for (const ScalarId scalar : scalars) {
      text += (text.empty() ? "#" : ", #") + std::to_string(Graph::index(scalar));
    }
    return text;
  }

  [[nodiscard]] static std::string operands_text(const Graph& graph, const Node& node) {
    std::string text;
    for (const ValueId operand : node.operands) {
      const auto maker = graph.producer(operand);
      text += text.empty() ? "" : ", ";
      text += maker ? std::string(to_string(graph.node(*maker).op)) + " (%" : "array (%";
      text += std::to_string(Graph::index(operand)) + ")";
    }
    return text;
  }

  [[nodiscard]] Difference of_names(const Alignment& alignment) const {
    const std::size_t i = alignment.prefix;
    const std::size_t end_a = before_.node_count() - alignment.suffix;
    const std::size_t end_b = after_.node_count() - alignment.suffix;
    Difference found;
    found.kind = i == end_a   ? DifferenceKind::Extra
                 : i == end_b ? DifferenceKind::Missing
                              : DifferenceKind::Operation;
    found.what = "operations";
    if (i < end_a) {
      found.before = names(before_, i, end_a);
      found.line_before = line_of(before_, i);
    }
    if (i < end_b) {
      found.after = names(after_, i, end_b);
      found.line_after = line_of(after_, i);
    }
    return found;
  }

  [[nodiscard]] std::optional<Difference> of_results() const {
    const auto a = before_.results();
    const auto b = after_.results();
    if (std::ranges::equal(a, b)) {
      return std::nullopt;
    }
    const auto [left, right] = std::ranges::mismatch(a, b);
    Difference found;
    found.kind = DifferenceKind::Result;
    found.what = "results";
    found.before = std::to_string(a.size()) + " values";
    found.after = std::to_string(b.size()) + " values";
    const auto line = [](const Graph& graph, auto place, auto end) {
      const auto maker = place == end ? std::nullopt : graph.producer(*place);
      return maker ? line_of(graph, *maker) : Line{};
    };
    found.line_before = line(before_, left, a.end());
    found.line_after = line(after_, right, b.end());
    return found;
  }

  const Graph& before_;
  const Graph& after_;
};

/// Whether the line is known and in the user's program: calls in this library's derivatives come
/// from its headers.
bool is_users(const std::source_location& where) {
  return where.line() != 0 &&
         std::string_view(where.file_name()).find("/ddx/tensor/") == std::string_view::npos;
}

/// Whether the graphs differ only in extents.
bool same_but_for_extents(const Graph& a, const Graph& b) {
  if (a.node_count() != b.node_count() || a.value_count() != b.value_count() ||
      !std::ranges::equal(a.results(), b.results())) {
    return false;
  }
  for (std::size_t i = 0; i < a.node_count(); ++i) {
    const Node in_a = a.node(i);
    const Node in_b = b.node(i);
    if (in_a.op != in_b.op || in_a.check != in_b.check || in_a.scalars != in_b.scalars ||
        !std::ranges::equal(in_a.operands, in_b.operands) || !same_attributes(in_a, in_b) ||
        !std::ranges::equal(in_a.region_scalars, in_b.region_scalars) ||
        !std::ranges::equal(in_a.region_checks, in_b.region_checks) ||
        !same_regions(a, in_a, b, in_b)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string_view to_string(DifferenceKind kind) noexcept {
  constexpr std::array<std::string_view, 9> names{
      "extra operations", "missing operations", "another operation",
      "another dtype",    "another shape",      "another attribute",
      "another operand",  "another check",      "other results"};
  return names[static_cast<std::size_t>(kind)];
}

std::optional<Difference> first_difference(const Graph& before, const Graph& after) {
  return Comparison(before, after).first();
}

std::optional<ExtentChange> extent_change(const Graph& before, const Graph& after) {
  if (!same_but_for_extents(before, after)) {
    return std::nullopt;
  }
  std::optional<ExtentChange> change;
  for (std::size_t value = 0; value < before.value_count(); ++value) {
    const Type& a = before.type(static_cast<ValueId>(value));
    const Type& b = after.type(static_cast<ValueId>(value));
    if (a.dtype != b.dtype || a.shape.rank() != b.shape.rank()) {
      return std::nullopt;
    }
    for (std::size_t axis = 0; axis < a.shape.rank(); ++axis) {
      if (a.shape[axis] == b.shape[axis]) {
        continue;
      }
      if (!change) {
        change = {.before = a.shape[axis], .after = b.shape[axis], .is_leading = axis == 0};
      }
      if (a.shape[axis] * change->after != b.shape[axis] * change->before) {
        return std::nullopt;
      }
    }
  }
  return change;
}

Distance distance(const Graph& a, const Graph& b) {
  const Alignment alignment = align(a, b);
  const std::size_t matched = alignment.prefix + alignment.suffix;
  Distance result{.unmatched = a.node_count() + b.node_count() - 2 * matched};
  const auto count = [&](std::size_t in_a, std::size_t in_b) {
    const Node node_a = a.node(in_a);
    const Node node_b = b.node(in_b);
    result.changed += same_types(a, node_a, b, node_b) && same_attributes(node_a, node_b) &&
                              same_regions(a, node_a, b, node_b)
                          ? 0U
                          : 1U;
  };
  for (std::size_t i = 0; i < alignment.prefix; ++i) {
    count(i, i);
  }
  for (std::size_t i = 1; i <= alignment.suffix; ++i) {
    count(a.node_count() - i, b.node_count() - i);
  }
  return result;
}

std::string Line::text() const {
  return where.line() == 0 ? "at an unknown line"
                           : (is_exact ? "at " : "near ") + std::string(where.file_name()) + ":" +
                                 std::to_string(where.line());
}

Line line_of(const Graph& graph, std::size_t node) {
  const Node asked = graph.node(node);
  if (is_users(asked.where)) {
    return {asked.where, true};
  }
  std::vector<bool> related(graph.value_count());
  const auto is_related = [&](ValueId value) { return bool{related[Graph::index(value)]}; };
  const auto relate = [&](ValueId value) { related[Graph::index(value)] = true; };
  const auto results_of = [](const Node& of) {
    return std::views::iota(std::size_t{0}, of.result_count) |
           std::views::transform([&of](std::size_t i) { return of.result(i); });
  };
  std::ranges::for_each(results_of(asked), relate);
  for (std::size_t i = node + 1; i < graph.node_count(); ++i) {
    const Node reader = graph.node(i);
    if (std::ranges::any_of(reader.operands, is_related)) {
      if (is_users(reader.where)) {
        return {reader.where, false};
      }
      std::ranges::for_each(results_of(reader), relate);
    }
  }
  related.assign(related.size(), false);
  std::ranges::for_each(asked.operands, relate);
  for (std::size_t i = node; i-- > 0;) {
    const Node maker = graph.node(i);
    if (std::ranges::any_of(results_of(maker), is_related)) {
      if (is_users(maker.where)) {
        return {maker.where, false};
      }
      std::ranges::for_each(maker.operands, relate);
    }
  }
  return {};
}

}  // namespace ddx::ir

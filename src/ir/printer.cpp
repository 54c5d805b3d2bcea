#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "ir/detail/field_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace ddx::ir {
namespace {

using detail::field_text;
using detail::list_text;

/// The printed text of a field with this default; empty if it has the default.
template <class Field>
std::string changed_text(const Field& field, const Field& usual) {
  std::string text = field_text(field);
  return text == field_text(usual) ? std::string() : text;
}
template <class Element, std::size_t n>
std::string changed_text(const std::array<Element, n>& field, const std::array<Element, n>& usual) {
  return list_text(field, usual);
}

std::string attributes_text(const Node& node) {
  return std::visit(
      [&](const auto& attributes) {
        using A = std::remove_cvref_t<decltype(attributes)>;
        const A usual{};
        std::string text;
        std::size_t next_scalar = 0;
        // The fields of both in step: those of the default are visited up to the same name.
        ops::visit_fields(
            attributes, [&](const std::string_view name, const auto& field, ops::FieldRole role) {
              std::string shown;
              if (role == ops::FieldRole::RunTime && node.scalars[next_scalar++] != baked) {
                shown = "#" + std::to_string(Graph::index(node.scalars[next_scalar - 1]));
              } else {
                ops::visit_fields(
                    usual, [&](const std::string_view other, const auto& value, ops::FieldRole) {
                      if constexpr (std::is_same_v<decltype(field), decltype(value)>) {
                        if (other == name) {
                          shown = changed_text(field, value);
                        }
                      }
                    });
              }
              if (!shown.empty()) {
                text += (text.empty() ? " {" : ", ") + std::string(name) + " = " + shown;
              }
            });
        return text.empty() ? text : text + "}";
      },
      node.attributes);
}

/// The numbers of scalars or checks passed to regions, after a sign.
template <class Id>
std::string numbers_text(const std::string& sign, std::span<const Id> ids) {
  std::string text;
  for (const Id id : ids) {
    text += (text.empty() ? sign : ", " + sign.substr(2)) + std::to_string(Graph::index(id));
  }
  return text;
}

/// The fields of a scan; empty for other operations.
std::vector<std::string> scan_texts(const Node& node) {
  const ScanFields& scan = node.scan;
  std::vector<std::string> texts;
  const auto add = [&](const char* name, std::int64_t value) {
    if (value != 0) {
      texts.push_back(std::string(name) + " = " + std::to_string(value));
    }
  };
  add("carries", scan.carries);
  add("slices", scan.slices);
  add("trips", scan.trips);
  if (scan.reverse) {
    texts.emplace_back("reverse = true");
  }
  return texts;
}

/// The names of values. Parameters come first, at any position in the graph.
class Names {
 public:
  explicit Names(const Graph& graph) : graph_(graph), numbers_(graph.value_count()) {
    std::size_t next = 0;
    for (const ValueId parameter : graph.parameters()) {
      numbers_[Graph::index(parameter)] = next++;
    }
    for (std::size_t i = 0; i < graph.node_count(); ++i) {
      const Node node = graph.node(i);
      for (std::size_t result = 0; result < node.result_count; ++result) {
        numbers_[Graph::index(node.result(result))] = next++;
      }
    }
  }

  [[nodiscard]] std::string list(std::span<const ValueId> values) const {
    std::string text;
    for (const ValueId value : values) {
      text += (text.empty() ? "" : ", ") + name(value);
    }
    return text;
  }
  [[nodiscard]] std::string declaration(ValueId value) const {
    return name(value) + ": " + to_string(graph_.type(value));
  }
  /// A node without its regions.
  [[nodiscard]] std::string line(std::size_t i) const {
    const Node node = graph_.node(i);
    std::string text;
    for (std::size_t result = 0; result < node.result_count; ++result) {
      text += (result == 0 ? "" : ", ") + declaration(node.result(result));
    }
    return text + " = " + std::string(to_string(node.op)) + "(" + list(node.operands) +
           numbers_text("; #", node.region_scalars) + numbers_text("; !", node.region_checks) +
           ")" + attributes_text(node) +
           (node.check == unchecked ? "" : " !" + std::to_string(Graph::index(node.check)));
  }

 private:
  [[nodiscard]] std::string name(ValueId value) const {
    return "%" + std::to_string(numbers_[Graph::index(value)]);
  }

  const Graph& graph_;
  std::vector<std::size_t> numbers_;
};

std::string graph_text(const Graph& graph, const std::string& indent);

/// The text in the braces of a node with regions, one line each; empty for others.
std::string regions_text(const Graph& graph, const Node& node, const std::string& indent) {
  if (!node.op.is_control()) {
    return {};
  }
  std::string text = " {";
  for (const std::string& field : scan_texts(node)) {
    text += "\n" + indent + "  " + field + ",";
  }
  for (std::size_t i = 0; i < node.regions.size(); ++i) {
    text += std::string(i == 0 ? "" : ",") + "\n" + indent + "  " +
            std::string(info(node.op.control()).regions[i]) + " = " +
            graph_text(graph.region(node.regions[i]), indent + "  ");
  }
  return text + "\n" + indent + "}";
}

/// From its name to its closing brace; all lines except the first start with `indent`.
std::string graph_text(const Graph& graph, const std::string& indent) {
  const Names names(graph);
  std::string text = "graph(";
  for (const ValueId parameter : graph.parameters()) {
    text += (text.back() == '(' ? "" : ", ") + names.declaration(parameter);
  }
  std::size_t scalar = 0;
  for (const ScalarKind kind : graph.scalars()) {
    text += (scalar == 0 ? "; #" : ", #") + std::to_string(scalar) + ": " +
            (kind == ScalarKind::Number ? "number" : "key");
    ++scalar;
  }
  if (graph.check_count() > 0) {
    text += "; checks " + std::to_string(graph.check_count());
  }
  text += ") {\n";
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    text +=
        indent + "  " + names.line(i) + regions_text(graph, graph.node(i), indent + "  ") + "\n";
  }
  return text + indent + "  return " + names.list(graph.results()) + "\n" + indent + "}";
}

}  // namespace

std::string to_string(const Type& type) {
  return std::string(to_string(type.dtype)) + to_string(type.shape);
}

std::ostream& operator<<(std::ostream& stream, const Type& type) {
  return stream << to_string(type);
}

std::string to_text(const Graph& graph, std::size_t node) {
  return Names(graph).line(node);
}

std::string to_text(const Graph& graph) {
  return graph_text(graph, "") + "\n";
}

std::ostream& operator<<(std::ostream& stream, const Graph& graph) {
  return stream << to_text(graph);
}

}  // namespace ddx::ir

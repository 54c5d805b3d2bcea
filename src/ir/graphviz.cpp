#include "ddx/ir/graphviz.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/text.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::ir {
namespace {

/// A graph and the regions in it, as nodes whose names begin with `prefix`.
class Picture {
 public:
  Picture(const Graph& graph, std::string prefix, std::string indent)
      : graph_(graph), prefix_(std::move(prefix)), indent_(std::move(indent)) {}

  std::string text() {
    std::vector<std::size_t> places(graph_.value_count());
    for (std::size_t i = 0; i < graph_.parameters().size(); ++i) {
      const ValueId parameter = graph_.parameters()[i];
      places[Graph::index(parameter)] = i;
      line(name('p', i) + " [shape = box, label = \"parameter " + std::to_string(i) + "\\n" +
           to_string(graph_.type(parameter)) + "\"];");
    }
    const auto edge = [&](ValueId value, const std::string& to) {
      const std::optional<std::size_t> producer = graph_.producer(value);
      const std::string from =
          producer ? name('n', *producer) : name('p', places[Graph::index(value)]);
      line(from + " -> " + to + " [label = \"" + to_string(graph_.type(value)) + "\"];");
    };
    for (std::size_t i = 0; i < graph_.node_count(); ++i) {
      const Node node = graph_.node(i);
      line(name('n', i) + " [label = \"" + std::string(to_string(node.op)) + "\"];");
      for (const ValueId operand : node.operands) {
        edge(operand, name('n', i));
      }
      for (std::size_t region = 0; region < node.regions.size(); ++region) {
        draw_region(i, node, region);
      }
    }
    for (std::size_t i = 0; i < graph_.results().size(); ++i) {
      line(name('r', i) + " [shape = box, label = \"result " + std::to_string(i) + "\"];");
      edge(graph_.results()[i], name('r', i));
    }
    return text_;
  }

 private:
  [[nodiscard]] std::string name(char kind, std::size_t number) const {
    return prefix_ + kind + std::to_string(number);
  }
  void line(const std::string& content) { text_ += indent_ + content + "\n"; }

  /// A box around a region, which is drawn again for each node that uses it.
  void draw_region(std::size_t i, const Node& node, std::size_t region) {
    const std::string prefix = name('n', i) + "_" + std::to_string(region) + "_";
    line("subgraph cluster_" + prefix + " {");
    line("  label = \"" + std::string(info(node.op.control()).regions[region]) + " of " +
         name('n', i) + "\";");
    text_ += Picture(graph_.region(node.regions[region]), prefix, indent_ + "  ").text();
    line("}");
  }

  const Graph& graph_;
  std::string prefix_;
  std::string indent_;
  std::string text_;
};

}  // namespace

std::string to_graphviz(const Graph& graph) {
  return "digraph ddx {\n  rankdir = TB;\n  node [fontname = \"monospace\"];\n" +
         Picture(graph, "", "  ").text() + "}\n";
}

}  // namespace ddx::ir

#include "ddx/ir/graphviz.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ddx::ir {

std::string to_graphviz(const Graph& graph) {
  std::vector<std::size_t> places(graph.value_count());
  std::string text = "digraph ddx {\n  rankdir = TB;\n  node [fontname = \"monospace\"];\n";
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    const ValueId parameter = graph.parameters()[i];
    places[Graph::index(parameter)] = i;
    text += "  p" + std::to_string(i) + " [shape = box, label = \"parameter " + std::to_string(i) +
            "\\n" + to_string(graph.type(parameter)) + "\"];\n";
  }
  const auto edge = [&](ValueId value, const std::string& to) {
    const std::optional<std::size_t> producer = graph.producer(value);
    const std::string from = producer ? "n" + std::to_string(*producer)
                                      : "p" + std::to_string(places[Graph::index(value)]);
    text += "  " + from + " -> " + to + " [label = \"" + to_string(graph.type(value)) + "\"];\n";
  };
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    const std::string name = "n" + std::to_string(i);
    text += "  " + name + " [label = \"" + std::string(to_string(node.op)) + "\"];\n";
    for (const ValueId operand : node.operands) {
      edge(operand, name);
    }
  }
  for (std::size_t i = 0; i < graph.results().size(); ++i) {
    const std::string name = "r" + std::to_string(i);
    text += "  " + name + " [shape = box, label = \"result " + std::to_string(i) + "\"];\n";
    edge(graph.results()[i], name);
  }
  return text + "}\n";
}

}  // namespace ddx::ir

#include "ddx/nn/detail/layer_rows.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string>
#include <vector>

namespace ddx::nn::detail {
namespace {

using Cells = std::array<std::string, 4>;

/// Where the template arguments that end the text begin; its length where there are none.
std::size_t end_of_name(const std::string& text) {
  if (text.empty() || text.back() != '>') {
    return text.size();
  }
  std::size_t depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == '>' ? 1 : 0;
    depth -= text[i] == '<' ? 1 : 0;
    if (depth == 0) {
      return i;
    }
  }
  return text.size();
}

std::string line(const Cells& cells, const std::array<std::size_t, 4>& widths) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    text += cells[i] + std::string(widths[i] - cells[i].size() + 2, ' ');
  }
  return text + std::string(widths[3] - cells[3].size(), ' ') + cells[3] + "\n";
}

}  // namespace

std::string bare_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  std::string text = status == 0 ? readable.get() : mangled;
  text.resize(end_of_name(text));
  const std::size_t scope = text.rfind("::");
  return scope == std::string::npos ? text : text.substr(scope + 2);
}

std::string rendered(const LayerTable& table, const std::string& name, const std::string& output,
                     const ParameterCount& parameters) {
  std::vector<Cells> lines{{"layer", "class", "output", "parameters"}};
  for (const LayerRow& row : table) {
    lines.push_back({row.path.empty() ? "(model)" : row.path, row.name, row.output,
                     std::to_string(row.parameters.trained + row.parameters.frozen)});
  }
  std::array<std::size_t, 4> widths{};
  for (const Cells& cells : lines) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], cells[i].size());
    }
  }
  std::string text;
  for (const Cells& cells : lines) {
    text += line(cells, widths);
  }
  return text + name + " -> " + output + ": " +
         std::to_string(parameters.trained + parameters.frozen) + " parameters, " +
         std::to_string(parameters.trained) + " of them trained\n";
}

}  // namespace ddx::nn::detail

// A blackboard of std::any: stages read and write values of different types by name.

#include "gradient_check.h"

#include <any>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace {

struct Range {
  double low;
  double high;
};

using Board = std::map<std::string, std::any>;

void measure(Board& board) {
  const auto& data = std::any_cast<const std::vector<double>&>(board.at("data"));
  Range range{data.front(), data.front()};
  for (const double v : data) {
    range.low = v < range.low ? v : range.low;
    range.high = v > range.high ? v : range.high;
  }
  board["range"] = range;
}

void normalise(Board& board) {
  const auto* range = std::any_cast<Range>(&board["range"]);
  for (double& v : std::any_cast<std::vector<double>&>(board["data"])) {
    v = (v - range->low) / (range->high - range->low + 0.1);
  }
  board["steps"] = 2;
}

double any_blackboard(const std::vector<double>& data, double gain) {
  Board board;
  board["data"] = data;
  board["gain"] = gain;
  measure(board);
  normalise(board);
  double result = std::any_cast<double>(board["gain"]);
  for (int i = 0; i < std::any_cast<int>(board["steps"]); ++i) {
    for (const double v : std::any_cast<std::vector<double>>(board["data"])) {
      result = std::tanh(result + v * gain);
    }
    board["gain"] = result;
  }
  return result + std::any_cast<Range>(board["range"]).high * std::any_cast<double>(board["gain"]);
}

DDX_CHECK_GRADIENT(any_blackboard, at(std::vector{0.5, -0.2, 0.9}, 0.8),
                   at(std::vector{1.2, 0.3}, -0.5), at(std::vector{0.3, 0.6, -0.4, 1.1}, 0.4))

}  // namespace

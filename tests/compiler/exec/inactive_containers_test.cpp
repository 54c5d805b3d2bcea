/// \file
/// Containers without real numbers, of bits and texts, that numbers decide over: they have no
/// tangent, and change what becomes of the numbers.

#include "gradient_check.h"

#include <bitset>
#include <set>
#include <string>
#include <vector>

namespace {

double bits_assigned(double x, int rounds) {
  std::vector<bool> marks(4);
  double y = x;
  for (int t = 0; t < rounds; ++t) {
    const std::size_t i = static_cast<std::size_t>(t);
    marks[i % 4] = y > 1.5;
    if (marks[i % 4] && !marks[(i + 1) % 4]) {
      y = y * y * 0.5;
    } else {
      y = y + x;
    }
    marks[(i + 2) % 4] = !marks[i % 4];
  }
  return y;
}
DDX_CHECK_GRADIENT(bits_assigned, at(0.83, 5), at(1.7, 3), at(-0.4, 0))

double bits_appended(double x, int rounds) {
  std::vector<bool> marks;
  std::bitset<8> set;
  double y = x;
  for (int t = 0; t < rounds; ++t) {
    const std::size_t i = static_cast<std::size_t>(t);
    marks.push_back(y > 1.5);
    set.set(i, y > 2);
    set[7] = y < 1;
    y = marks.back() ? y * 0.8 : y + x;
    y = set.test(i) ? y * x : y;
  }
  for (const bool mark : marks) {
    y = mark ? y * 1.5 : y - x;
  }
  return y * static_cast<double>(set.count());
}
DDX_CHECK_GRADIENT(bits_appended, at(0.83, 5), at(1.7, 3), at(-0.4, 0))

double texts(double x, int rounds) {
  std::string trace;
  std::set<std::string> met;
  double y = x;
  for (int t = 0; t < rounds; ++t) {
    trace += y > 1.5 ? "a" : "b";
    trace.push_back(y > 3 ? 'c' : 'd');
    met.emplace(y > 2 ? "high" : "low");
    y = trace.back() == 'd' ? y * 1.2 : y + x;
    if (trace[2 * static_cast<std::size_t>(t)] == 'a') {
      y *= x;
    }
  }
  return y * static_cast<double>(met.size());
}
DDX_CHECK_GRADIENT(texts, at(0.83, 5), at(1.7, 3), at(-0.4, 0))

struct Cells {
  std::vector<bool> alive;
  std::vector<std::vector<int>> groups;
  double energy;
  std::vector<std::string> notes;
};

double members(double x, int rounds) {
  Cells cells{std::vector<bool>(3), {{1}, {2, 3}}, x, {"q", "r"}};
  for (int t = 0; t < rounds; ++t) {
    const std::size_t i = static_cast<std::size_t>(t);
    cells.alive.at(i % 3) = cells.energy > t;
    cells.groups[i % 2].push_back(static_cast<int>(cells.energy));
    cells.notes.back() += cells.energy > 2 ? "x" : "y";
    cells.alive[0].flip();
    cells.energy = cells.energy * (cells.alive[i % 3] ? x : 2) + cells.groups[i % 2].back() * x;
  }
  return cells.energy * (cells.alive[2] ? 3 : 1) * static_cast<double>(cells.notes[1].size()) *
         static_cast<double>(cells.groups[1].size());
}
DDX_CHECK_GRADIENT(members, at(0.83, 5), at(1.7, 3), at(-0.4, 0))

}  // namespace

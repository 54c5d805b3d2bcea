#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <deque>
#include <map>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

class Grid {
 public:
  Grid(std::size_t width, std::size_t height, double value)
      : values_(width * height, value), width_(width) {}
  double& at(std::size_t x, std::size_t y) { return values_[y * width_ + x]; }
  auto begin() { return values_.begin(); }
  auto end() { return values_.end(); }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }

 private:
  std::vector<double> values_;
  std::size_t width_;
};

struct Half {
  double numbers[6];
  [[nodiscard]] const double* begin() const { return numbers + 1; }
  [[nodiscard]] const double* end() const { return numbers + 4; }
};

double sum_of(const Half& half) {
  double sum = 0;
  for (const double v : half) {
    sum = sum * 0.5 + v * v;
  }
  return sum;
}

// Classes whose begin and end are places in a sequence that they hold.
double classes_of_numbers(double x, double y) {
  Grid grid(3, 2, x);
  grid.at(1, 1) *= y;
  double sum = 0;
  for (double& v : grid) {
    sum = sum * 0.9 + v;
    v *= sum;
    if (v > 40) {
      break;
    }
  }
  const Grid& same = grid;
  for (const double v : same) {
    if (v < 0) {
      continue;
    }
    sum += v * v * x;
  }
  return sum + sum_of(Half{{x, y, x * y, 2, y * y, 5}});
}
// Sequences that are constants outside of all functions.
const double coefficients[3] = {1.5, -2.0, 0.75};
std::vector<double> more_coefficients = {0.5, 1.25, -1.0};

double constants_outside(double x) {
  double sum = 0, power = 1;
  for (const double c : coefficients) {
    sum += c * power;
    power *= x;
  }
  for (double c : more_coefficients) {
    sum += c * power * power;
    power *= x;
  }
  return sum;
}

DDX_CHECK_GRADIENT(constants_outside, at(0.5), at(-1.2), at(1.1))

DDX_CHECK_GRADIENT(classes_of_numbers, at(1.2, 0.7), at(-0.4, 0.3), at(0.8, -1.6))

struct Countdown {
  struct Iterator {
    int at;
    int operator*() const { return at; }
    Iterator& operator++() {
      --at;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at != other.at; }
  };
  int from;
  [[nodiscard]] Iterator begin() const { return {from}; }
  [[nodiscard]] Iterator end() const { return {0}; }
};

// What holds no numbers may be any range.
double ranges_without_numbers(double x, double y, int n) {
  double sum = 0;
  const std::set<int> keys{3, 1, 2};
  for (const int key : keys) {
    sum = sum * x + key * y;
  }
  const std::map<std::string, int> order{{"a", 2}, {"bc", 5}, {"def", 3}};
  for (const auto& [name, power] : order) {
    if (power > 4) {
      continue;
    }
    sum += std::pow(x, power) * static_cast<double>(name.size());
  }
  for (const auto& entry : order) {
    sum = sum * y + entry.second;
  }
  for (const int i : std::views::iota(0, n)) {
    sum += y * i * x;
    if (i == 2) {
      break;
    }
  }
  const std::string text = "hello";
  for (const int key : keys) {
    for (const char c : text) {
      if (c == 'l') {
        sum *= 1 + 0.1 * key * y;
      }
    }
  }
  for (const int i : Countdown{n}) {
    sum = sum * 0.3 + i * x * x;
  }
  return sum;
}
DDX_CHECK_GRADIENT(ranges_without_numbers, at(1.2, 0.7, 4), at(-0.4, 0.3, 0), at(0.8, 1.6, 2))

struct Machine {
  double energy = 0;
  std::string last;
  std::vector<std::string> lines;
  std::set<int> seen;
  void tick(double u) {
    energy += u * u * (last.empty() ? 1 : 2);
    last += energy > 1 ? "stop" : "go";
    if (last.size() > 6) {
      last.clear();
    }
    if (seen.insert(static_cast<int>(energy * 4)).second) {
      lines.push_back(last);
      energy *= 0.9;
    }
    last = last + "!";
  }
};

// Members without numbers of objects with some are changed by the library's functions.
double members_without_numbers(double x, double y) {
  Machine machine;
  for (int i = 0; i < 6; ++i) {
    machine.tick(x + 0.1 * i * y);
    machine.energy += 0.01 * x * static_cast<double>(machine.last.size());
  }
  return machine.energy * static_cast<double>(machine.lines.size());
}
DDX_CHECK_GRADIENT(members_without_numbers, at(1.2, 0.7), at(-0.4, 0.3), at(0.3, 0.4))

}  // namespace

// std::map and std::unordered_map: keys that come, go and come again, loops over what is there,
// values of every kind, maps as arguments, results and members.

#include "ddx/core/error.h"

#include "gradient_check.h"

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

double by_name(double x, double y) {
  std::map<std::string, double> m;
  m["x"] = x;
  m["y"] = x * y;
  m["x"] += y;
  m["x"] *= m["y"];
  const std::string name = "x";
  m[name + "x"] = m[name] * x;
  m["y"] = m.at("y") * m["xx"] + m["none"];
  return m["x"] * m.at("y") + m["xx"];
}
DDX_CHECK_GRADIENT(by_name, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double gone_and_back(const std::vector<double>& x) {
  std::map<int, double> m;
  double sum = 0.1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int key = static_cast<int>(i % 3);
    m[key] += x[i] * sum;
    if (i % 4 == 3) {
      sum += m[key] * m[key];
      m.erase(key);
    }
    if (i == 5) {
      m.clear();
    }
    m.erase(17);
    sum = 0.9 * sum + m[(key + 1) % 3] * x[i];
  }
  return sum * (m.empty() ? 1.5 : m[0] + static_cast<double>(m.size()));
}
DDX_CHECK_GRADIENT(gone_and_back, at(std::vector{0.5, 0.2, 0.7, -0.3, 0.4, 0.6, 1.1, 0.3, -0.6}),
                   at(std::vector<double>{}), at(std::vector{0.4, -0.3, 0.2, 0.9}))

double loops(double x, double y, int n) {
  std::map<std::string, double> m{{"c", x}, {"a", y}, {"b", x * y}, {"a", 100 * x}};
  double sum = 0.3;
  for (int i = 0; i < n; ++i) {
    for (auto& [name, value] : m) {
      sum = 0.5 * sum + value * (name == "b" ? x : y);
      value *= sum;
    }
    for (const auto& entry : m) {
      if (entry.first == "b") {
        continue;
      }
      sum = 0.8 * sum + entry.second * entry.second;
    }
    for (auto [name, value] : m) {
      value += x;
      sum += 0.1 * value * static_cast<double>(name.size());
      m["b"] += 0.01 * value;
    }
    for (auto entry : m) {
      entry.second *= y;
      sum += 0.2 * entry.second * sum;
      if (entry.first == "b") {
        break;
      }
    }
  }
  return sum;
}
DDX_CHECK_GRADIENT(loops, at(0.7, 0.4, 2), at(-0.3, 0.4, 1), at(0.3, -0.8, 0))

double found(double x, double y, int key) {
  std::map<int, double> m{{1, x}, {2, y}, {4, x + y}};
  double sum = y;
  const auto there = m.find(key);
  if (there != m.end()) {
    sum += there->second * x;
    there->second *= sum;
  }
  if (auto again = m.find(key + 1); again == m.end()) {
    sum *= 1.5;
  } else {
    sum += (*again).second * again->first;
  }
  auto at = m.begin();
  sum += at->second;
  ++at;
  at->second += sum;
  at = m.find(4);
  sum += at->second * m.find(2)->second;
  if (m.contains(key) && m.count(1) == 1) {
    sum *= m.at(key);
  }
  return sum;
}
DDX_CHECK_GRADIENT(found, at(0.7, 1.2, 1), at(-0.3, 0.4, 2), at(1.1, -0.8, 3), at(0.6, 0.5, 4))

double by_iterator(const std::vector<double>& x, double limit) {
  std::map<std::size_t, double> m;
  for (std::size_t i = 0; i < x.size(); ++i) {
    m[i * 7 % 5] += x[i];
  }
  double sum = 1;
  for (auto i = m.begin(); i != m.end();) {
    sum = 0.6 * sum + i->second * limit * static_cast<double>(i->first + 1);
    if (i->second * i->second < limit) {
      i = m.erase(i);
    } else {
      i->second *= sum;
      ++i;
    }
  }
  for (auto i = m.cbegin(); i != m.cend(); ++i) {
    sum += i->second * i->second;
  }
  return sum;
}
DDX_CHECK_GRADIENT(by_iterator, at(std::vector{0.5, 0.2, 0.7, -0.3, 0.4, 0.6, 1.1}, 0.3),
                   at(std::vector<double>{}, 0.2), at(std::vector{0.4, -0.3}, 0.1))

struct Cell {
  double mass = 0;
  double moment = 0.25;
  int count = 0;
};

double of_structs(const std::vector<double>& x, double mass) {
  std::unordered_map<int, Cell> cells;
  double sum = 0;
  for (const double place : x) {
    Cell& cell = cells[static_cast<int>(std::floor(2 * place))];
    cell.mass += mass * place;
    cell.moment += cell.mass * cell.mass;
    ++cell.count;
  }
  for (int key = -2; key < 4; ++key) {
    if (const auto place = cells.find(key); place != cells.end()) {
      const Cell& cell = place->second;
      sum = 0.9 * sum + cell.moment * cell.mass * cell.count;
      cells[key] = {sum, mass, 1};
      sum += cells[key].mass * cells[key].moment;
    }
  }
  const Cell copy = cells[0];
  return sum + copy.mass * copy.moment;
}
DDX_CHECK_GRADIENT(of_structs, at(std::vector{0.1, 0.7, 0.3, 1.9}, 1.1), at(std::vector{0.4}, 0.6),
                   at(std::vector<double>{}, 2.0))

double looked_at_first(const std::vector<double>& x) {
  std::map<std::size_t, Cell> cells;
  double sum = 0.3;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t key = i % 2;
    if (cells[key].count == 0) {
      sum *= 1.1;
    }
    cells[key].mass += x[i] * sum;
    sum += cells[key].mass * cells[key].moment;
    if (++cells[key].count == 2) {
      cells.erase(key);
    }
  }
  return sum;
}
DDX_CHECK_GRADIENT(looked_at_first, at(std::vector{0.1, 0.7, 0.3, 1.9, 0.4, 0.6, 0.2}),
                   at(std::vector{0.4}), at(std::vector<double>{}))

double listed(double x, double y) {
  std::map<int, double> m{{1, x}, {3, y}};
  std::vector<std::pair<int, double>> list;
  for (const auto& [key, value] : m) {
    list.push_back({key, value});
    list.emplace_back(key + 1, value * x);
  }
  double sum = 0;
  for (const auto& [key, value] : list) {
    sum = 0.5 * sum + value * value * key;
  }
  return sum;
}
DDX_CHECK_GRADIENT(listed, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double of_vectors(const std::vector<double>& x, double y) {
  std::map<std::string, std::vector<double>> m;
  double sum = 0.2;
  for (std::size_t i = 0; i < x.size(); ++i) {
    m[i % 2 == 0 ? "even" : "odd"].push_back(x[i] * y);
    m["all"].push_back(x[i] + sum);
    sum += m["all"].back() * m["all"][0];
  }
  if (m["odd"].size() > 1) {
    m["odd"].pop_back();
    m["even"] = m["odd"];
    m["all"] = std::vector<double>(2, y);
  }
  for (auto& [name, values] : m) {
    for (double& value : values) {
      value *= y;
      sum = 0.7 * sum + value * value;
    }
  }
  m.erase("all");
  m["all"].push_back(sum);
  const std::vector<double> last = m["all"];
  m.clear();
  m["all"] = {last[0], y};
  return m["all"][0] * m["all"][1] + (m.contains("odd") ? x[0] : y);
}
DDX_CHECK_GRADIENT(of_vectors, at(std::vector{0.5, 0.2, 0.7, -0.3}, 1.1), at(std::vector{0.4}, 0.6),
                   at(std::vector<double>{}, 2.0))

double sparse_rows(const std::vector<double>& x, int n) {
  std::map<int, std::map<int, double>> a;
  for (int i = 0; i < n; ++i) {
    a[i][i] = 2 + x[0];
    a[i][(i + 2) % n] -= x[1] * i;
  }
  std::vector<double> v(static_cast<std::size_t>(n), x[0]);
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (const auto& [i, row] : a) {
      double sum = x[1];
      for (const auto& [j, value] : row) {
        sum += value * v[static_cast<std::size_t>(j)];
      }
      v[static_cast<std::size_t>(i)] = sum / a[i][i];
    }
  }
  double sum = 0;
  for (const double e : v) {
    sum = 0.5 * sum + e * e;
  }
  return sum;
}
DDX_CHECK_GRADIENT(sparse_rows, at(std::vector{0.5, 0.2}, 4), at(std::vector{0.4, -0.3}, 1),
                   at(std::vector{0.1, 0.9}, 0))

double in_a_vector(double x, double y, std::size_t n) {
  std::vector<std::map<char, double>> layers(n);
  for (std::size_t i = 0; i < n; ++i) {
    layers[i]['a'] = x + static_cast<double>(i);
    layers[i]['b'] = i > 0 ? layers[i - 1]['b'] * layers[i]['a'] : y;
  }
  layers.push_back(n > 0 ? layers.back() : std::map<char, double>{{'b', x * x}});
  double sum = 1;
  for (const auto& layer : layers) {
    for (const auto& [name, value] : layer) {
      sum = 0.5 * sum + value * (name == 'a' ? y : x);
    }
  }
  return sum;
}
DDX_CHECK_GRADIENT(in_a_vector, at(0.7, 1.2, std::size_t{3}), at(-0.3, 0.4, std::size_t{0}),
                   at(1.1, -0.8, std::size_t{1}))

using Parameters = std::map<std::string, double>;

double of_parameters(const Parameters& p, double t) {
  double sum = p.at("amplitude") * std::exp(-p.at("decay") * t);
  for (const auto& [name, value] : p) {
    sum = 0.9 * sum + value * value * (name < "b" ? t : 1);
  }
  const auto extra = p.find("extra");
  return extra == p.end() ? sum : sum * extra->second;
}
DDX_CHECK_GRADIENT(of_parameters,
                   at(Parameters{{"amplitude", 0.7}, {"decay", 0.4}, {"unused", 1.0}}, 0.6),
                   at(Parameters{{"amplitude", 0.7}, {"decay", 0.4}, {"extra", 1.3}}, 0.6),
                   at(Parameters{{"amplitude", 0.9}, {"decay", 0.1}, {"a", 0.2}}, -0.6))

Parameters stepped(Parameters p, double rate) {
  p["decay"] *= 1 - rate;
  p["added"] = p["decay"] * rate;
  for (auto& [name, value] : p) {
    value += rate * value * value;
  }
  return p;
}
DDX_CHECK_GRADIENT(stepped, at(Parameters{{"amplitude", 0.7}, {"decay", 0.4}}, 0.6),
                   at(Parameters{{"decay", 0.4}, {"added", 2.0}}, 0.2), at(Parameters{}, 0.2))

void scale(Parameters& p, double by) {
  for (auto& entry : p) {
    entry.second *= by;
  }
  p["scale"] = by;
}

double copied(double x, double y) {
  Parameters a{{"decay", x}, {"amplitude", y}};
  Parameters b = a;
  b["decay"] *= y;
  scale(b, x);
  const Parameters c = stepped(b, x);
  a.swap(b);
  b["amplitude"] += a["scale"];
  double sum = of_parameters(a, y) + of_parameters(c, x);
  a = b;
  sum += a["decay"] * a["amplitude"];
  a = {{"decay", sum}, {"amplitude", x}};
  b = std::move(a);
  return of_parameters(b, 0.5) + sum;
}
DDX_CHECK_GRADIENT(copied, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double inserted(double x, double y) {
  std::map<std::string, double> m;
  m.insert({"a", x});
  m.insert({"a", y});
  m.emplace("b", y * x);
  m.emplace("b", 7.0);
  m.try_emplace("c", x + y);
  m.try_emplace("a", y);
  m.insert_or_assign("a", m["a"] * y);
  m.insert(std::make_pair(std::string("d"), x * x));
  m.insert({{"e", x * y}, {"a", y}});
  double sum = x;
  for (const auto& [name, value] : m) {
    sum = 0.4 * sum + value * (1 + static_cast<double>(name[0] - 'a'));
  }
  return sum * sum;
}
DDX_CHECK_GRADIENT(inserted, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

class Ledger {
 public:
  void book(const std::string& account, double amount) {
    totals_[account] += amount;
    last_ = amount * totals_[account];
  }
  [[nodiscard]] double balance(const std::string& account) const {
    const auto found = totals_.find(account);
    return found == totals_.end() ? last_ : found->second;
  }

 private:
  std::map<std::string, double> totals_;
  double last_ = 0;
};

double as_a_member(const std::vector<double>& x, double rate) {
  Ledger ledger;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    ledger.book(i % 2 == 0 ? "even" : "odd", x[i] * rate);
    sum = 0.7 * sum + ledger.balance("even") * ledger.balance("odd");
  }
  const Ledger copy = ledger;
  ledger.book("even", sum);
  return sum * ledger.balance("even") + copy.balance("none");
}
DDX_CHECK_GRADIENT(as_a_member, at(std::vector{0.5, 0.2, 0.7}, 0.3), at(std::vector<double>{}, 0.4),
                   at(std::vector{0.4, -0.3}, -0.8))

enum class Kind { Spring, Damper };

double by_other_keys(double x, double y) {
  std::map<std::pair<int, int>, double> grid;
  std::map<Kind, double> forces;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      grid[{i, j}] = x * i + y * j;
    }
  }
  for (const auto& [place, value] : grid) {
    const auto [i, j] = place;
    forces[i > j ? Kind::Spring : Kind::Damper] += value * value * (i + 1);
    const auto next = grid.find({i + 1, j});
    if (next != grid.end()) {
      forces[Kind::Spring] += next->second * value;
    }
  }
  return forces[Kind::Spring] * forces[Kind::Damper];
}
DDX_CHECK_GRADIENT(by_other_keys, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double first_above(const Parameters& p, double limit) {
  for (const auto& [name, value] : p) {
    if (value * value > limit) {
      return value * limit + static_cast<double>(name.size());
    }
  }
  return limit * limit;
}
DDX_CHECK_GRADIENT(first_above, at(Parameters{{"a", 0.1}, {"bb", 0.9}, {"c", 2.0}}, 0.3),
                   at(Parameters{{"a", 0.1}}, 0.3), at(Parameters{}, 0.7))

#ifdef __DDX__
double asked(double x) {
  std::map<std::string, double> m{{"a", x}};
  return m.at("a") * m.at("b");
}

TEST(MapGradient, ThrowsWhatAtThrows) {
  EXPECT_THROW((void)ddx::gradient(asked, 1.0), std::out_of_range);
}

double growing(double x) {
  std::map<int, double> m{{0, x}};
  for (auto& [key, value] : m) {
    if (key < 3) {
      m[key + 1] = value * x;
    }
  }
  return m[3];
}

TEST(MapGradient, FollowsALoopWhoseKeysGrow) {
  EXPECT_DOUBLE_EQ(ddx::gradient(growing, 1.1), 4 * 1.1 * 1.1 * 1.1);
}

TEST(MapGradient, HasTheKeysOfItsArgument) {
  const auto [by_p, by_t] =
      ddx::gradient(of_parameters, Parameters{{"amplitude", 0.7}, {"decay", 0.4}}, 0.6);
  EXPECT_EQ(by_p.size(), 2);
  EXPECT_TRUE(by_p.contains("amplitude") && by_p.contains("decay"));
}

TEST(MapGradient, TakesACotangentWithoutSomeKeys) {
  const auto back = ddx::pullback(stepped, Parameters{{"a", 2.0}, {"decay", 0.5}}, 0.1);
  const auto [by_p, by_rate] = back({{"a", 1.0}});
  EXPECT_DOUBLE_EQ(by_p.at("a"), 1 + 2 * 0.1 * 2.0);
  EXPECT_DOUBLE_EQ(by_p.at("decay"), 0);
  EXPECT_DOUBLE_EQ(by_rate, 4.0);
}
#endif

}  // namespace

// --- Moved from, a map is empty.

namespace {

double buffers_moved_in(double x) {
  std::map<int, std::vector<double>> m;
  std::vector<double> buf;
  for (int i = 0; i < 3; ++i) {
    buf.push_back(x * (i + 1));
    m[i] = std::move(buf);
  }
  double s = 0;
  for (int i = 0; i < 3; ++i) s += m[i][0] * static_cast<double>(m[i].size()) * x;
  return s;
}

double moved_from(double x) {
  std::map<int, double> a{{1, x}};
  auto b = std::move(a);
  a[1] = x * x;
  a[2] = x;
  return a[1] * b[1] * static_cast<double>(a.size());
}

}  // namespace

DDX_CHECK_GRADIENT(buffers_moved_in, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(moved_from, at(0.83), at(1.1), at(-1.37))

// --- Loops inside loops over a map.

namespace {

double elements_of_values(double x) {
  std::map<int, std::vector<double>> rows;
  rows[1] = {x, x * x};
  rows[5] = {3 * x};
  double s = 0;
  for (auto& row : rows)
    for (double e : row.second) s = s * x + e * e * row.first;
  return s;
}

double elements_of_named_values(double x) {
  std::map<int, std::vector<double>> rows;
  rows[1] = {x, x * x};
  rows[5] = {3 * x};
  double s = 0;
  for (const auto& [key, row] : rows)
    for (std::size_t i = 0; i < row.size(); ++i) s = s * x + row[i] * row[i] * key;
  return s;
}

}  // namespace

DDX_CHECK_GRADIENT(elements_of_values, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(elements_of_named_values, at(0.83), at(1.1), at(-1.37))

// Interpolation in a std::map with real keys, inside a solver behind a shared pointer and a virtual
// call.

#include "gradient_check.h"

#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <vector>

namespace {

class Law {
 public:
  Law() = default;
  Law(const Law&) = delete;
  Law& operator=(const Law&) = delete;
  virtual ~Law() = default;
  [[nodiscard]] virtual double stress(double strain) const = 0;
};

class TableLaw : public Law {
 public:
  void add(double strain, double stress) { table_[strain] = stress; }
  [[nodiscard]] double stress(double strain) const override {
    const auto above = table_.upper_bound(strain);
    if (above == table_.begin()) {
      return above->second * strain / above->first;
    }
    const auto below = std::prev(above);
    if (above == table_.end()) {
      return below->second + 0.1 * (strain - below->first);
    }
    const double t = (strain - below->first) / (above->first - below->first);
    return (1 - t) * below->second + t * above->second;
  }
  [[nodiscard]] double total() const {
    double sum = 0;
    for (auto it = table_.begin(); it != table_.end(); ++it) {
      sum += it->first * it->second;
    }
    return sum;
  }

 private:
  std::map<double, double> table_;
};

double interpolation_map(const std::vector<double>& strains, double stiffness, double load) {
  const auto table = std::make_shared<TableLaw>();
  for (const double s : strains) {
    table->add(s, stiffness * std::tanh(s));
  }
  const std::shared_ptr<const Law> law = table;
  double strain = 0.1;
  for (int i = 0; i < 6; ++i) {
    strain += 0.3 * (load - law->stress(strain));
  }
  return strain * strain + 0.2 * table->total();
}

DDX_CHECK_GRADIENT(interpolation_map, at(std::vector{0.5, 0.2, 0.9}, 1.5, 0.8),
                   at(std::vector{0.4, 1.3}, 0.7, 0.6), at(std::vector{0.15, 0.6, 0.31}, 2.0, 0.5))

}  // namespace

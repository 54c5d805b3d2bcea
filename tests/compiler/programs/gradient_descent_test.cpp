// Logistic regression trained inside of the function: the sensitivity of the trained loss.

#include "gradient_check.h"

#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

namespace {

struct Row {
  double x;
  double y;
  bool label;
};

class Model {
 public:
  [[nodiscard]] double probability(const Row& r) const {
    return 1 / (1 + std::exp(-(w_ * r.x + v_ * r.y + b_)));
  }
  [[nodiscard]] double loss(const std::vector<Row>& rows) const {
    return std::accumulate(rows.begin(), rows.end(), 0.0, [this](double sum, const Row& r) {
      const double p = probability(r);
      return sum - std::log(r.label ? p : 1 - p);
    });
  }
  void train(const std::vector<Row>& rows, double rate, double momentum) {
    std::tuple<double, double, double> step{0, 0, 0};
    for (int epoch = 0; epoch < 4; ++epoch) {
      for (const Row& r : rows) {
        const double error = probability(r) - (r.label ? 1.0 : 0.0);
        auto& [dw, dv, db] = step;
        dw = momentum * dw - rate * error * r.x;
        dv = momentum * dv - rate * error * r.y;
        db = momentum * db - rate * error;
        w_ += dw;
        v_ += dv;
        b_ += db;
      }
    }
  }

 private:
  double w_ = 0.1;
  double v_ = -0.1;
  double b_ = 0;
};

double gradient_descent(double rate, double momentum, const std::vector<double>& data) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i + 1 < data.size(); i += 2) {
    rows.push_back({data[i], data[i + 1], i % 4 == 0});
  }
  Model model;
  model.train(rows, rate, momentum);
  return model.loss(rows);
}

DDX_CHECK_GRADIENT(gradient_descent,
                   at(0.3, 0.5, std::vector{0.5, 0.9, -0.3, 0.4, 1.2, -0.7, 0.1, 0.8}),
                   at(0.1, 0.9, std::vector{1.0, 0.3}),
                   at(0.7, 0.2, std::vector{0.4, -0.6, -0.9, 0.5, 0.3, 0.2}))

}  // namespace

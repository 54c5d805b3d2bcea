// A yield curve fitted to instruments: an abstract instrument, a bootstrap, prices of a portfolio.

#include "gradient_check.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace {

class Curve {
 public:
  void append(double time, double rate) {
    times_.push_back(time);
    rates_.push_back(rate);
  }
  [[nodiscard]] double discount(double t) const {
    if (times_.empty()) {
      return 1;
    }
    std::size_t i = 0;
    while (i + 1 < times_.size() && times_[i] < t) {
      ++i;
    }
    if (i == 0 || t >= times_[i]) {
      return std::exp(-rates_[i] * t);
    }
    const double w = (t - times_[i - 1]) / (times_[i] - times_[i - 1]);
    return std::exp(-((1 - w) * rates_[i - 1] + w * rates_[i]) * t);
  }

 private:
  std::vector<double> times_;
  std::vector<double> rates_;
};

class Instrument {
 public:
  explicit Instrument(double maturity) : maturity_(maturity) {}
  virtual ~Instrument() = default;
  [[nodiscard]] virtual double value(const Curve& curve) const = 0;
  [[nodiscard]] double maturity() const { return maturity_; }

 private:
  double maturity_;
};

class ZeroBond : public Instrument {
 public:
  using Instrument::Instrument;
  [[nodiscard]] double value(const Curve& curve) const override {
    return curve.discount(maturity());
  }
};

class Annuity : public Instrument {
 public:
  Annuity(double maturity, double coupon) : Instrument(maturity), coupon_(coupon) {}
  [[nodiscard]] double value(const Curve& curve) const override {
    double v = 0;
    for (double t = 0.5; t <= maturity(); t += 0.5) {
      v += 0.5 * coupon_ * curve.discount(t);
    }
    return v + curve.discount(maturity());
  }

 private:
  double coupon_;
};

double yield_curve(double short_rate, double slope, double coupon) {
  Curve curve;
  for (int year = 1; year <= 4; ++year) {
    curve.append(year, short_rate + slope * std::log(static_cast<double>(year)));
  }
  std::vector<std::unique_ptr<Instrument>> portfolio;
  portfolio.push_back(std::make_unique<ZeroBond>(1.7));
  portfolio.push_back(std::make_unique<Annuity>(3.0, coupon));
  double total = 0;
  for (const auto& instrument : portfolio) {
    total = 1.1 * total + instrument->value(curve) * instrument->maturity();
  }
  return total;
}

DDX_CHECK_GRADIENT(yield_curve, at(0.03, 0.01, 0.05), at(0.01, 0.02, 0.02), at(0.05, -0.005, 0.08))

}  // namespace

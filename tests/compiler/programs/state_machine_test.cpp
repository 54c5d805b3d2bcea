// A heating controller as a state machine with a PID regulator.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>

namespace {

enum class Mode { Idle, Heating, Holding, Cooling };

class Controller {
 public:
  Controller(double p, double i, double d) : p_(p), i_(i), d_(d) {}

  double update(double measured, double target) {
    const double error = target - measured;
    switch (mode_) {
      case Mode::Idle:
        integral_ = 0;
        mode_ = Mode::Heating;
        [[fallthrough]];
      case Mode::Heating:
        if (error < 0.3) {
          mode_ = Mode::Holding;
        }
        previous_ = error;
        return 1.5 * p_ * error;
      case Mode::Holding: {
        integral_ += error;
        const double slope = error - previous_;
        previous_ = error;
        if (error < -0.05) {
          mode_ = Mode::Cooling;
          break;
        }
        return p_ * error + i_ * integral_ + d_ * slope;
      }
      case Mode::Cooling:
        if (error > 0.02) {
          mode_ = Mode::Holding;
        }
        return -0.1 * i_ + d_ * error;
    }
    return 0.05 * p_;
  }
  [[nodiscard]] bool is_holding() const { return mode_ == Mode::Holding; }

 private:
  double p_;
  double i_;
  double d_;
  double integral_ = 0;
  double previous_ = 0;
  Mode mode_ = Mode::Idle;
};

double state_machine(double p, double i, double d, double target) {
  Controller controller(p, i, d);
  double temperature = 0.1;
  double cost = 0;
  int held = 0;
  for (int n = 0; n < 25; ++n) {
    const double power = std::min(controller.update(temperature, target), 2.0);
    temperature += 0.3 * power - 0.1 * (temperature - 0.1);
    held += controller.is_holding() ? 1 : 0;
    cost = 0.95 * cost + (temperature - target) * (temperature - target) + 0.01 * power * power;
  }
  return cost + 0.001 * held * target;
}

DDX_CHECK_GRADIENT(state_machine, at(0.8, 0.1, 0.05, 1.0), at(1.1, 0.05, 0.2, 1.4),
                   at(0.5, 0.2, 0.1, 0.7))

}  // namespace

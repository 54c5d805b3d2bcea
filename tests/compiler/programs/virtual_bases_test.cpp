// A circuit of parts with a common virtual base: both sides of the diamond change one state.

#include "gradient_check.h"

#include <cmath>
#include <memory>
#include <vector>

namespace {

struct State {
  explicit State(double v) : voltage(v) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  virtual ~State() = default;
  [[nodiscard]] virtual double current() const { return voltage; }
  double voltage;
};

struct Resistor : virtual State {
  explicit Resistor(double r) : State(0), resistance(r) {}
  void load() { voltage -= 0.1 * voltage / resistance; }
  [[nodiscard]] double current() const override { return voltage / resistance; }
  double resistance;
};

struct Capacitor : virtual State {
  explicit Capacitor(double c) : State(0), capacity(c) {}
  void discharge(double h) { voltage *= std::exp(-h / capacity); }
  double capacity;
};

struct Filter : Resistor, Capacitor {
  Filter(double v, double r, double c) : State(v), Resistor(r), Capacitor(c) {}
  [[nodiscard]] double current() const override { return Resistor::current() + 0.1 * capacity; }
};

double virtual_bases(double voltage, double resistance, double capacity) {
  std::vector<std::unique_ptr<State>> parts;
  auto filter = std::make_unique<Filter>(voltage, resistance, capacity);
  Capacitor& side = *filter;
  side.discharge(0.3);
  static_cast<Resistor&>(*filter).load();
  parts.push_back(std::move(filter));
  parts.push_back(std::make_unique<Resistor>(2 * resistance));
  parts.push_back(std::make_unique<Filter>(0.5 * voltage, resistance * resistance, capacity));
  parts[1]->voltage = parts[0]->voltage * 0.8;
  double total = 0;
  for (const auto& part : parts) {
    total = 0.9 * total + part->current() * part->voltage;
    if (const auto* capacitor = dynamic_cast<const Capacitor*>(part.get())) {
      total += capacitor->capacity * capacitor->voltage;
    }
  }
  return total;
}

DDX_CHECK_GRADIENT(virtual_bases, at(1.5, 0.8, 0.6), at(-0.7, 1.3, 0.4), at(2.2, 0.5, 1.7))

}  // namespace

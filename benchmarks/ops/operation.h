/// \file
/// The operations that are timed.

#pragma once

#include "ddx/core/device.h"
#include "ddx/tensor.h"

#include "operand.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::bench {

/// What an operation's time is compared with.
enum class Unit { GigabytesPerSecond, GigaflopsPerSecond };

/// An operation with operands on one device.
struct Prepared {
  std::function<void(long)> repeat;              ///< Computes this many times.
  std::function<std::vector<float>()> elements;  ///< Those of the first result.
};

/// One operation on operands of one shape.
struct Operation {
  std::string name;
  std::vector<Operand> operands;
  std::function<Prepared(Device)> prepare;
  double work;  ///< Bytes read and written, or arithmetic operations, depending on the unit.
  Unit unit;

  /// The shapes of the operands, e.g. "128x784 784x512".
  [[nodiscard]] std::string shapes() const;
};

/// An operation that f(Operands&) computes, a tensor of any elements.
template <class F>
Operation operation(std::string name, std::vector<Operand> operands, double work, Unit unit, F f) {
  auto prepare = [operands, f](Device device) {
    return Prepared{[f, x = Operands(operands, device)](long times) mutable {
                      for (long i = 0; i < times; ++i) {
                        (void)f(x);
                      }
                    },
                    [f, operands, device]() mutable {
                      Operands x(operands, device);
                      const auto result = f(x);
                      const auto elements = result.elements();
                      return std::vector<float>(elements.begin(), elements.end());
                    }};
  };
  return {std::move(name), std::move(operands), std::move(prepare), work, unit};
}

/// An operation whose work is to read its operands and to write `written` elements.
template <class F>
Operation moving(std::string name, std::vector<Operand> operands, double written, F f) {
  double elements = written;
  for (const Operand& operand : operands) {
    elements += static_cast<double>(operand.shape.count());
  }
  return operation(std::move(name), std::move(operands), 4 * elements, Unit::GigabytesPerSecond,
                   std::move(f));
}

/// Every operation, by family.
[[nodiscard]] std::vector<Operation> operations();

/// Appends those of a family, each at three sizes.
void add_elementwise(std::vector<Operation>& all);
void add_reductions(std::vector<Operation>& all);
void add_movement(std::vector<Operation>& all);
void add_layers(std::vector<Operation>& all);

}  // namespace ddx::bench

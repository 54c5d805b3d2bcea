// Functions that are known at run time only: std::functions in containers, members and variables,
// and pointers to functions.

#include "ddx/core/error.h"

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

using Function = std::function<double(double)>;

// Captures by value, in a vector that grows: every copy of a function shares what it captured.

double sum_of_terms(double a, double b, double x) {
  std::vector<Function> terms;
  for (int n = 0; n < 5; ++n) {
    const double factor = a * n + b;
    terms.push_back([factor, n](double v) { return factor * std::pow(v, n); });
  }
  double sum = 0;
  for (const Function& term : terms) {
    sum += term(x) * a;
  }
  return sum;
}
DDX_CHECK_GRADIENT(sum_of_terms, at(0.5, 1.2, 0.7), at(-0.4, 0.3, 1.1), at(0.1, -0.8, 0.4))

// No trips: nothing is stored and nothing called.

double as_many(const std::vector<double>& weights, double x) {
  std::vector<Function> steps;
  for (const double weight : weights) {
    steps.push_back([weight](double v) { return std::tanh(weight * v) + v; });
  }
  double y = x;
  for (const Function& step : steps) {
    y = step(y) * x;
  }
  return y;
}
DDX_CHECK_GRADIENT(as_many, at(std::vector<double>{}, 0.5),
                   at(std::vector<double>{0.3, -0.8, 1.2}, 0.9), at(std::vector<double>{0.7}, -0.4))

// A vector captured by value, one by reference that stays as it is, and a member chosen by a
// condition.

double captured_vectors(const std::vector<double>& w, double x, bool other) {
  struct Model {
    Function apply;
    double scale;
  };
  std::vector<Model> models;
  models.push_back({[w](double v) { return w[0] * v + w[1] * v * v; }, w[0]});
  models.push_back({[&w](double v) { return std::sin(w[1] * v); }, 0.5});
  const Model& chosen = models[other ? 1 : 0];
  return chosen.apply(x) * chosen.scale * x;
}
DDX_CHECK_GRADIENT(captured_vectors, at(std::vector<double>{0.4, 1.1}, 0.6, false),
                   at(std::vector<double>{0.4, 1.1}, 0.6, true),
                   at(std::vector<double>{-0.3, 0.6}, 0.2, true))

// A function made of two others, which were made of captures themselves.

double composed(double a, double b, double x) {
  std::vector<Function> made;
  made.push_back([a](double v) { return a * v * v; });
  made.push_back([b](double v) { return std::exp(b * v); });
  const Function f = made[0];
  const Function g = made[1];
  made.push_back([f, g](double v) { return f(g(v)) + g(f(v)) * v; });
  return made[2](x) * made[0](b);
}
DDX_CHECK_GRADIENT(composed, at(0.7, 0.4, 0.3), at(-0.3, 0.9, 0.5), at(0.2, -0.6, 0.9))

// Assigned over and over, inside a loop with a condition.

double reassigned(double a, double x, int steps) {
  std::vector<Function> slot(1);
  slot[0] = [a](double v) { return a * v; };
  double y = x;
  for (int n = 0; n < steps; ++n) {
    y = slot[0](y) + 0.1;
    const double kept = y * a;
    if (n % 2 == 0) {
      slot[0] = [kept](double v) { return std::sin(kept + v); };
    } else {
      slot[0] = [kept, n](double v) { return kept * v - n; };
    }
  }
  return y * y;
}
DDX_CHECK_GRADIENT(reassigned, at(0.8, 0.5, 0), at(0.8, 0.5, 1), at(0.8, 0.5, 6))

// Functions and lambdas without captures, in one table.

double softplus(double v) {
  return std::log(1 + std::exp(v));
}

double table_of_functions(double x, int first) {
  std::vector<Function> functions{softplus, [](double v) { return v * v; },
                                  static_cast<double (*)(double)>(std::tanh)};
  double y = x;
  for (int n = 0; n < 4; ++n) {
    y = functions[static_cast<std::size_t>(first + n) % functions.size()](y) * x;
  }
  return y;
}
DDX_CHECK_GRADIENT(table_of_functions, at(0.7, 0), at(0.7, 1), at(-0.4, 2))

// An object with numbers that is called.

struct Gaussian {
  double mean;
  double width;
  double operator()(double v) const {
    const double z = (v - mean) / width;
    return std::exp(-z * z);
  }
};

double mixture(double mean, double width, double x) {
  std::vector<Function> parts;
  parts.push_back(Gaussian{mean, width});
  parts.emplace_back(Gaussian{mean * 2, width + 0.5});
  parts.emplace_back([width](double v) { return v / width; });
  double sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    sum += parts[i](x) * parts[parts.size() - 1 - i](mean);
  }
  return sum;
}
DDX_CHECK_GRADIENT(mixture, at(0.3, 0.8, 0.6), at(-0.2, 1.3, 0.1), at(0.5, 0.9, -0.4))

// Handed to a function, which calls it, and to one that returns one of several.

double twice(const Function& f, double x) {
  return f(f(x));
}

double handed_on(double a, double x) {
  std::vector<Function> functions;
  functions.push_back([a](double v) { return a * v + v * v; });
  functions.push_back([a](double v) { return std::cos(a * v); });
  double y = x;
  for (const Function& f : functions) {
    y = twice(f, y) * a;
  }
  return y;
}
DDX_CHECK_GRADIENT(handed_on, at(0.6, 0.4), at(1.1, -0.3), at(-0.7, 0.2))

// Vectors as arguments, read and written.

double on_vectors(const std::vector<double>& start, double rate) {
  using Rule = std::function<void(std::vector<double>&, int)>;
  std::vector<Rule> rules;
  rules.push_back([rate](std::vector<double>& v, int i) { v[0] += rate * v[1] * i; });
  rules.push_back(
      [rate](std::vector<double>& v, int i) { v[1] *= std::exp(-rate * v[0] / (i + 1)); });
  std::vector<double> state = start;
  for (int n = 0; n < 4; ++n) {
    for (const Rule& rule : rules) {
      rule(state, n);
    }
  }
  return state[0] * state[1];
}
DDX_CHECK_GRADIENT(on_vectors, at(std::vector<double>{0.5, 0.7}, 0.3),
                   at(std::vector<double>{-0.2, 1.4}, 0.8), at(std::vector<double>{1.1, 0.2}, -0.4))

// Captures that are no numbers stay as they are.

double other_captures(double x, int n) {
  std::vector<Function> functions;
  const std::vector<int> powers{1, 2, n};
  const std::string name = "square";
  functions.push_back([powers, name](double v) {
    double product = 1;
    for (const int power : powers) {
      product *= std::pow(v, power);
    }
    return name.size() == 6 ? product : 0.0;
  });
  functions.push_back([n, inner = [x](double v) { return v * x; }](double v) {
    return inner(v) * n + inner(inner(v));
  });
  return functions[0](x) + functions[1](x * x);
}
DDX_CHECK_GRADIENT(other_captures, at(0.8, 3), at(1.2, 0), at(0.5, 2))

// Pointers to functions: in a structure, chosen and stored, in an array that changes.

double half_square(double v) {
  return v * v / 2;
}
double wave(double v) {
  return std::sin(2 * v);
}

struct Unit {
  double (*activation)(double);
  double weight;
};

double pointers_in_structures(double a, double b, double x) {
  std::vector<Unit> units;
  units.push_back({half_square, a});
  units.push_back({&wave, b});
  units.push_back({softplus, a * b});
  double y = x;
  for (const Unit& unit : units) {
    y = unit.activation(unit.weight * y) + x;
  }
  return y;
}
DDX_CHECK_GRADIENT(pointers_in_structures, at(0.7, 1.2, 0.4), at(-0.5, 0.9, 0.8),
                   at(0.3, -0.7, 1.1))

// Functions of the library, of overloaded names.
double library_functions(double x) {
  double (*const table[])(double) = {std::sin, half_square, std::exp, &std::cos};
  double s = x;
  for (const auto one : table) {
    s = s * x + one(s * x);
  }
  return s;
}
DDX_CHECK_GRADIENT(library_functions, at(0.7), at(-0.5), at(0.0))

double pointers_in_array(double x, int rounds) {
  std::array<double (*)(double), 2> functions{half_square, wave};
  double y = x;
  for (int n = 0; n < rounds; ++n) {
    y = functions[0](y) + functions[1](x);
    std::swap(functions[0], functions[1]);
  }
  return y;
}
DDX_CHECK_GRADIENT(pointers_in_array, at(0.9, 0), at(0.9, 3), at(-0.6, 4))

// A variable that refers to a known function, stored, moved and captured.

double stored_by_name(double a, double b, double x) {
  const Function curve = half_square;
  Function line = [a](double v) { return a * v; };
  const Function shifted = [&](double v) { return b * v + x; };
  std::vector<Function> functions;
  functions.push_back(curve);
  functions.push_back(line);
  functions.push_back(std::move(line));
  functions.push_back([curve, shifted](double v) { return curve(v) * shifted(v); });
  double sum = 0;
  for (const Function& function : functions) {
    sum = sum * b + function(x + sum);
  }
  return sum;
}
DDX_CHECK_GRADIENT(stored_by_name, at(0.7, 1.2, 0.4), at(-0.5, 0.9, 0.8), at(0.3, -0.7, 0.6))

// Assigned in branches, and returned by a function.

Function made_for(double a, int n) {
  if (n > 0) {
    return [a](double v) { return a * v * v; };
  }
  return [a, n](double v) { return std::sin(a * v) + n; };
}

double assigned_in_branches(double a, double b, double x, int n) {
  Function function;
  if (x > 0.5) {
    function = [a](double v) { return a * v * v; };
  } else {
    function = [b, a](double v) { return b * std::exp(a * v); };
  }
  const Function other = made_for(a * b, n);
  return function(x) * function(b) + other(x) * x;
}
DDX_CHECK_GRADIENT(assigned_in_branches, at(0.7, 1.2, 0.4, 0), at(-0.5, 0.9, 0.8, 1),
                   at(0.3, -0.7, 0.6, 0))

// Members that a constructor is given.

class Stepper {
 public:
  Stepper(Function slope, double step) : slope_(std::move(slope)), step_(step) {}
  [[nodiscard]] double next(double y) const { return y + step_ * slope_(y); }

 private:
  Function slope_;
  double step_;
};

double given_to_constructors(double a, double b, double x) {
  const Stepper decay([a](double y) { return -a * y; }, b);
  std::vector<Stepper> steppers;
  steppers.emplace_back([b](double y) { return b * y * y; }, a);
  steppers.push_back(decay);
  double y = decay.next(x);
  for (const Stepper& stepper : steppers) {
    y = stepper.next(y);
  }
  return y * y;
}
DDX_CHECK_GRADIENT(given_to_constructors, at(0.7, 1.2, 0.4), at(-0.5, 0.9, 0.8), at(0.3, -0.7, 0.6))

// What was captured where nothing is differentiated is constant, and an empty function throws.

struct Filter {
  std::vector<Function> stages;
  double gain = 1;
};

double filtered(const Filter& filter, double x) {
  double y = x;
  for (const Function& stage : filter.stages) {
    y = stage(y) * filter.gain;
  }
  return y;
}

TEST(StoredFunctions, WhatTheCallerCapturedIsConstant) {
  Filter filter;
  const double k = 0.7;
  filter.stages.push_back([k](double v) { return k * v * v; });
  filter.stages.emplace_back([&k](double v) { return std::sin(k + v); });
  filter.stages.push_back(softplus);
  filter.gain = 1.3;
  const double x = 0.4;
  const double inner = 1.3 * k * x * x;
  const double middle = 1.3 * std::sin(k + inner);
  const double slope = 1.3 / (1 + std::exp(-middle)) * 1.3 * std::cos(k + inner) * 1.3 * 2 * k * x;
  const auto [value, gradient] = ddx::value_with_gradient(filtered, ddx::wrt<1>, filter, x);
  EXPECT_NEAR(value, 1.3 * softplus(middle), 1e-14);
  EXPECT_NEAR(gradient, slope, 1e-14);
}

TEST(StoredFunctions, APointerIsDifferentiatedByWhatItPointsTo) {
  for (double (*const chosen)(double) : {half_square, wave}) {
    const double slope = chosen == wave ? 2 * std::cos(0.8) : 0.4;
    EXPECT_NEAR(ddx::gradient(chosen, 0.4), slope, 1e-15);
    EXPECT_NEAR(ddx::pullback(chosen, 0.4)(-3.0), -3 * slope, 1e-14);
    EXPECT_NEAR(ddx::differential(chosen, 0.4)(0.5), 0.5 * slope, 1e-15);
  }
  EXPECT_NEAR(ddx::differential(wave, 0.4)(2.0), 4 * std::cos(0.8), 1e-14);
  EXPECT_THROW((void)ddx::gradient(static_cast<double (*)(double)>(nullptr), 0.4), ddx::UsageError);
}

TEST(StoredFunctions, AnEmptyOneThrows) {
  Filter filter;
  filter.stages.emplace_back();
  EXPECT_THROW((void)ddx::gradient(filtered, ddx::wrt<1>, filter, 0.5), std::bad_function_call);
}

// Lambdas that capture their object, or what refers to others, are called by name; none of the
// functions above is one of them. Nor are those that capture views and iterators.

struct Meter {
  double& reading;
  double factor;
};

struct Scaled {
  double scale;
  double sum = 0;
  explicit Scaled(double x) : scale(x) {
    const Function turned = [&](double v) { return std::sin(v * scale); };
    sum = turned(x) + x;
  }
};

double beside_others(double a, double x) {
  std::vector<Function> steps;
  steps.push_back([](double v) { return v * v + 0.5; });
  steps.push_back([a](double v) { return a * v; });
  double y = x;
  for (const Function& step : steps) {
    y = std::tanh(step(y));
  }
  Meter meter{y, a};
  const Function read = [&](double v) {
    meter.reading *= v;
    return meter.reading * meter.factor;
  };
  const double first = read(x);
  return first + read(a) + Scaled(y).sum;
}
DDX_CHECK_GRADIENT(beside_others, at(0.5, 1.2), at(-0.4, 0.3), at(0.8, -0.7))

double beside_views(double a, const std::vector<double>& x) {
  std::vector<Function> steps;
  steps.push_back([](double v) { return v * v + 0.5; });
  steps.push_back([a](double v) { return a * v; });
  const std::span<const double> part(x);
  const auto begin = x.begin();
  const Function weighted = [&](double v) {
    for (int i = 0; i < 2; ++i) {
      v *= a > 0.4 ? part.front() : part.back();
    }
    return v + part[1];
  };
  const Function shifted = [begin](double v) { return *begin * std::sin(v) + begin[2]; };
  double y = weighted(a) * shifted(x[1]);
  for (const Function& step : steps) {
    y = std::tanh(step(y));
  }
  return y * weighted(y);
}
DDX_CHECK_GRADIENT(beside_views, at(0.5, std::vector{0.4, 1.1, -0.3}),
                   at(0.3, std::vector{1.4, 0.2, 0.6}), at(-0.8, std::vector{0.9, -0.5, 0.7}))

}  // namespace

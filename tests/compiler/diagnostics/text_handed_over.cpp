// A text made of numbers, handed to a function in place or captured: the numbers are read back there.
#include "ddx/ad.h"

#include <sstream>
#include <string>

double number(const std::string& text) {
  return std::stod(text);  // expected-error {{cannot differentiate: a value of type 'double' that active values enter}}
}

double scaled(const std::string& text, double factor) {
  return std::stod(text) * factor;  // expected-error {{cannot differentiate: a value of type 'double' that active values enter}}
}

double shown(std::ostream& stream, double x) {
  stream << x;
  return x;
}

template <class Derived>
struct Named {
  const std::string& name() const { return static_cast<const Derived*>(this)->text; }
};

struct Cell : Named<Cell> {
  explicit Cell(double x) : text(std::to_string(x)) {}
  std::string text;
};

/// A base without members hands over the text of the class derived from it.
double named_number(const Named<Cell>& cell) {
  return std::stod(cell.name());
}

double f(double x) {
#ifndef ACCEPTED
  const double argument = number(std::to_string(x));  // expected-note {{when differentiating this call of 'number'}}
  // expected-error@+1 {{cannot differentiate: a value of type 'double' that active values enter}}
  const auto held = [text = std::to_string(x)] { return std::stod(text); };
  std::ostringstream stream;
  const double written = shown(stream, x);
  // expected-error@+1 {{cannot differentiate: a value of type 'double' that active values enter}}
  const auto named = [&] { return std::stod(stream.str()); };
  // expected-note@+2 2 {{when differentiating this call of 'operator()'}}
  // expected-note@+1 {{when differentiating this call of 'scaled'}}
  return argument * held() * named() * written * scaled(std::to_string(x), x);
#else
  std::ostringstream stream;
  const auto log = [&stream](double y) { stream << y; };
  log(x);
  return shown(stream, x) * shown(stream, 2.0 * x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 4 {{derivative requested here}}

#ifndef ACCEPTED
double g(double x) {
  const Cell cell(x);
  return named_number(cell) * x;  // expected-error {{cannot differentiate: a value of type 'double' that active values enter}}
}

const auto slope_of_cell = ddx::gradient(g, 2.0);  // expected-note {{derivative requested here}}
#endif

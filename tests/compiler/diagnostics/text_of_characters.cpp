// A text made of a number, copied character by character.
#include "ddx/ad.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

void append(std::string& text, char c) {
  text += c;
}

double sign_of(char sign) {
  return sign == 'p' ? 1 : -1;
}

double f(double x) {
  const std::string text = std::to_string(x);
  std::vector<char> characters(text.begin(), text.end());
  char buffer[20] = {};
  char printed[20];
  std::snprintf(printed, sizeof(printed), "%f", x);
  std::string built;
  for (std::size_t i = 0; i < 19 && i < text.size(); ++i) {
    buffer[i] = text[i];
    append(built, text[i]);
  }
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a value of type 'double' that active values enter}}
  const double sequence = std::stod(std::string(characters.begin(), characters.end()));
  const double array = std::atof(buffer);  // expected-error {{cannot differentiate: a value of type 'double' that active values enter}}
  const double string = std::stod(built);  // expected-error {{cannot differentiate: a value of type 'double' that active values enter}}
  const double print = std::atof(printed);  // expected-error {{cannot differentiate: a value of type 'double' that active values enter}}
  return sequence * array * string * print * x;
#else
  // One that a number chooses carries nothing of it.
  const char sign = x > 0 ? 'p' : 'n';
  char signs[2] = {'p', 'p'};
  signs[0] = x > 1 ? 'p' : 'n';
  return sign_of(sign) * sign_of(signs[0]) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 4 {{derivative requested here}}

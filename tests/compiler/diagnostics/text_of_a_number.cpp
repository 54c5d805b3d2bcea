// Texts take numbers along: as members, elements, results, through references and streams.
#include "ddx/ad.h"

#include <sstream>
#include <string>
#include <vector>

struct Note {
  std::string text;
  double unused = 1;
};

std::string spelled(double x) {
  return std::to_string(x);
}

void spell(std::string& text, double x) {
  text = std::to_string(x);
}

struct Report {
  std::ostringstream stream;
  void add(double x) { stream << x; }
};

double f(double x) {
  Note note;
  note.text = std::to_string(x);
  std::string text;
  spell(text, x);
  Report report;
  report.add(x);
  std::vector<Note> notes;
  Note copy;
  copy.text += spelled(x);
  notes.push_back(copy);
#ifndef ACCEPTED
  const double member = std::stod(note.text);  // expected-error {{cannot differentiate: a call of 'std::stod'}}
  const double result = std::stod(spelled(x));  // expected-error {{cannot differentiate: a call of 'std::stod'}}
  // expected-error@+1 {{cannot differentiate: a value of type 'double' that active values enter}}
  const double reference = std::stod(text);
  // expected-error@+1 {{cannot differentiate: a value of type 'double' that active values enter}}
  const double stream = std::stod(report.stream.str());
  const double element = std::stod(notes[0].text);  // expected-error {{cannot differentiate: a call of 'std::stod'}}
#else
  const auto member = static_cast<double>(note.text.size());
  const auto result = static_cast<double>(spelled(x).size());
  const auto reference = static_cast<double>(text.size());
  const auto stream = static_cast<double>(report.stream.str().size());
  const auto element = static_cast<double>(notes[0].text.size());
#endif
  return (member + result + reference + stream + element) * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 5 {{derivative requested here}}

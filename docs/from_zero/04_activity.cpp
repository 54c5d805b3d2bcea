// Step 4: activity.
//
// Most of a program needs no derivative: sizes, indices, file names, constants. A value is *active*
// if it is *varied* (it depends on an input) and *useful* (the result depends on it). A forward and
// a backward pass over the program determine both. Here is a program as a compiler sees it, and the
// two passes.

#include "check.h"

#include <map>
#include <string>
#include <vector>

struct Statement {
  std::string target;
  std::vector<std::string> operands;
};

struct Facts {
  bool varied = false;
  bool useful = false;
  [[nodiscard]] bool active() const { return varied && useful; }
};

std::map<std::string, Facts> activity(const std::vector<Statement>& program,
                                      const std::string& input, const std::string& result) {
  std::map<std::string, Facts> facts;
  facts[input].varied = true;
  for (const Statement& statement : program) {
    for (const std::string& operand : statement.operands) {
      facts[statement.target].varied |= facts[operand].varied;
    }
  }
  facts[result].useful = true;
  for (auto statement = program.rbegin(); statement != program.rend(); ++statement) {
    for (const std::string& operand : statement->operands) {
      facts[operand].useful |= facts[statement->target].useful;
    }
  }
  return facts;
}

// With loops, the passes repeat until nothing changes. In doubt a value is active: then its
// derivative is generated, or rejected with an error. A silently zero derivative is the one result
// that must not occur.

int main() {
  auto facts = activity(
      {
          {"scale", {}},          // scale = 2
          {"a", {"x", "scale"}},  // a = x * scale
          {"logged", {"a"}},      // logged = round(a), for a message
          {"b", {"a", "a"}},      // b = a * a
      },
      "x", "b");
  check("a is active", facts["a"].active(), 1);
  check("scale is useful", facts["scale"].useful, 1);
  check("but not varied, so not active", facts["scale"].active(), 0);
  check("logged is varied", facts["logged"].varied, 1);
  check("but not useful, so not active", facts["logged"].active(), 0);
}

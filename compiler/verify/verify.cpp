#include "compiler/verify/verify.h"

#include "compiler/verify/function_check.h"
#include "compiler/verify/outline.h"

#include <map>
#include <set>
#include <utility>

namespace ddx::compiler {
namespace {

/// Both sweeps of one derivative.
struct Sweeps {
  std::vector<Access> forward;
  std::vector<Access> reverse;
  bool has_reverse = false;
};

using Field = std::pair<std::string_view, std::string_view>;

bool is_call(const Outline& outline, const Access& access) {
  for (const Declaration& field : outline.residual_structs().at(access.residual_struct).fields) {
    if (field.name == access.field) {
      return field.type.ends_with("_record");
    }
  }
  return false;
}

/// Those of the derivative's own residuals; the text has classes of tangents, too.
std::vector<Access> kept_in_residuals(std::string_view stem, std::vector<Access> accesses) {
  const std::string own = std::string(stem) + "_record";
  std::erase_if(accesses,
                [&](const Access& access) { return !access.residual_struct.starts_with(own); });
  return accesses;
}

std::string spelled(const Access& access) {
  return "'" + std::string(access.residual_struct) + "::" + std::string(access.field) + "'";
}

/// What one sweep keeps, the other takes.
void compare(const Outline& outline, std::string_view stem, const Sweeps& sweeps,
             std::vector<std::string>& mistakes) {
  const auto complain = [&](const Access& access, const std::string& what) {
    mistakes.push_back(std::string(stem) + ": " + spelled(access) + " " + what);
  };
  std::map<Field, std::size_t> kept;  // Their numbers in the forward sweep.
  for (std::size_t i = 0; i < sweeps.forward.size(); ++i) {
    kept.emplace(Field(sweeps.forward[i].residual_struct, sweeps.forward[i].field), i);
  }
  std::set<Field> taken;
  std::map<std::size_t, std::size_t> last;  // For each block, the number of its last call.
  for (const Access& access : sweeps.reverse) {
    const Field field(access.residual_struct, access.field);
    taken.insert(field);
    const auto found = kept.find(field);
    if (found == kept.end()) {
      complain(access, "is read by the reverse sweep and never kept");
    } else if (is_call(outline, access)) {
      const std::size_t block = sweeps.forward[found->second].block;
      const auto [before, first] = last.try_emplace(block, found->second);
      if (!first && before->second < found->second) {
        complain(access, "is handed back before calls that came after it");
      }
      before->second = found->second;
    }
  }
  for (const Access& access : sweeps.forward) {
    if (is_call(outline, access) && !taken.contains(Field(access.residual_struct, access.field))) {
      complain(access, "is filled by a call that the reverse sweep passes over");
    }
  }
}

}  // namespace

std::vector<std::string> mistakes_in(std::string_view text) {
  const Outline outline(text);
  if (!outline.is_balanced()) {
    return {"a bracket has no partner"};
  }
  std::vector<std::string> mistakes;
  std::map<std::string_view, Sweeps> sweeps;
  for (const Function& function : outline.functions()) {
    const std::string_view name = function.name;
    const bool forward = name.ends_with("_forward");
    const bool reverse = name.ends_with("_reverse");
    FunctionCheck check(outline, function,
                        forward   ? Role::Forward
                        : reverse ? Role::Reverse
                                  : Role::Other);
    check.run();
    mistakes.insert(mistakes.end(), check.mistakes().begin(), check.mistakes().end());
    if (forward || reverse) {
      const std::string_view stem = name.substr(0, name.rfind('_'));
      Sweeps& both = sweeps[stem];
      (forward ? both.forward : both.reverse) = kept_in_residuals(stem, check.accesses());
      both.has_reverse = both.has_reverse || reverse;
    }
  }
  for (const auto& [stem, both] : sweeps) {
    if (both.has_reverse) {
      compare(outline, stem, both, mistakes);
    }
  }
  return mistakes;
}

}  // namespace ddx::compiler

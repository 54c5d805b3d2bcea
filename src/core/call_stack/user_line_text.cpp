#include "core/call_stack/user_line.h"

#include <string>

namespace ddx {

std::string UserLine::text() const {
  const std::string place = file + ":" + std::to_string(line) + ")";
  switch (kind) {
    case Kind::Exact:
      return " (at " + place;
    case Kind::OfDerivative:
      return " (in the derivative of the call at " + place;
    case Kind::CallsDerivative:
      return " (in a derivative that is called at " + place;
    case Kind::NoDebugInformation:
      return "; debug information (-g) can tell the line";
    case Kind::NoReader:
      return "; libdw and debug information (-g) can tell the line";
    case Kind::Unclear:
      return "";
  }
  __builtin_unreachable();
}

}  // namespace ddx

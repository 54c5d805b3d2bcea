#include "ddx/distributed/reduction.h"

namespace ddx::distributed {

const char* to_string(Reduction reduction) noexcept {
  switch (reduction) {
    case Reduction::Sum:
      return "sum";
    case Reduction::Mean:
      return "mean";
    case Reduction::Min:
      return "min";
    case Reduction::Max:
      return "max";
    case Reduction::Product:
      return "product";
  }
  return "";
}

}  // namespace ddx::distributed

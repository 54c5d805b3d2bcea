#include "distributed/transport.h"

#include <chrono>
#include <string>

namespace ddx::distributed {

std::string text_of(std::chrono::milliseconds time) {
  const auto count = time.count();
  return count % 1000 == 0 ? std::to_string(count / 1000) + " s" : std::to_string(count) + " ms";
}

}  // namespace ddx::distributed

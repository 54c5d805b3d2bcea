#include "compiler/support/stage_times.h"

#include "llvm/Support/Format.h"

namespace ddx::compiler {

void StageTimes::print(llvm::raw_ostream& out) const {
  constexpr std::array<const char*, static_cast<std::size_t>(Timed::Parse) + 1> names{
      "shapes", "request", "lower", "activity", "diagnose", "residuals", "emit", "verify", "parse"};
  out << "ddx: " << functions_ << " functions differentiated, " << bytes_ << " bytes of C++\n";
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::chrono::duration<double, std::milli> time = times_[i];
    out << llvm::format("ddx: %-9s %10.3f ms\n", names[i], time.count());
  }
}

}  // namespace ddx::compiler

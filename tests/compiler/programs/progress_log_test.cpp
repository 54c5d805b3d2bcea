// A solver that formats its progress as text between the steps: buffers, streams, parsed numbers.

#include "gradient_check.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

namespace {

class Journal {
 public:
  void write(int step, double residual) {
    char line[64];
    std::snprintf(line, sizeof(line), "step %3d residual %.3e", step, residual);
    lines_.emplace_back(line);
    std::ostringstream wide;
    wide << std::setw(8) << step << '|' << std::fixed << std::setprecision(2) << residual;
    width_ += wide.str().size();
  }
  [[nodiscard]] int last_step() const {
    int step = -1;
    std::sscanf(lines_.back().c_str(), "step %d", &step);
    return step;
  }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] bool mentions(const char* word) const {
    return std::strstr(lines_.front().c_str(), word) != nullptr;
  }

 private:
  std::vector<std::string> lines_;
  std::size_t width_ = 0;
};

double progress_log(double a, double b, int steps) {
  Journal journal;
  double x = b;
  for (int s = 0; s < steps; ++s) {
    const double residual = x * x * x + a * x - b;
    journal.write(s, std::fabs(residual));
    x -= residual / (3 * x * x + a);
  }
  const double scale = journal.mentions("residual") ? 1.5 : 0.5;
  return scale * x * x + 0.1 * x * journal.last_step() +
         (journal.width() > 3 ? std::sin(a * x) : 0.0);
}

DDX_CHECK_GRADIENT(progress_log, at(0.7, 1.2, 3), at(1.5, 0.4, 1), at(1.1, -0.8, 5))

}  // namespace

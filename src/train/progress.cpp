#include "ddx/train/progress.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

namespace ddx::train {
namespace {

constexpr std::int64_t bar_width = 30;

std::string bar(std::int64_t done, std::int64_t total) {
  const auto filled = static_cast<std::size_t>(bar_width * done / total);
  std::string text(static_cast<std::size_t>(bar_width), ' ');
  text.replace(0, filled, filled, '=');
  if (filled < text.size()) {
    text[filled] = '>';
  }
  return "[" + text + "]";
}

}  // namespace

void Progress::show(std::int64_t done, const std::string& note) {
  const std::int64_t parts = is_terminal_ ? 100 : 10;
  const std::int64_t part = total_ == 0 ? parts : done * parts / total_;
  if (part <= shown_ || (part == 0 && !is_terminal_)) {
    return;
  }
  shown_ = part;
  const std::string count = std::to_string(done) + "/" + std::to_string(total_);
  if (!is_terminal_) {
    out_ << title_ << ": " << count << ", " << note << '\n' << std::flush;
    return;
  }
  std::string line = title_ + " " + bar(done, total_ == 0 ? 1 : total_) + " " + count + " " + note;
  const std::size_t width = line.size();
  line.resize(width < width_ ? width_ : width, ' ');  // Covers a longer line before.
  width_ = width;
  out_ << '\r' << line << std::flush;
}

void Progress::clear() {
  if (is_terminal_ && width_ > 0) {
    out_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
    width_ = 0;
  }
}

}  // namespace ddx::train

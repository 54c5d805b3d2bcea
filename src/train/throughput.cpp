#include "ddx/train/throughput.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace ddx::train {
namespace {

std::string two_digits(std::int64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

std::string duration_text(double seconds) {
  const auto all = static_cast<std::int64_t>(std::ceil(seconds));
  const auto hours = all / 3600;
  const auto minutes = all / 60 % 60;
  return (hours > 0 ? std::to_string(hours) + ":" + two_digits(minutes) : std::to_string(minutes)) +
         ":" + two_digits(all % 60);
}

double Throughput::seconds() const {
  return std::chrono::duration<double>(clock_() - begin_).count();
}

std::string Throughput::text(std::int64_t done) const {
  const double passed = seconds();
  if (done <= 0 || passed <= 0) {
    return "";
  }
  const double rate = static_cast<double>(done) / passed;
  char text[32];
  std::snprintf(text, sizeof text, rate < 10 ? "%.2f" : "%.0f", rate);
  return std::string(text) + " steps/s, " +
         duration_text(static_cast<double>(total_ - done) / rate) + " left";
}

}  // namespace ddx::train

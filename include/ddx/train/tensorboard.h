/// \file
/// Curves, histograms and pictures of a training for TensorBoard.

#pragma once

#include "ddx/io/append_file.h"
#include "ddx/io/image.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/record.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace ddx::train {

/// How a TensorBoard log is written.
struct TensorBoardOptions {
  std::int64_t buckets = 30;  ///< Of each histogram, of equal width.
  /// The clock for each event, and for the file's name.
  std::function<std::chrono::system_clock::time_point()> clock = std::chrono::system_clock::now;
  std::string host = {};  ///< Stands in the file's name; empty: the name of this machine.
};

/// Writes an event file that TensorBoard reads while it grows; each event is in the file once the
/// call returns. Every log has a file of its own, events.out.tfevents.SECONDS.HOST; a program that
/// resumes a training creates another log in the same folder.
///
/// Source:  TensorFlow, tensorflow/core/util/event.proto and framework/summary.proto.
/// Example:
///   TensorBoardLog log("runs/1");
///   Recorder recorder({.sinks = {log.sink()}});
///   log.histogram("weights", model.dense.weight, step);
class TensorBoardLog {
 public:
  /// Makes the folder where there is none.
  ///
  /// Throws:  UsageError where there is not at least one bucket. EnvironmentError where the folder
  ///          or the file cannot be made.
  explicit TensorBoardLog(const std::filesystem::path& folder, TensorBoardOptions options = {});

  /// A point of a curve; kept as f32, as TensorBoard does.
  ///
  /// Throws:  EnvironmentError where it cannot be written, as do the others; the file then ends
  ///          with the event before.
  void scalar(const std::string& tag, double value, std::int64_t step);

  /// How values are spread.
  ///
  /// Throws:  UsageError where there are none, or one is not finite; says how many of all.
  void histogram(const std::string& tag, std::span<const double> values, std::int64_t step);
  /// As above, for the elements of a tensor.
  ///
  /// Shapes:  values [...]
  template <TensorScalar Scalar>
  void histogram(const std::string& tag, const Tensor<Scalar>& values, std::int64_t step) {
    const auto elements = values.elements();
    const std::vector<double> numbers(elements.begin(), elements.end());
    histogram(tag, {numbers.data(), numbers.size()}, step);
  }

  /// A picture.
  ///
  /// Throws:  UsageError where it has no point.
  void image(const std::string& tag, const io::Image& picture, std::int64_t step);

  /// Takes records as curves: each value by its name, at the record's step. The log must outlive
  /// it.
  [[nodiscard]] Sink sink();

  /// Where the events are.
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

 private:
  TensorBoardOptions options_;
  std::filesystem::path file_;
  io::AppendFile events_;
};

}  // namespace ddx::train

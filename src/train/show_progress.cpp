#include "ddx/train/show_progress.h"

#include "ddx/train/events.h"
#include "ddx/train/loop.h"
#include "ddx/train/progress.h"
#include "ddx/train/throughput.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace ddx::train {
namespace {

/// The bar of the running epoch.
struct Shown {
  std::ostream& out;
  ShowProgressOptions options;
  std::int64_t done_before = 0;  // Steps of the epoch that another fit has taken.
  std::optional<Throughput> throughput = std::nullopt;
  std::optional<Progress> progress = std::nullopt;

  void begin(const Loop& loop) {
    done_before = loop.batch();
    throughput.emplace(loop.batches() - done_before, options.clock);
    progress.emplace(out, options.is_terminal, title(loop), loop.batches());
  }

  static std::string title(const Loop& loop) {
    return "epoch " + std::to_string(loop.epoch()) + "/" + std::to_string(loop.epochs());
  }

  static std::string four_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
  }

  void step(const Loop& loop) {
    const auto speed = throughput->text(loop.batch() - done_before);
    progress->show(loop.batch(),
                   "loss " + four_digits(loop.mean_loss()) + (speed.empty() ? "" : ", " + speed));
  }

  void end(const Loop& loop) {
    clear();
    out << title(loop) << ": loss " << four_digits(loop.mean_loss());
    if (const auto loss = loop.validation_loss()) {
      out << ", validation loss " << four_digits(*loss);
    }
    if (throughput) {
      out << ", " << duration_text(throughput->seconds());
    }
    out << std::endl;
    throughput.reset();
  }

  void clear() {
    if (progress) {
      progress->clear();
      progress.reset();
    }
  }
};

}  // namespace

Events show_progress(std::ostream& out, const ShowProgressOptions& options) {
  const auto shown = std::make_shared<Shown>(Shown{.out = out, .options = options});
  return {.training_begins = [shown](Loop& loop) { shown->begin(loop); },
          .batch_ended =
              [shown](Loop& loop) {
                if (loop.phase() == Phase::Training) {
                  shown->step(loop);
                }
              },
          .epoch_ended = [shown](Loop& loop) { shown->end(loop); },
          .fit_ended = [shown](Loop&) { shown->clear(); }};
}

}  // namespace ddx::train

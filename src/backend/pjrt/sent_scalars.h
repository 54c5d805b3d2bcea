/// \file
/// The scalars of a program on devices.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/stablehlo/emitter.h"

#include "backend/pjrt/scalar_bytes.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

/// The arrays of scalars of the last run, so that those which are as they were are not sent again.
/// May be used from any thread.
template <class Elements>
class SentScalars {
 public:
  /// What `uploads.copied` makes of the values of a run, for the arrays of its program.
  ///
  /// Throws:  EnvironmentError with the plugin's message.
  template <class Uploads>
  [[nodiscard]] std::vector<std::shared_ptr<const Elements>> of(
      std::span<const stablehlo::ScalarArray> arrays, std::span<const ir::ScalarValue> values,
      const Uploads& uploads) {
    const std::scoped_lock lock(mutex_);
    sent_.resize(arrays.size());
    std::vector<std::shared_ptr<const Elements>> all;
    all.reserve(sent_.size());
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      std::vector<std::byte> bytes = bytes_of(arrays[i], values);
      if (sent_[i].elements == nullptr || sent_[i].bytes != bytes) {
        sent_[i].elements = uploads.copied(bytes.data(), arrays[i].type);
        sent_[i].bytes = std::move(bytes);
      }
      all.push_back(sent_[i].elements);
    }
    return all;
  }

 private:
  struct Sent {
    std::vector<std::byte> bytes;
    std::shared_ptr<const Elements> elements;
  };

  std::mutex mutex_;
  std::vector<Sent> sent_;
};

}  // namespace ddx::backend::pjrt

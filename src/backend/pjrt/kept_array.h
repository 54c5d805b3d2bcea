/// \file
/// Lazy values whose elements lie on devices.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include "backend/lazy_value.h"
#include "backend/pjrt/memory_report.h"
#include "backend/pjrt/started_run.h"

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

namespace ddx::backend::pjrt {

/// What is known of a lazy value on devices, whatever its elements lie in there.
class KeptArray : public DeviceElements {
 public:
  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const std::shared_ptr<StartedRun>& run() const noexcept { return run_; }
  [[nodiscard]] std::size_t result() const noexcept { return result_; }
  /// Of the program that it is a result of; null where it is of none.
  [[nodiscard]] const std::shared_ptr<const MemoryReport>& report() const noexcept {
    return report_;
  }

  /// Why the run that made it has left it without meaning; null where it has not. Waits for it.
  [[nodiscard]] std::exception_ptr error() const noexcept;

 protected:
  KeptArray(const Shape& shape, std::shared_ptr<StartedRun> run, std::size_t result,
            std::shared_ptr<const MemoryReport> report)
      : shape_(shape), run_(std::move(run)), result_(result), report_(std::move(report)) {}

 private:
  Shape shape_;
  std::shared_ptr<StartedRun> run_;
  std::size_t result_;
  std::shared_ptr<const MemoryReport> report_;
};

/// A lazy value with such elements.
template <class Elements>
class ArrayOf final : public KeptArray {
 public:
  /// `run` is what made them; null where nothing can be wrong with them but what the plugin says.
  ArrayOf(std::shared_ptr<const Elements> elements, const Shape& shape,
          std::shared_ptr<StartedRun> run, std::size_t result,
          std::shared_ptr<const MemoryReport> report)
      : KeptArray(shape, std::move(run), result, std::move(report)),
        elements_(std::move(elements)) {}

  [[nodiscard]] const std::shared_ptr<const Elements>& elements() const noexcept {
    return elements_;
  }

 private:
  std::shared_ptr<const Elements> elements_;
};

/// The producer of what lies on devices: brings it to the host when it is observed. The one place
/// where elements come to the host, and errors of runs come out.
class Residency : public Producer {
 public:
  void materialise(Block& block) noexcept override;

 protected:
  ~Residency() = default;
  /// What is known of a block on the devices; null where it has no elements there.
  [[nodiscard]] const KeptArray* kept(Block& block) const noexcept;

 private:
  /// Throws:  EnvironmentError with the plugin's message.
  [[nodiscard]] virtual Buffer on_host(const KeptArray& array, DType dtype) const = 0;

  // By the block: who waits for one result is not to wait for others.
  std::array<std::mutex, 64> mutexes_;
};

/// The residency of lazy values with such elements.
template <class Elements>
class ResidencyOf : public Residency {
 public:
  /// The elements of a block on the devices; null where it has none there.
  [[nodiscard]] const ArrayOf<Elements>* array_of(Block& block) const noexcept {
    return static_cast<const ArrayOf<Elements>*>(kept(block));
  }

 protected:
  ~ResidencyOf() = default;
};

}  // namespace ddx::backend::pjrt

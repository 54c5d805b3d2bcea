#include "backend/non_finite.h"

#include "ddx/backend/debug_nans.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/site.h"

#include "backend/lazy/trace_registry.h"
#include "core/call_stack/called_at.h"
#include "core/call_stack/origin.h"

#include <atomic>
#include <cmath>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace ddx::backend {

constinit std::atomic<bool> detail::debug_nans{false};

bool set_debug_nans(bool on) noexcept {
  const bool before = detail::debug_nans.exchange(on, std::memory_order_relaxed);
  lazy::tell_traces_of_debugging();
  return before;
}

namespace {

/// An element as a number that is not finite where the element is not.
template <class T>
double as_number(const T& element) {
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    return std::isfinite(element.real()) ? element.imag() : element.real();
  } else if constexpr (std::is_same_v<T, double>) {
    return element;
  } else {
    return static_cast<float>(element);
  }
}

/// An element that is not finite.
struct Found {
  std::int64_t place;
  double element;
};

std::optional<Found> first_non_finite(const ops::View& view) {
  return visit(view.dtype(), [&](auto zero) -> std::optional<Found> {
    using T = decltype(zero);
    if constexpr (!std::integral<T>) {
      const T* const elements = view.data<T>();
      for (std::int64_t i = 0; i < view.shape().count(); ++i) {
        if (const double element = as_number(elements[i]); !std::isfinite(element)) {
          return Found{i, element};
        }
      }
    }
    return std::nullopt;
  });
}

std::string indices_text(std::int64_t place, const Shape& shape) {
  std::vector<std::int64_t> indices(shape.rank());
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    indices[axis] = place % shape[axis];
    place /= shape[axis];
  }
  std::string text = "[";
  for (const std::int64_t index : indices) {
    text += (text.size() == 1 ? "" : ", ") + std::to_string(index);
  }
  return text + "]";
}

std::string type_text(const ops::View& view) {
  return std::string(to_string(view.dtype())) + to_string(view.shape());
}

}  // namespace

bool can_be_blamed(const ops::Call& call) noexcept {
  if (!are_nans_debugged() || call.input_count() == 0) {
    return false;
  }
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    if (first_non_finite(call.input(i))) {
      return false;
    }
  }
  return true;
}

std::optional<std::string> non_finite_result(const ops::Call& call) {
  for (std::size_t i = 0; i < call.output_count(); ++i) {
    const ops::View& output = call.output(i);
    const auto found = first_non_finite(output);
    if (!found) {
      continue;
    }
    std::string text = "element " + indices_text(found->place, output.shape()) + " of result " +
                       std::to_string(i) + ", " + type_text(output) + ", is " +
                       (std::isnan(found->element) ? "nan" : std::to_string(found->element)) +
                       " though all operands are finite: ";
    for (std::size_t operand = 0; operand < call.input_count(); ++operand) {
      text += (operand == 0 ? "" : ", ") + type_text(call.input(operand));
    }
    return text;
  }
  return std::nullopt;
}

void throw_non_finite(const ops::Site& site, const std::string& facts, const Origin* origin) {
  const Origin::Text called = origin == nullptr ? Origin::Text() : origin->text();
  const WithoutUserLine known;
  if (called.is_place) {
    throw UsageError(site.operation, facts + called.text);
  }
  site.fail(facts + called.text);
}

}  // namespace ddx::backend

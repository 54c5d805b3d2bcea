/// \file
/// Sequences of single samples.

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::data {

/// A number of samples with access to each: a vector, or a lazy sequence.
template <class T>
concept Samples = requires(const T& samples, std::size_t place) {
  { samples.size() } -> std::convertible_to<std::size_t>;
  samples[place];
};

/// The type of a sequence's samples.
template <Samples T>
using SampleOf = std::decay_t<decltype(std::declval<const T&>()[std::size_t{}])>;

namespace detail {

/// Throws: UsageError if a place is not in [0, size); `operation` opens the message.
void check_places(const char* operation, std::span<const std::int64_t> places, std::size_t size);

}  // namespace detail

/// Some samples of a sequence, in some order, possibly repeated. Borrows the sequence.
template <Samples Base>
class Sampled {
 public:
  /// Throws: UsageError if a place does not exist; names it and the size.
  Sampled(const Base& base, std::vector<std::int64_t> places)
      : base_(&base), places_(std::move(places)) {
    detail::check_places("Sampled", {places_.data(), places_.size()}, base.size());
  }

  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }
  [[nodiscard]] decltype(auto) operator[](std::size_t place) const {
    return (*base_)[static_cast<std::size_t>(places_[place])];
  }

 private:
  const Base* base_;
  std::vector<std::int64_t> places_;
};

/// Two sequences, concatenated. Borrows both.
template <Samples First, Samples Second>
  requires std::same_as<SampleOf<First>, SampleOf<Second>>
class Concatenated {
 public:
  Concatenated(const First& first, const Second& second) noexcept
      : first_(&first), second_(&second) {}

  [[nodiscard]] std::size_t size() const noexcept { return first_->size() + second_->size(); }
  [[nodiscard]] SampleOf<First> operator[](std::size_t place) const {
    const std::size_t count = first_->size();
    if (place < count) {
      return (*first_)[place];
    }
    return (*second_)[place - count];
  }

 private:
  const First* first_;
  const Second* second_;
};

}  // namespace ddx::data

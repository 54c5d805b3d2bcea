/// \file
/// Models whose weights are set as soon as they are made.

#pragma once

namespace ddx::nn::detail {

/// While one lives, the initial values of weights are indeterminate in its thread: drawing them
/// takes longer than to load them.
class UndrawnWeights {
 public:
  UndrawnWeights() noexcept;
  ~UndrawnWeights();
  UndrawnWeights(const UndrawnWeights&) = delete;
  UndrawnWeights& operator=(const UndrawnWeights&) = delete;
  UndrawnWeights(UndrawnWeights&&) = delete;
  UndrawnWeights& operator=(UndrawnWeights&&) = delete;

  /// Whether there is one in this thread.
  [[nodiscard]] static bool are_wanted() noexcept;

 private:
  bool before_;
};

}  // namespace ddx::nn::detail

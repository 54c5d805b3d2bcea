/// \file
/// Continues sequences with a model.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/models/gpt.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random_categorical.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::models {

/// How tokens are drawn.
struct GenerateOptions {
  std::int64_t count = 100;  ///< How many tokens.
  double temperature = 1;    ///< What scores are divided by; above 0.
  RandomKey key{0};
};

namespace detail {

/// Throws:  UsageError as generate.
void check_generate(std::span<const std::int32_t> beginning, const GenerateOptions& options,
                    const std::source_location& where);

}  // namespace detail

/// Continues a sequence: repeatedly draws the next token by the model's scores. Once there are more
/// tokens than the model's context, it restarts with the last half of the context.
///
/// Throws:  UsageError where the beginning is empty, the count negative, the temperature not above
///          0, or a token is not in [0, vocabulary).
template <FloatingScalar Scalar>
[[nodiscard]] std::vector<std::int32_t> generate(
    const GPT<Scalar>& model, std::span<const std::int32_t> beginning,
    const GenerateOptions& options = {},
    std::source_location where = std::source_location::current()) {
  detail::check_generate(beginning, options, where);
  const std::int64_t context = model.context();
  std::vector<std::int32_t> all;
  for (const std::int32_t token : beginning) {
    all.push_back(token);
  }
  typename GPT<Scalar>::Cache cache;
  std::int64_t seen = 0;  // Tokens of `all` that are in the cache, or before those that are.
  for (std::int64_t i = 0; i < options.count; ++i) {
    const auto end = static_cast<std::int64_t>(all.size());
    if (cache.empty() || cache.front().places() + end - seen > context) {
      cache.clear();
      seen = i == 0 ? std::max<std::int64_t>(end - context, 0) : end - (context + 1) / 2;
    }
    const Tensor<std::int32_t> fresh({1, end - seen}, {all.data() + seen, all.data() + end},
                                     model.tokens.weight.device());
    const auto scores = model.extend(fresh, cache, where);
    const auto last =
        slice(scores, {.start = {0, -1, 0}}, where) * static_cast<Scalar>(1 / options.temperature);
    seen = end;
    all.push_back(
        random_categorical(options.key.fold_in(static_cast<std::uint64_t>(i)), last, 1, where)
            .item());
  }
  return {all.data() + beginning.size(), all.data() + all.size()};
}

}  // namespace ddx::models

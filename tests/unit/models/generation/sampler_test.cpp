// Filters beside the logits processors of transformers: tests/goldens/make_samplers.py.

#include "ddx/models/generation/sampler.h"

#include "ddx/core/error.h"
#include "ddx/models/generation/generate_options.h"

#include "tests/support/recording.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ddx::models {
namespace sampler_test {

using ddx::testing::thrown;
using Scores = std::vector<double>;
using Tokens = std::vector<std::int32_t>;

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

const nlohmann::json& recorded() {
  static const nlohmann::json all = ddx::testing::recording("samplers.json");
  return all;
}

Scores scores_in(const nlohmann::json& row) {
  Scores scores;
  for (const auto& score : row) {
    scores.push_back(score.is_null() ? never : score.get<double>());
  }
  return scores;
}

/// Expects the recorded scores of each row from filter(scores, tokens).
template <class Filter>
void expect_rows(const nlohmann::json& rows, const std::string& what, Filter filter) {
  ASSERT_EQ(rows.size(), recorded()["rows"].size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto got =
        filter(scores_in(recorded()["rows"][i]), recorded()["tokens"][i].get<Tokens>());
    const Scores expected = scores_in(rows[i]);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t token = 0; token < got.size(); ++token) {
      EXPECT_DOUBLE_EQ(got[token], expected[token]) << what << ", row " << i << ", " << token;
    }
  }
}

/// Expects the recorded scores of a filter for each parameter.
template <class Filter>
void expect_filter(const std::string& name, Filter filter) {
  for (const auto& of_parameter : recorded()["filters"][name]) {
    const double parameter = of_parameter["parameter"];
    expect_rows(of_parameter["rows"], name + " " + std::to_string(parameter),
                [&](const Scores& scores, const Tokens& tokens) {
                  return filter(scores, tokens, parameter);
                });
  }
}

TEST(Sampler, FiltersAreThoseOfTransformers) {
  expect_filter("penalized_scores", [](const Scores& scores, const Tokens& tokens, double x) {
    return penalized_scores(scores, tokens, x);
  });
  expect_filter("tempered_scores", [](const Scores& scores, const Tokens&, double x) {
    return tempered_scores(scores, x);
  });
  expect_filter("top_k_scores", [](const Scores& scores, const Tokens&, double x) {
    return top_k_scores(scores, static_cast<std::int64_t>(x));
  });
  expect_filter("top_p_scores", [](const Scores& scores, const Tokens&, double x) {
    return top_p_scores(scores, x);
  });
  expect_filter("min_p_scores", [](const Scores& scores, const Tokens&, double x) {
    return min_p_scores(scores, x);
  });
}

TEST(Sampler, FiltersWorkInTheOrderOfTransformers) {
  for (const auto& one : recorded()["filtered"]) {
    const auto& settings = one["settings"];
    const GenerateOptions options{.repetition_penalty = settings.value("repetition_penalty", 1.0),
                                  .greedy = !settings.value("do_sample", true),
                                  .temperature = settings.value("temperature", 1.0),
                                  .top_k = settings.value("top_k", 0),
                                  .top_p = settings.value("top_p", 1.0),
                                  .min_p = settings.value("min_p", 0.0)};
    expect_rows(one["rows"], settings.dump(), [&](const Scores& scores, const Tokens& tokens) {
      return filtered_scores(scores, tokens, options);
    });
  }
}

TEST(Sampler, WhatExcludesNothingChangesNothing) {
  const Scores scores{0.5, never, 2};
  EXPECT_EQ(filtered_scores(scores, Tokens{0, 2}, {}), scores);
  EXPECT_EQ(top_k_scores(scores, 0), scores);
  EXPECT_EQ(top_p_scores({never, never}, 0.5), (Scores{never, never}));
  EXPECT_EQ(min_p_scores({never, never}, 0.5), (Scores{never, never}));
  EXPECT_TRUE(top_p_scores({}, 0.5).empty());
  EXPECT_TRUE(min_p_scores({}, 0.5).empty());
}

TEST(Sampler, MistakesAreAnError) {
  EXPECT_EQ(thrown<UsageError>([] { (void)penalized_scores({1}, Tokens{0}, 0); }),
            "penalized_scores: penalty is 0.000000, a finite number above 0 is required (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)penalized_scores({1}, Tokens{1}, 2); }),
            "penalized_scores: token 1 is not in [0, 1) (here)");
  EXPECT_THROW((void)penalized_scores({1}, Tokens{-1}, 2), UsageError);
  EXPECT_EQ(thrown<UsageError>([] { (void)tempered_scores({1}, nan); }),
            "tempered_scores: temperature is nan, a finite number above 0 is required (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)top_k_scores({1}, -1); }),
            "top_k_scores: k is -1, at least 0 is required (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)top_k_scores({1, nan}, 1); }),
            "top_k_scores: the score of token 1 is NaN (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)top_p_scores({1}, 1.5); }),
            "top_p_scores: p is 1.500000, expected 0 <= p <= 1 (here)");
  EXPECT_THROW((void)top_p_scores({nan}, 0.5), UsageError);
  EXPECT_EQ(thrown<UsageError>([] { (void)min_p_scores({1}, -0.5); }),
            "min_p_scores: p is -0.500000, expected 0 <= p <= 1 (here)");
  EXPECT_THROW((void)min_p_scores({nan}, 0.5), UsageError);
}

}  // namespace sampler_test
}  // namespace ddx::models

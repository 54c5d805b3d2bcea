#include "ddx/models/gpt.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/models/generation/generate.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <vector>

namespace ddx::models {
namespace gpt_test {

using ddx::testing::message_of;
using Tokens = std::vector<std::int32_t>;

template <class Scalar>
GPT<Scalar> small(std::int64_t blocks = 2) {
  GPT<Scalar> model({.vocabulary = 5, .context = 6, .blocks = blocks, .features = 4, .heads = 2});
  nn::initialize(model, RandomKey(1));
  return model;
}

Tensor<std::int32_t> sequence(const Tokens& tokens, std::int64_t rows = 1) {
  return {{rows, static_cast<std::int64_t>(tokens.size()) / rows},
          std::span<const std::int32_t>(tokens)};
}

TEST(GPT, HasTheParametersOfGPT2) {
  std::size_t count = 0;
  auto model = small<float>();
  nn::visit_parameters([&](const nn::Path&, const auto& weight) { count += weight.count(); },
                       model);
  // With d features a block has 12 d^2 + 13 d: 7,087,872 in GPT-2, 244 here. Around the blocks are
  // vectors of tokens and of places, a normalisation, and scores.
  EXPECT_EQ(count, 2U * (12 * 16 + 13 * 4) + 5 * 4 + 6 * 4 + 2 * 4 + 4 * 5);
}

TEST(GPT, ScoresDependOnNoLaterToken) {
  const auto model = small<double>();
  const auto one = model(sequence({0, 1, 2, 3, 4, 0}));
  const auto other = model(sequence({0, 1, 2, 3, 1, 2}));
  EXPECT_EQ(one.shape(), (Shape{1, 6, 5}));
  for (std::size_t i = 0; i < 4 * 5; ++i) {
    EXPECT_EQ(one.elements()[i], other.elements()[i]) << i;
  }
  EXPECT_NE(one.elements()[4 * 5], other.elements()[4 * 5]);
  EXPECT_THROW((void)model(sequence({0, 1, 2, 3, 4, 0, 1})), UsageError);
  EXPECT_THROW((void)model(sequence({5})), UsageError);
}

TEST(GPT, ExtendContinuesASequence) {
  const auto model = small<double>();
  const auto whole = model(sequence({3, 1, 4, 1, 0, 2, 4, 4, 3, 2}, 2));
  GPT<double>::Cache cache;
  const auto begin = model.extend(sequence({3, 1, 2, 4}, 2), cache);
  const auto middle = model.extend(sequence({4, 4}, 2), cache);
  const auto end = model.extend(sequence({1, 0, 3, 2}, 2), cache);
  const auto joined = concatenate(std::vector{begin, middle, end}, 1);
  ASSERT_EQ(joined.shape(), whole.shape());
  for (std::size_t i = 0; i < whole.count(); ++i) {
    EXPECT_NEAR(joined.elements()[i], whole.elements()[i], 1e-12) << i;
  }
  EXPECT_THROW((void)model.extend(sequence({0, 0, 0, 0}, 2), cache), UsageError);
}

TEST(GPT, GradientAgreesWithDifferences) {
  auto model = small<double>();
  const auto tokens = sequence({0, 1, 2, 3, 3, 1}, 2);
  const auto weights = random_normal<double>(RandomKey(2), {2, 3, 5});
  const auto loss = [&](const GPT<double>& m) { return sum(m(tokens) * weights); };
  const auto [value, gradient] = value_with_gradient(loss, model);
  EXPECT_DOUBLE_EQ(value.item(), loss(model).item());
  std::size_t parameters = 0;
  auto changed = model;
  nn::visit_parameters(
      [&](const nn::Path& path, auto& weight, const auto& slope) {
        ++parameters;
        const auto original = weight;
        for (std::size_t i = 0; i < original.count(); i += original.count() / 5 + 1) {
          weight = ddx::testing::moved(original, i, 1e-6);
          const double above = loss(changed).item();
          weight = ddx::testing::moved(original, i, -1e-6);
          const double below = loss(changed).item();
          EXPECT_NEAR(slope.elements()[i], (above - below) / 2e-6, 1e-6 * (1 + std::abs(above)))
              << to_string(path) << i;
        }
        weight = original;
      },
      changed, gradient);
  EXPECT_EQ(parameters, 2U + 2 * 16 + 2 + 2);
}

/// At a low temperature the token with the highest score comes, also beyond the context.
TEST(Generate, FollowsTheScores) {
  const auto model = small<double>();
  const auto made = generate(model, Tokens{1, 2}, {.count = 9, .temperature = 1e-3});
  ASSERT_EQ(made.size(), 9U);
  Tokens all{1, 2};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto scores = model(sequence(all)).values();
    const auto last = scores.end() - 5;
    EXPECT_EQ(made[i], std::max_element(last, scores.end()) - last) << i;
    all.push_back(made[i]);
  }
  EXPECT_EQ(generate(model, Tokens{1, 2}, {.count = 9, .temperature = 1e-3}), made);
}

TEST(Generate, DrawsByTheKey) {
  const auto model = small<float>();
  const auto made = generate(model, Tokens{0}, {.count = 40, .key = RandomKey(1)});
  EXPECT_EQ(made, generate(model, Tokens{0}, {.count = 40, .key = RandomKey(1)}));
  EXPECT_NE(made, generate(model, Tokens{0}, {.count = 40, .key = RandomKey(2)}));
  EXPECT_TRUE(generate(model, Tokens{0, 1, 2, 3, 4, 0, 1, 2}, {.count = 0}).empty());
  EXPECT_EQ(generate(model, Tokens{0, 1, 2, 3, 4, 0, 1, 2}, {.count = 3}).size(), 3U);
}

TEST(Generate, RefusesWhatCannotBe) {
  const auto model = small<float>();
  EXPECT_EQ(message_of<UsageError>([&] { (void)generate(model, Tokens{}); }).substr(0, 37),
            "generate: the beginning has no tokens");
  EXPECT_THROW((void)generate(model, Tokens{1}, {.count = -1}), UsageError);
  EXPECT_THROW((void)generate(model, Tokens{1}, {.temperature = 0}), UsageError);
  EXPECT_THROW((void)generate(model, Tokens{5}), UsageError);
}

}  // namespace gpt_test
}  // namespace ddx::models

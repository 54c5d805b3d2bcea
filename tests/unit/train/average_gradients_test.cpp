#include "ddx/train/average_gradients.h"

#include "ddx/ad/differentiable.h"
#include "ddx/backend/asynchronous.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/distributed/process_group.h"
#include "ddx/distributed/run_on_threads.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/losses/mean_squared_error.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/optimizers/sgd.h"
#include "ddx/nn/pipe.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/broadcast_training.h"
#include "ddx/train/fit.h"
#include "ddx/train/metrics/mean_absolute_error.h"
#include "ddx/train/on_first.h"
#include "ddx/train/statistic.h"
#include "ddx/train/supervised.h"
#include "ddx/train/training.h"

#include "tests/support/small_training.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace ddx::train {
namespace average_gradients_test {

using ddx::testing::small_loss;
using ddx::testing::SmallBatch;
using ddx::testing::SmallData;
using ddx::testing::SmallModel;
using distributed::ProcessGroup;
using distributed::run_on_threads;

/// Parameters of three types, one of them a number.
struct Parts {
  Tensor<float> a;
  Tensor<BFloat16> b;
  double c = 0;
  Tensor<float> d;

  DDX_DIFFERENTIABLE(Parts, a, b, c, d)
};

Parts parts() {
  return {.a = zeros<float>({3}), .b = zeros<BFloat16>({2}), .c = 0, .d = zeros<float>({2, 2})};
}

TEST(AverageGradients, GivesTheMeanWeightedByTheNumbersOfSamples) {
  // In one message for each type, and in one for each parameter.
  for (const std::int64_t bucket_bytes : {std::int64_t{1} << 20, std::int64_t{1}}) {
    run_on_threads(3, [&](const ProcessGroup& group) {
      const auto r = static_cast<float>(group.rank());
      const Parts model = parts();
      Parts::TangentVector gradient;
      gradient.a = Tensor<float>{r, 2 * r, 1};
      gradient.b = Tensor<BFloat16>{BFloat16(r), BFloat16(-r)};
      gradient.c = 4 * static_cast<double>(r);
      // Weights 1, 3, 0: (0 + 3 r) / 4 of rank 1; d took part nowhere.
      constexpr std::array weights{1.0, 3.0, 0.0};
      if (group.rank() == 2) {
        gradient.a = full<float>({3}, std::numeric_limits<float>::quiet_NaN());
      }
      average_gradients(model, gradient, group,
                        {.weight = weights[static_cast<std::size_t>(group.rank())],
                         .bucket_bytes = bucket_bytes});
      EXPECT_EQ(gradient.a, (Tensor<float>{0.75F, 1.5F, 1}));
      EXPECT_EQ(gradient.b, (Tensor<BFloat16>{BFloat16(0.75), BFloat16(-0.75)}));
      EXPECT_EQ(gradient.c, 3);
      EXPECT_TRUE(gradient.d.is_symbolic_zero());
    });
  }
}

TEST(AverageGradients, CountsAnAbsentGradientAsZeroWhereOthersHaveOne) {
  run_on_threads(2, [&](const ProcessGroup& group) {
    const Parts model = parts();
    Parts::TangentVector gradient;
    if (!group.is_first()) {
      gradient.d = ones<float>({2, 2});
    }
    average_gradients(model, gradient, group);
    EXPECT_EQ(gradient.d, full<float>({2, 2}, 0.5F));
    EXPECT_TRUE(gradient.a.is_symbolic_zero());
  });
}

TEST(AverageGradients, LeavesTheGradientOfOneReplicaAlone) {
  const Parts model = parts();
  Parts::TangentVector gradient;
  gradient.a = Tensor<float>{1, 2, 3};
  average_gradients(model, gradient, ProcessGroup(), {.weight = 5});
  EXPECT_EQ(gradient.a, (Tensor<float>{1, 2, 3}));
}

template <class Act>
std::string error_of(const Act& act) {
  try {
    act();
  } catch (const UsageError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find(" (at "));
  }
  return "(none)";
}

TEST(AverageGradients, RefusesOptionsWithoutMeaning) {
  const Parts model = parts();
  Parts::TangentVector gradient;
  const ProcessGroup alone;
  EXPECT_EQ(error_of([&] { average_gradients(model, gradient, alone, {.weight = -1}); }),
            "average_gradients: the weight is -1.000000, must be a number that is not negative");
  EXPECT_EQ(error_of([&] { average_gradients(model, gradient, alone, {.bucket_bytes = 0}); }),
            "average_gradients: bucket_bytes is 0, must be at least 1");
}

/// Two dense layers: no random numbers, no statistics of batches.
struct Mlp {
  nn::Dense<float> first{{.in = 2, .out = 16, .activation = nn::Activation::Tanh}};
  nn::Dense<float> last{{.in = 16, .out = 1}};

  [[nodiscard]] Tensor<float> operator()(const Tensor<float>& x) const { return x | first | last; }

  DDX_DIFFERENTIABLE(Mlp, first, last)
};

constexpr Supervised objective{&SmallBatch::x, &SmallBatch::y,
                               [](const Tensor<float>& output, const Tensor<float>& target) {
                                 return nn::mean_squared_error(output, target);
                               }};

/// The losses of steps and validations, and a metric over the validations' samples.
struct Seen {
  std::vector<double> losses;
  std::vector<double> errors;
};

/// Eleven samples in batches of 4: the last has fewer than four replicas.
Seen train_mlp(const ProcessGroup& group, Mlp* end = nullptr) {
  Mlp model;
  nn::initialize(model, RandomKey(static_cast<std::uint64_t>(group.rank())));
  Training training{model, nn::Adam(model, {.learning_rate = 0.05})};
  Seen seen;
  const auto error = statistic<Tensor<float>, Tensor<float>>("error", MeanAbsoluteError(), group);
  const SmallData data;
  (void)fit(training, Sets{data, data}, objective,
            {.epochs = 3, .batch_size = 4, .key = RandomKey(5), .group = group},
            {{.validation_begins = [&](Loop&) { error.reset(); },
              .batch_ended =
                  [&](Loop& loop) {
                    seen.losses.push_back(loop.loss());
                    EXPECT_EQ(loop.samples(), loop.batch() == 3 ? 3 : 4);
                    if (loop.phase() == Phase::Validation) {
                      error.accumulate(loop);
                    }
                  },
              .epoch_ended =
                  [&](Loop& loop) {
                    seen.errors.push_back(error.measure());
                    seen.losses.push_back(loop.mean_loss());
                    seen.losses.push_back(loop.validation_loss().value());
                  }}});
  if (end != nullptr) {
    *end = training.model;
  }
  return seen;
}

TEST(Fit, GivesTheLossesOfOneProcessWithAnyNumberOfReplicas) {
  const Seen expected = train_mlp({});
  for (const std::int64_t count : {2, 3, 4}) {
    std::vector<Seen> seen(static_cast<std::size_t>(count));
    std::vector<Mlp> ends(seen.size());
    run_on_threads(count, [&](const ProcessGroup& group) {
      const auto rank = static_cast<std::size_t>(group.rank());
      seen[rank] = train_mlp(group, &ends[rank]);
    });
    for (std::size_t rank = 0; rank < seen.size(); ++rank) {
      EXPECT_EQ(seen[rank].losses, seen[0].losses);
      EXPECT_EQ(seen[rank].errors, seen[0].errors);
      EXPECT_EQ(ends[rank].first.weight, ends[0].first.weight);
    }
    ASSERT_EQ(seen[0].losses.size(), expected.losses.size());
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
      EXPECT_NEAR(seen[0].losses[i], expected.losses[i], 2e-6 * expected.losses[i]) << i;
    }
    for (std::size_t i = 0; i < expected.errors.size(); ++i) {
      EXPECT_NEAR(seen[0].errors[i], expected.errors[i], 2e-6 * expected.errors[i]) << i;
    }
  }
}

TEST(Fit, KeepsReplicasEqualWithRunningAveragesAndRandomNumbers) {
  std::vector<SmallModel> models(3);
  std::vector<std::vector<float>> draws(3);
  run_on_threads(3, [&](const ProcessGroup& group) {
    const auto rank = static_cast<std::size_t>(group.rank());
    SmallModel model;
    nn::initialize(model, RandomKey(static_cast<std::uint64_t>(rank)));
    Training training{model, nn::SGD(model, {.learning_rate = 0.1, .momentum = 0.9})};
    (void)fit(training, SmallData(), small_loss,
              {.epochs = 2, .batch_size = 6, .key = RandomKey(5), .group = group});
    models[rank] = training.model;
  });
  for (const auto& model : models) {
    EXPECT_EQ(model.first.weight, models[0].first.weight);
    EXPECT_EQ(model.norm.running_mean, models[0].norm.running_mean);
    EXPECT_EQ(model.norm.running_variance, models[0].norm.running_variance);
  }
  EXPECT_NE(models[0].norm.running_mean, zeros<float>({4}));
}

TEST(Fit, EndsOnAllReplicasWhereOneThrows) {
  std::vector<std::string> errors(3);
  try {
    run_on_threads(3, [&](const ProcessGroup& group) {
      const Mlp model;
      Training training{model, nn::SGD(model)};
      try {
        (void)fit(training, SmallData(), objective, {.epochs = 1, .batch_size = 4, .group = group},
                  {.update_begins = [&](Loop& loop) {
                    if (group.rank() == 2 && loop.batch() == 2) {
                      throw std::runtime_error("out of paper");
                    }
                  }});
      } catch (const std::exception& error) {
        errors[static_cast<std::size_t>(group.rank())] = error.what();
        EXPECT_EQ(training.position.step, group.rank() == 2 ? 1 : 2);
        throw;
      }
    });
    FAIL() << "no error";
  } catch (const std::exception&) {
    EXPECT_EQ(errors[0], "average_gradients: rank 2 has given up: out of paper");
    EXPECT_EQ(errors[1], errors[0]);
    EXPECT_EQ(errors[2], "out of paper");
  }
}

TEST(OnFirst, MakesEventsOnTheFirstReplicaAlone) {
  std::vector<int> made(3);
  run_on_threads(3, [&](const ProcessGroup& group) {
    const Events events = on_first(group, [&] {
      ++made[static_cast<std::size_t>(group.rank())];
      return Events{.fit_begins = [](Loop&) {}};
    });
    EXPECT_EQ(static_cast<bool>(events.fit_begins), group.is_first());
  });
  EXPECT_EQ(made, (std::vector<int>{1, 0, 0}));
}

TEST(ShareTraining, GivesAllReplicasTheTrainingOfOne) {
  run_on_threads(3, [](const ProcessGroup& group) {
    SmallModel model;
    nn::initialize(model, RandomKey(static_cast<std::uint64_t>(group.rank())));
    model.norm.running_mean = full<float>({4}, static_cast<float>(group.rank()));
    Training training{model, nn::SGD(model, {.momentum = 0.5})};
    training.position.step = group.rank();
    broadcast_training(training, group, 2);
    SmallModel expected;
    nn::initialize(expected, RandomKey(2));
    EXPECT_EQ(training.model.first.weight, expected.first.weight);
    EXPECT_EQ(training.model.norm.running_mean, full<float>({4}, 2.0F));
    EXPECT_EQ(training.position.step, 2);
  });
}

TEST(ShareTraining, NamesWhatDiffers) {
  EXPECT_EQ(
      error_of([] {
        run_on_threads(2, [](const ProcessGroup& group) {
          Mlp model;
          model.last = nn::Dense<float>({.in = 16, .out = 1 + group.rank()});
          Training training{model, nn::SGD(model)};
          broadcast_training(training, group);
        });
      }),
      "broadcast_training: replicas train different things: rank 0 has model.last.weight: f32 "
      "[16, 1], rank 1 has model.last.weight: f32 [16, 2]");
}

}  // namespace average_gradients_test
}  // namespace ddx::train

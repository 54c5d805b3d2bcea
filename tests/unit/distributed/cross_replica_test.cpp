#include "ddx/distributed/cross_replica.h"

#include "ddx/ad/differential.h"
#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/distributed/all_gather.h"
#include "ddx/distributed/all_to_all.h"
#include "ddx/distributed/broadcast.h"
#include "ddx/distributed/process_group.h"
#include "ddx/distributed/reduce_scatter.h"
#include "ddx/distributed/run_on_threads.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/collective_checks.h"

#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::distributed {
namespace cross_replica_test {

TEST(Collectives, GiveTheSameForEveryNumberOfReplicas) {
  for (const std::int64_t count : {1, 2, 3, 4, 7}) {
    std::vector<std::vector<std::string>> complaints(static_cast<std::size_t>(count));
    run_on_threads(count, [&](const ProcessGroup& group) {
      complaints[static_cast<std::size_t>(group.rank())] =
          ddx::testing::CollectiveChecks(group).run();
    });
    for (const auto& of_replica : complaints) {
      EXPECT_EQ(of_replica, std::vector<std::string>());
    }
  }
}

TEST(Collectives, KeepTheDeviceOfTheirOperand) {
  run_on_threads(2, [](const ProcessGroup& group) {
    for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
      const auto x = full<float>({2}, 1.5F, device) * 2.0F;
      const auto y = cross_replica_sum(x, group) + x;
      EXPECT_EQ(y.device(), device);
      EXPECT_EQ(y.values(), (std::vector<float>{9, 9}));
    }
  });
}

/// Each of three replicas has its own x and its own weights c of what it gives.
struct Replica {
  Tensor<float> x;
  Tensor<float> c;
};

Replica replica(std::int64_t rank) {
  switch (rank) {
    case 0:
      return {.x = {1, 0, 3}, .c = {1, 2, 3}};
    case 1:
      return {.x = {4, 5, 3}, .c = {10, 20, 30}};
    default:
      return {.x = {7, 2, 1}, .c = {100, 200, 300}};
  }
}

template <class Function, class Check>
void on_three(const Function& function, const Check& check) {
  run_on_threads(3, [&](const ProcessGroup& group) {
    const auto [x, c] = replica(group.rank());
    check(group.rank(), function(group, x, c));
  });
}

TEST(CrossReplicaSum, HasTheSumOfAllCotangentsAsGradient) {
  on_three(
      [](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        return gradient(
            [&](const Tensor<float>& t) { return sum(cross_replica_sum(t, group) * c); }, x);
      },
      [](std::int64_t, const Tensor<float>& slope) {
        EXPECT_EQ(slope, (Tensor<float>{111, 222, 333}));
      });
}

TEST(CrossReplicaSum, TakesPartWithoutACotangent) {
  // Replica 1 does not use what it gets: its cotangent is a symbolic zero.
  on_three(
      [](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        const bool uses = group.rank() != 1;
        return gradient(
            [&](const Tensor<float>& t) {
              Tensor<float> y = cross_replica_sum(t, group);
              if (!uses) {
                y = zeros<float>(t.shape());
              }
              return sum(y * c);
            },
            x);
      },
      [](std::int64_t, const Tensor<float>& slope) {
        EXPECT_EQ(slope, (Tensor<float>{101, 202, 303}));
      });
}

TEST(CrossReplicaMean, HasTheMeanOfAllCotangentsAsGradient) {
  on_three(
      [](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        return gradient(
            [&](const Tensor<float>& t) { return sum(cross_replica_mean(t, group) * c); }, x);
      },
      [](std::int64_t, const Tensor<float>& slope) {
        EXPECT_EQ(slope, (Tensor<float>{37, 74, 111}));
      });
}

TEST(CrossReplicaMax, GivesTheCotangentsToTheLargestInEqualParts) {
  // Largest: 7 of replica 2, 5 of replica 1, 3 of replicas 0 and 1.
  on_three(
      [](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        return gradient(
            [&](const Tensor<float>& t) { return sum(cross_replica_max(t, group) * c); }, x);
      },
      [](std::int64_t rank, const Tensor<float>& slope) {
        EXPECT_EQ(slope, rank == 0   ? (Tensor<float>{0, 0, 166.5F})
                         : rank == 1 ? (Tensor<float>{0, 222, 166.5F})
                                     : (Tensor<float>{111, 0, 0}));
      });
}

TEST(CrossReplicaMin, GivesTheCotangentsToTheSmallest) {
  on_three(
      [](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        return gradient(
            [&](const Tensor<float>& t) { return sum(cross_replica_min(t, group) * c); }, x);
      },
      [](std::int64_t rank, const Tensor<float>& slope) {
        EXPECT_EQ(slope, rank == 0   ? (Tensor<float>{111, 222, 0})
                         : rank == 1 ? (Tensor<float>{0, 0, 0})
                                     : (Tensor<float>{0, 0, 333}));
      });
}

TEST(CrossReplicaProduct, HasTheProductOfTheOthersAsGradientAtZeroToo) {
  // Products of the others: of column 0 28, 7, 4; of column 1, where replica 0 has 0: 10, 0, 0; of
  // column 2 3, 3, 9. Times 111, 222, 333.
  on_three(
      [](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        return gradient(
            [&](const Tensor<float>& t) { return sum(cross_replica_product(t, group) * c); }, x);
      },
      [](std::int64_t rank, const Tensor<float>& slope) {
        EXPECT_EQ(slope, rank == 0   ? (Tensor<float>{3108, 2220, 999})
                         : rank == 1 ? (Tensor<float>{777, 0, 999})
                                     : (Tensor<float>{444, 0, 2997}));
      });
}

TEST(AllGather, HasItsOwnRowsOfTheSumOfCotangentsAsGradient) {
  // Uneven: replica r has r + 1 rows. Weights of row k on replica s: 10^s (k + 1).
  run_on_threads(3, [](const ProcessGroup& group) {
    const std::int64_t rows = group.rank() + 1;
    const auto x = ones<float>({rows});
    const Tensor<float> k{1, 2, 3, 4, 5, 6};
    const float scale = group.rank() == 0 ? 1.0F : group.rank() == 1 ? 10.0F : 100.0F;
    const auto slope =
        gradient([&](const Tensor<float>& t) { return sum(all_gather(t, group) * k) * scale; }, x);
    EXPECT_EQ(slope, group.rank() == 0   ? (Tensor<float>{111})
                     : group.rank() == 1 ? (Tensor<float>{222, 333})
                                         : (Tensor<float>{444, 555, 666}));
  });
}

TEST(ReduceScatter, HasTheCotangentsOneAfterAnotherAsGradient) {
  on_three(
      [](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        return gradient(
            [&](const Tensor<float>& t) { return sum(reduce_scatter(t, group)) * c.values()[0]; },
            x);
      },
      [](std::int64_t, const Tensor<float>& slope) {
        EXPECT_EQ(slope, (Tensor<float>{1, 10, 100}));
      });
}

TEST(Broadcast, GivesAllCotangentsToTheRoot) {
  on_three(
      [](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        return gradient([&](const Tensor<float>& t) { return sum(broadcast(t, group, 1) * c); }, x);
      },
      [](std::int64_t rank, const Tensor<float>& slope) {
        EXPECT_EQ(slope, rank == 1 ? (Tensor<float>{111, 222, 333}) : (Tensor<float>{0, 0, 0}));
      });
}

TEST(AllToAll, SendsCotangentsBack) {
  on_three(
      [](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        return gradient([&](const Tensor<float>& t) { return sum(all_to_all(t, group) * c); }, x);
      },
      [](std::int64_t rank, const Tensor<float>& slope) {
        const auto k = static_cast<float>(rank + 1);
        EXPECT_EQ(slope, (Tensor<float>{k, 10 * k, 100 * k}));
      });
}

/// <w, J v> = <J^T w, v>, summed over the replicas, for v = x and w the first elements of c.
template <class Function>
void expect_transposed(const Function& function) {
  on_three(
      [&](const ProcessGroup& group, const Tensor<float>& x, const Tensor<float>& c) {
        const auto f = [&](const Tensor<float>& t) { return function(t, group); };
        const auto [value, tangent] = jvp(f, along(x), x);
        const auto weights = broadcast_to(slice(c, {.stop = {1}}), value.shape());
        const auto forward = sum(tangent * weights);
        const auto back = sum(pullback(f, x)(weights) * x);
        return Tensor<float>(
            {2}, {cross_replica_sum(forward, group).item(), cross_replica_sum(back, group).item()});
      },
      [](std::int64_t, const Tensor<float>& sums) {
        EXPECT_NE(sums.values()[0], 0);
        EXPECT_FLOAT_EQ(sums.values()[0], sums.values()[1]);
      });
}

TEST(Collectives, HaveForwardDerivativesThatAreTheTransposes) {
  using T = Tensor<float>;
  using G = ProcessGroup;
  expect_transposed([](const T& t, const G& group) { return cross_replica_sum(t, group); });
  expect_transposed([](const T& t, const G& group) { return cross_replica_mean(t, group); });
  expect_transposed([](const T& t, const G& group) { return cross_replica_max(t, group); });
  expect_transposed([](const T& t, const G& group) { return cross_replica_min(t, group); });
  expect_transposed([](const T& t, const G& group) { return cross_replica_product(t, group); });
  expect_transposed([](const T& t, const G& group) { return all_gather(t, group); });
  expect_transposed([](const T& t, const G& group) { return reduce_scatter(t, group); });
  expect_transposed([](const T& t, const G& group) { return broadcast(t, group, 2); });
  expect_transposed([](const T& t, const G& group) { return all_to_all(t, group); });
}

}  // namespace cross_replica_test
}  // namespace ddx::distributed

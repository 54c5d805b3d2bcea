// Derivatives of collective operations against central differences of the sum over three replicas.

#include "ddx/ad/operators.h"
#include "ddx/core/random_key.h"
#include "ddx/distributed/all_gather.h"
#include "ddx/distributed/all_to_all.h"
#include "ddx/distributed/broadcast.h"
#include "ddx/distributed/cross_replica.h"
#include "ddx/distributed/process_group.h"
#include "ddx/distributed/reduce_scatter.h"
#include "ddx/distributed/run_on_threads.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::testing {
namespace {

using Doubles = Tensor<double>;
using distributed::ProcessGroup;

/// `collective(x, group)` on six elements of each of three replicas, each with its own weights.
template <class Collective>
void check(const Collective& collective) {
  distributed::run_on_threads(3, [&](const ProcessGroup& group) {
    const auto key = RandomKey(9).fold_in(static_cast<std::uint64_t>(group.rank()));
    const auto x = random_uniform<double>(key, {6}, {.low = 0.5, .high = 2});
    const auto weights = random_uniform<double>(key.fold_in(1), collective(x, group).shape(),
                                                {.low = -1, .high = 1});
    const auto loss = [&](const Doubles& t) { return sum(square(collective(t, group)) * weights); };
    const auto slope = gradient(loss, x);
    constexpr double step = 1e-6;
    for (std::int64_t rank = 0; rank < group.size(); ++rank) {
      for (std::int64_t i = 0; i < 6; ++i) {
        const auto moved_by = [&](double distance) {
          Doubles moved = x;
          if (rank == group.rank()) {
            moved.set({i}, x[{i}] + distance);
          }
          return distributed::cross_replica_sum(loss(moved), group).item();
        };
        const double difference = (moved_by(step) - moved_by(-step)) / (2 * step);
        if (rank == group.rank()) {
          EXPECT_NEAR((slope[{i}]), difference, 1e-7) << "element " << i << " of rank " << rank;
        }
      }
    }
  });
}

TEST(ReplicaGradients, AgreeWithDifferences) {
  using D = Doubles;
  using G = ProcessGroup;
  check([](const D& t, const G& group) { return distributed::cross_replica_sum(t, group); });
  check([](const D& t, const G& group) { return distributed::cross_replica_mean(t, group); });
  check([](const D& t, const G& group) { return distributed::cross_replica_max(t, group); });
  check([](const D& t, const G& group) { return distributed::cross_replica_min(t, group); });
  check([](const D& t, const G& group) { return distributed::cross_replica_product(t, group); });
  check([](const D& t, const G& group) { return distributed::all_gather(t, group); });
  check([](const D& t, const G& group) { return distributed::reduce_scatter(t, group); });
  check([](const D& t, const G& group) { return distributed::broadcast(t, group, 1); });
  check([](const D& t, const G& group) { return distributed::all_to_all(t, group); });
}

}  // namespace
}  // namespace ddx::testing

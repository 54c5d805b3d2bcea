#include "ddx/distributed/process_group.h"

#include "ddx/core/error.h"
#include "ddx/distributed/all_gather.h"
#include "ddx/distributed/all_to_all.h"
#include "ddx/distributed/broadcast.h"
#include "ddx/distributed/cross_replica.h"
#include "ddx/distributed/reduce_scatter.h"
#include "ddx/distributed/run_on_threads.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ddx::distributed {
namespace process_group_test {

using std::chrono::milliseconds;

/// What each of `count` replicas throws, without the place in the program; empty for nothing.
std::vector<std::string> errors_of(std::int64_t count,
                                   const std::function<void(const ProcessGroup&)>& replica,
                                   milliseconds timeout = std::chrono::seconds(20)) {
  std::vector<std::string> errors(static_cast<std::size_t>(count));
  try {
    run_on_threads(
        count,
        [&](const ProcessGroup& group) {
          try {
            replica(group);
          } catch (const std::exception& what) {
            const std::string text = what.what();
            errors[static_cast<std::size_t>(group.rank())] = text.substr(0, text.find(" (at "));
            throw;
          }
        },
        timeout);
  } catch (const std::exception&) {  // One of those that are kept.
    return errors;
  }
  return errors;
}

/// The error of one replica, alone or among others that all make the same mistake.
std::string error_of(const std::function<void(const ProcessGroup&)>& replica) {
  const auto errors = errors_of(2, replica);
  EXPECT_EQ(errors[0], errors[1]);
  return errors[0];
}

TEST(ProcessGroup, IsOfOneReplicaAtFirst) {
  const ProcessGroup alone;
  EXPECT_EQ(alone.size(), 1);
  EXPECT_EQ(alone.rank(), 0);
  EXPECT_TRUE(alone.is_first());
  alone.barrier();
  alone.give_up("no other replica receives this");
  EXPECT_EQ(cross_replica_mean(Tensor<float>{1, 2}, alone), (Tensor<float>{1, 2}));
  EXPECT_EQ(alone, ProcessGroup());
}

TEST(ProcessGroup, WaitsForAllAtABarrier) {
  std::atomic<int> arrived = 0;
  run_on_threads(3, [&](const ProcessGroup& group) {
    std::this_thread::sleep_for(milliseconds(20 * group.rank()));
    ++arrived;
    group.barrier();
    EXPECT_EQ(arrived, 3);
  });
}

TEST(ProcessGroup, NamesBothWhereShapesDiffer) {
  const auto errors = errors_of(3, [](const ProcessGroup& group) {
    const auto x = zeros<float>(group.rank() == 2 ? Shape{3, 2} : Shape{2, 3});
    (void)cross_replica_sum(x, group);
  });
  EXPECT_EQ(errors[0],
            "cross_replica_sum: replicas differ: rank 0 asks for all_reduce (sum) of f32 [2, 3] as "
            "operation 1 of the group, rank 2 for all_reduce (sum) of f32 [3, 2] as operation 1");
  EXPECT_EQ(errors[1].substr(0, 54), "cross_replica_sum: replicas differ: rank 1 asks for al");
  EXPECT_EQ(errors[2].substr(0, 54), "cross_replica_sum: replicas differ: rank 2 asks for al");
}

TEST(ProcessGroup, NamesBothWhereTypesOperationsOrRootsDiffer) {
  const auto first_error = [](const std::function<void(const ProcessGroup&)>& replica) {
    const auto text = errors_of(2, replica)[0];
    return text.substr(std::min(text.size(), text.find("rank 0")));
  };
  EXPECT_EQ(first_error([](const ProcessGroup& group) {
              group.is_first() ? (void)cross_replica_sum(Tensor<float>{1}, group)
                               : (void)cross_replica_sum(Tensor<double>{1}, group);
            }),
            "rank 0 asks for all_reduce (sum) of f32 [1] as operation 1 of the group, rank 1 for "
            "all_reduce (sum) of f64 [1] as operation 1");
  EXPECT_EQ(first_error([](const ProcessGroup& group) {
              group.is_first() ? (void)cross_replica_max(Tensor<float>{1}, group)
                               : (void)cross_replica_min(Tensor<float>{1}, group);
            }),
            "rank 0 asks for all_reduce (max) of f32 [1] as operation 1 of the group, rank 1 for "
            "all_reduce (min) of f32 [1] as operation 1");
  EXPECT_EQ(first_error([](const ProcessGroup& group) {
              (void)broadcast(Tensor<float>{1}, group, group.rank());
            }),
            "rank 0 asks for broadcast from rank 0 of f32 [1] as operation 1 of the group, rank 1 "
            "for broadcast from rank 1 of f32 [1] as operation 1");
  EXPECT_EQ(first_error([](const ProcessGroup& group) {
              group.is_first() ? group.barrier() : (void)all_gather(Tensor<float>{1}, group);
            }),
            "rank 0 asks for a barrier as operation 1 of the group, rank 1 for all_gather of f32 "
            "[1] as operation 1");
}

TEST(ProcessGroup, SaysThatAReplicaHasEndedEarly) {
  const auto errors = errors_of(2, [](const ProcessGroup& group) {
    if (group.is_first()) {
      group.barrier();
    }
  });
  EXPECT_EQ(errors[0],
            "barrier: replicas differ: rank 0 asks for a barrier as operation 1 of the group, rank "
            "1 for its end as operation 1");
  EXPECT_EQ(errors[1], "");
}

TEST(ProcessGroup, PassesOnWhyAReplicaHasGivenUp) {
  const auto errors = errors_of(3, [](const ProcessGroup& group) {
    if (group.rank() == 1) {
      throw std::runtime_error("no such picture");
    }
    group.barrier();
  });
  EXPECT_EQ(errors[0], "barrier: rank 1 has given up: no such picture");
  EXPECT_EQ(errors[2], errors[0]);
}

TEST(ProcessGroup, NamesWhoDoesNotComeInTime) {
  const auto errors = errors_of(
      2,
      [](const ProcessGroup& group) {
        if (!group.is_first()) {
          std::this_thread::sleep_for(milliseconds(600));
        }
        group.barrier();
        group.barrier();
      },
      milliseconds(200));
  EXPECT_EQ(errors[0], "barrier: rank 1 has not answered for 200 ms");
  EXPECT_EQ(errors[1], errors[0]);
}

TEST(ProcessGroup, ThrowsTheFirstErrorAgain) {
  (void)errors_of(2, [](const ProcessGroup& group) {
    std::string first;
    try {
      (void)cross_replica_sum(zeros<float>({group.rank()}), group);
    } catch (const UsageError& what) {
      first = what.what();
    }
    try {
      group.barrier();
      ADD_FAILURE() << "no error";
    } catch (const UsageError& what) {
      EXPECT_EQ(what.what(), first);
    }
  });
}

TEST(ProcessGroup, RefusesOperandsBeforeItSendsAnything) {
  EXPECT_EQ(
      error_of([](const ProcessGroup& group) { (void)all_gather(Tensor<float>(1.0F), group); }),
      "all_gather: a tensor of rank 0 has no first axis");
  EXPECT_EQ(error_of([](const ProcessGroup& group) {
              (void)reduce_scatter(zeros<float>({3, 2}), group);
            }),
            "reduce_scatter: the first axis of shape [3, 2] cannot be dealt out evenly to 2 "
            "replicas");
  EXPECT_EQ(error_of([](const ProcessGroup& group) { (void)all_to_all(zeros<float>({3}), group); }),
            "all_to_all: the first axis of shape [3] cannot be dealt out evenly to 2 replicas");
  EXPECT_EQ(
      error_of([](const ProcessGroup& group) { (void)broadcast(zeros<float>({3}), group, 2); }),
      "broadcast: there is no rank 2 in a group of 2");
  EXPECT_EQ(error_of([](const ProcessGroup& group) {
              (void)reduce_scatter(Tensor<bool>({2}, {true, false}), group);
            }),
            "reduce_scatter: there is no sum of bool");
}

TEST(ProcessGroup, RunsSubmittedOperationsInOrderWhileTheCallerGoesOn) {
  run_on_threads(3, [](const ProcessGroup& group) {
    std::vector<std::future<ddx::detail::Array>> results;
    for (int i = 0; i < 20; ++i) {
      const auto x = full<float>({1000 * (i % 4)}, static_cast<float>(i));
      results.push_back(group.collective()->submit(
          {.kind = detail::CollectiveKind::AllReduce, .operation = "test"}, x.array()));
    }
    // One that is not submitted waits for its turn.
    EXPECT_EQ(cross_replica_sum(Tensor<float>(1.0F), group).item(), 3);
    for (int i = 0; i < 20; ++i) {
      const Tensor<float> sum(results[static_cast<std::size_t>(i)].get());
      EXPECT_EQ(sum, full<float>({1000 * (i % 4)}, static_cast<float>(3 * i)));
    }
  });
}

TEST(RunOnThreads, ThrowsWhatTheFirstReplicaThrew) {
  try {
    run_on_threads(2, [](const ProcessGroup& group) {
      if (group.is_first()) {
        throw std::out_of_range("of replica 0");
      }
      group.barrier();
    });
    FAIL() << "no error";
  } catch (const std::out_of_range& what) {
    EXPECT_STREQ(what.what(), "of replica 0");
  }
}

TEST(RunOnThreads, NeedsAReplica) {
  try {
    run_on_threads(0, [](const ProcessGroup&) {});
    FAIL() << "no error";
  } catch (const UsageError& what) {
    EXPECT_EQ(ddx::testing::without_called_at(what.what()),
              "run_on_threads: count is 0, must be at least 1");
  }
}

}  // namespace process_group_test
}  // namespace ddx::distributed

// The checks of collective operations, by the processes that mpirun has started; exits 1 where one
// fails on this rank.

#include "ddx/distributed/join_group.h"

#include "tests/support/collective_checks.h"

#include <chrono>
#include <exception>
#include <iostream>
#include <string>

int main() {
  try {
    const auto group = ddx::distributed::join_group({.timeout = std::chrono::seconds(60)});
    const auto complaints = ddx::testing::CollectiveChecks(group).run();
    for (const auto& complaint : complaints) {
      std::cerr << complaint + "\n";
    }
    if (group.is_first()) {
      std::cout << "checked with " + std::to_string(group.size()) + " replicas\n";
    }
    return complaints.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << std::string("collectives_by_mpi: ") + error.what() + "\n";
    return 2;
  }
}

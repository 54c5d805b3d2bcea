#include "workload.h"

#include "ddx/core/error.h"

#include "workloads.h"

#include <array>
#include <string>
#include <vector>

namespace ddx::bench {
namespace {

struct Row {
  const char* name;
  Workload (*make)(const WorkloadOptions& options);
};

constexpr std::array rows{Row{"mlp", &mlp},
                          Row{"lenet", &lenet},
                          Row{"resnet56", &resnet56},
                          Row{"resnet18", &resnet18},
                          Row{"resnet18_224", &resnet18_224},
                          Row{"gpt", &gpt}};

}  // namespace

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    names.emplace_back(row.name);
  }
  return names;
}

Workload workload(const std::string& name, const WorkloadOptions& options) {
  for (const Row& row : rows) {
    if (row.name == name) {
      return row.make(options);
    }
  }
  throw UsageError("bench models", "there is no workload '" + name + "'");
}

}  // namespace ddx::bench

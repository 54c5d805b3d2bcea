#include "tests/conformance/xla_groups.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

/// The parameters of the tests of a suite that this process runs.
std::set<std::string> selected(const std::string& suite) {
  std::set<std::string> names;
  const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const ::testing::TestSuite& tests = *all.GetTestSuite(i);
    for (int j = 0; tests.name() == suite && j < tests.total_test_count(); ++j) {
      const std::string name = tests.GetTestInfo(j)->name();
      if (tests.GetTestInfo(j)->should_run()) {
        names.insert(name.substr(name.find('/') + 1));
      }
    }
  }
  return names;
}

}  // namespace

XlaGroups::Failures XlaGroups::failures_of(const std::function<void()>& body) {
  ::testing::TestPartResultArray results;
  Failures failures;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    try {
      body();
    } catch (const std::exception& error) {
      failures.push_back({__FILE__, __LINE__, error.what()});
    }
  }
  for (int i = 0; i < results.size(); ++i) {
    const ::testing::TestPartResult& result = results.GetTestPartResult(i);
    if (result.failed()) {
      failures.push_back({result.file_name() == nullptr ? "" : result.file_name(),
                          result.line_number(), result.message()});
    }
  }
  return failures;
}

XlaGroups::Failures XlaGroups::run(const XlaGroup& group) {
  Failures together = failures_of(group.together);
  if (together.empty()) {
    return together;
  }
  Failures alone = failures_of(group.one_by_one);
  if (!alone.empty()) {
    return alone;
  }
  for (Failure& failure : together) {
    failure.message += "\nin one program with all cases of the operation; each alone succeeds";
  }
  return together;
}

XlaGroups::XlaGroups(const std::string& suite, const std::map<std::string, XlaGroup>& groups) {
  using Task = std::packaged_task<Failures()>;
  const auto tasks = std::make_shared<std::vector<Task>>();
  for (const std::string& name : selected(suite)) {
    outcomes_[name] =
        tasks->emplace_back([group = groups.at(name)] { return run(group); }).get_future();
  }
  const auto next = std::make_shared<std::atomic<std::size_t>>(0);
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 0; i < std::min(processors, tasks->size()); ++i) {
    threads_.push_back(std::async(std::launch::async, [tasks, next] {
      for (std::size_t k = (*next)++; k < tasks->size(); k = (*next)++) {
        (*tasks)[k]();
      }
    }));
  }
}

XlaGroups::~XlaGroups() = default;

void XlaGroups::report(const std::string& name) {
  for (const Failure& failure : outcomes_.at(name).get()) {
    ADD_FAILURE_AT(failure.file.c_str(), failure.line) << failure.message;
  }
}

}  // namespace ddx::testing

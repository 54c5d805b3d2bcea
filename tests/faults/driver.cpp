// Runs scenarios with one call of the system failing, then the next one, and so on: each in a
// process of its own, which must end well.

#include "ddx/core/error.h"

#include "injection.h"
#include "scenario.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <filesystem>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <typeinfo>
#include <unistd.h>
#include <vector>

namespace ddx::faults {
namespace {

constexpr std::uint64_t for_ever = std::numeric_limits<std::uint64_t>::max();

struct Options {
  bool all = false;             // Every call; else some of each kind.
  std::string scenario;         // Empty: each.
  std::string fault;            // Empty: each.
  std::uint64_t only = 0;       // Call with this number; 0: all.
  std::optional<bool> onwards;  // Whether the calls behind it fail, too; none: both.
};

// Of the calls of one kind in one scenario, so many fail in the short run, evenly spread.
constexpr std::uint64_t few = 6;

constexpr unsigned seconds_until_it_hangs = 30;

struct Try {
  Injection injection;
  bool is_traced = false;
};

/// What a child process has said before it ended: "" where all is well; else what is not.
struct Report {
  std::string text;
  std::uint64_t calls = 0;
};

std::string name_of_current_exception() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  return type == nullptr ? "an exception" : type->name();
}

/// Does what the scenario does, with calls failing; returns what is wrong.
Report attempt(const Row& row, const std::filesystem::path& folder, const Try& one) {
  const auto scenario = row.make(folder);
  bool has_succeeded = false;
  std::string wrong;
  std::uint64_t calls = 0;
  set_traced(one.is_traced);
  begin(one.injection);
  try {
    scenario->attempt();
    calls = end();
    has_succeeded = true;
  } catch (const EnvironmentError& error) {
    calls = end();
    if (one.is_traced) {
      std::fprintf(stderr, "EnvironmentError: %s\n", error.what());
    }
  } catch (const std::bad_alloc&) {
    calls = end();
    wrong = row.has_own_memory ? "" : "std::bad_alloc left";
  } catch (const std::exception& error) {
    calls = end();
    wrong = name_of_current_exception() + " left: " + error.what();
  } catch (...) {
    calls = end();
    wrong = name_of_current_exception() + " left";
  }
  if (one.injection.count == 0 && !has_succeeded) {
    wrong = "it fails without faults";
  }
  if (wrong.empty()) {
    try {
      scenario->check(has_succeeded);
    } catch (const std::exception& error) {
      wrong = std::string("after that, ") + error.what();
    }
  }
  return {wrong, calls};
}

void send(int pipe, const Report& report) {
  const std::string text = std::to_string(report.calls) + ' ' + report.text;
  (void)!::write(pipe, text.data(), text.size());
}

std::string received(int pipe) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(pipe, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

/// In a process of its own, whose memory is as new as it can be.
Report run(const Row& row, const std::filesystem::path& folder, const Try& one) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) {
    throw std::runtime_error("no pipe");
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe[0]);
    ::alarm(seconds_until_it_hangs);
    std::set_terminate([] {
      print_stack();
      std::abort();
    });
    send(pipe[1], attempt(row, folder, one));
    std::exit(0);  // With the destructors of what the library keeps for ever.
  }
  ::close(pipe[1]);
  const std::string text = received(pipe[0]);
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  Report report;
  if (const auto space = text.find(' '); space != std::string::npos) {
    report.calls = std::stoull(text.substr(0, space));
    report.text = text.substr(space + 1);
  }
  if (WIFSIGNALED(status)) {
    report.text = WTERMSIG(status) == SIGALRM
                      ? "it hangs"
                      : "it ends by signal " + std::to_string(WTERMSIG(status));
  } else if (WEXITSTATUS(status) != 0) {
    report.text = "it ends with status " + std::to_string(WEXITSTATUS(status));
  }
  return report;
}

class Driver {
 public:
  Driver(Options options, std::filesystem::path folder)
      : options_(std::move(options)), folder_(std::move(folder)) {}

  void run(const Row& row) {
    if (!options_.scenario.empty() && options_.scenario != row.name) {
      return;
    }
    if (!options_.all && options_.scenario.empty() && !row.is_in_short_run) {
      return;
    }
    for (const Fault fault : all_faults) {
      if (options_.fault.empty() || options_.fault == to_string(fault)) {
        run(row, fault);
      }
    }
  }

  [[nodiscard]] bool has_failed() const noexcept { return failures_ > 0; }
  void summarise() const {
    std::printf("%llu faults injected, %llu found\n", static_cast<unsigned long long>(tries_),
                static_cast<unsigned long long>(failures_));
  }

 private:
  void run(const Row& row, Fault fault) {
    const Report whole = faults::run(row, folder_, {{fault, for_ever, 0}, false});
    if (!whole.text.empty()) {
      say(row, {fault, for_ever, 0}, whole.text);
      return;
    }
    const auto begin = std::chrono::steady_clock::now();
    const std::uint64_t tries_before = tries_;
    const std::uint64_t stride = options_.all ? 1 : std::max<std::uint64_t>(whole.calls / few, 1);
    for (std::uint64_t number = 1; number <= whole.calls; number += stride) {
      if (options_.only == 0 || options_.only == number) {
        run_from(row, fault, number);
      }
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    std::printf("%-24s %-7s %5llu calls, %5llu faults, %6.1f s\n", row.name,
                std::string(to_string(fault)).c_str(), static_cast<unsigned long long>(whole.calls),
                static_cast<unsigned long long>(tries_ - tries_before), time.count());
    std::fflush(stdout);
  }

  void run_from(const Row& row, Fault fault, std::uint64_t number) {
    for (const bool onwards : {false, true}) {
      if (options_.onwards.has_value() && *options_.onwards != onwards) {
        continue;
      }
      const Injection injection{fault, number, onwards ? for_ever : 1};
      ++tries_;
      const Report report = faults::run(row, folder_, {injection, options_.only != 0});
      if (!report.text.empty()) {
        say(row, injection, report.text);
      }
    }
  }

  void say(const Row& row, const Injection& injection, const std::string& text) {
    ++failures_;
    std::printf("%s: %s %s%s: %s\n", row.name, std::string(to_string(injection.fault)).c_str(),
                injection.count == 0 ? "none" : std::to_string(injection.first).c_str(),
                injection.count > 1 ? " and all behind it" : "", text.c_str());
    std::fflush(stdout);
  }

  Options options_;
  std::filesystem::path folder_;
  std::uint64_t tries_ = 0;
  std::uint64_t failures_ = 0;
};

Options options_of(std::span<char* const> arguments) {
  Options options;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view option = arguments[i];
    const auto value = [&] { return i + 1 < arguments.size() ? arguments[++i] : ""; };
    if (option == "--all") {
      options.all = true;
    } else if (option == "--scenario") {
      options.scenario = value();
    } else if (option == "--fault") {
      options.fault = value();
    } else if (option == "--only") {
      options.only = std::stoull(value());
      options.all = true;
    } else if (option == "--once") {
      options.onwards = false;
    } else if (option == "--onwards") {
      options.onwards = true;
    } else {
      std::fprintf(stderr,
                   "usage: faults [--all] [--scenario NAME] [--fault KIND] [--only NUMBER] "
                   "[--once | --onwards]\n");
      std::exit(2);
    }
  }
  return options;
}

int run(std::span<char* const> arguments) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("ddx_faults_" + std::to_string(::getpid()));
  Driver driver(options_of(arguments), folder);
  for (const auto& table :
       {tensor_scenarios(), plan_scenarios(), file_scenarios(), training_scenarios()}) {
    for (const Row& row : table) {
      driver.run(row);
    }
  }
  std::filesystem::remove_all(folder);
  driver.summarise();
  return driver.has_failed() ? 1 : 0;
}

}  // namespace
}  // namespace ddx::faults

int main(int count, char** arguments) {
  return ddx::faults::run({arguments, static_cast<std::size_t>(count)});
}

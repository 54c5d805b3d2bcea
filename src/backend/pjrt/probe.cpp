#include "backend/pjrt/probe.h"

#include "ddx/core/error.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <poll.h>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ddx::backend::pjrt {
namespace {

using Clock = std::chrono::steady_clock;

// Of what the child prints, this much of the end goes into the message.
constexpr std::size_t most_words = 600;

/// A way from the child to this process.
class Pipe {
 public:
  Pipe() { is_open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close(0);
    close(1);
  }

  [[nodiscard]] bool is_open() const noexcept { return is_open_; }
  [[nodiscard]] int reader() const noexcept { return ends_[0]; }
  [[nodiscard]] int writer() const noexcept { return ends_[1]; }
  void close_writer() noexcept { close(1); }

 private:
  void close(std::size_t end) noexcept {
    if (is_open_ && ends_[end] >= 0) {
      ::close(std::exchange(ends_[end], -1));
    }
  }

  std::array<int, 2> ends_{-1, -1};
  bool is_open_ = false;
};

/// What the child does; it never returns.
[[noreturn]] void be_child(int result, int output, const std::function<void()>& work) {
  // A crash is to end the child, not to start what the program does about crashes of its own.
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGTRAP}) {
    ::signal(signal, SIG_DFL);
  }
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  try {
    work();
  } catch (...) {  // To be met again, and reported, by the process itself.
  }
  const char done = 1;
  (void)!::write(result, &done, 1);
  ::_exit(0);
}

/// What has come of the child.
struct Outcome {
  bool is_done = false;
  bool is_late = false;
  std::string words;
};

/// Follows the child until it is done, dead or late.
Outcome follow(const Pipe& result, const Pipe& output, Clock::time_point end) {
  Outcome outcome;
  std::array<pollfd, 2> waiting{{{.fd = result.reader(), .events = POLLIN, .revents = 0},
                                 {.fd = output.reader(), .events = POLLIN, .revents = 0}}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) {
      outcome.is_late = true;
      return outcome;
    }
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(left)) < 0 && errno != EINTR) {
      return outcome;
    }
    if (waiting[1].revents != 0) {
      std::array<char, 4096> bytes{};
      const ssize_t taken = ::read(output.reader(), bytes.data(), bytes.size());
      if (taken > 0) {
        outcome.words.append(bytes.data(), static_cast<std::size_t>(taken));
        if (outcome.words.size() > most_words) {
          outcome.words.erase(0, outcome.words.size() - most_words);
        }
      } else if (taken == 0) {
        waiting[1].fd = -1;
      }
    }
    if (waiting[0].revents != 0) {
      char done = 0;
      if (::read(result.reader(), &done, 1) == 1) {
        outcome.is_done = true;
        return outcome;
      }
      waiting[0].fd = -1;  // Dead; what it has printed may still be on its way.
    }
    for (pollfd& one : waiting) {
      one.revents = 0;
    }
  }
  return outcome;
}

/// How the child has ended, for people.
std::string ending_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {  // Another part of the program has waited for it.
      return "ends the process";
    }
  }
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return "dies of signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  }
  return "ends the process with status " + std::to_string(WEXITSTATUS(status));
}

/// The last words on one line.
std::string quoted(const std::string& words) {
  std::string line;
  for (const char c : words) {
    const bool is_blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!is_blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '.')) {
    line.pop_back();
  }
  return line.empty() ? "; it has printed nothing" : "; it has printed: " + line;
}

}  // namespace

void try_in_child(const std::string& operation, const std::string& what,
                  std::chrono::milliseconds time_limit, const std::function<void()>& work) {
  Pipe result;
  Pipe output;
  const pid_t child = result.is_open() && output.is_open() ? ::fork() : -1;
  if (child < 0) {
    throw EnvironmentError(operation, what + " cannot be tried in a child process: " +
                                          std::generic_category().message(errno));
  }
  if (child == 0) {
    be_child(result.writer(), output.writer(), work);
  }
  result.close_writer();
  output.close_writer();
  const Outcome outcome = follow(result, output, Clock::now() + time_limit);
  if (outcome.is_late) {
    ::kill(child, SIGKILL);
  }
  const std::string ending = ending_of(child);
  if (outcome.is_late) {
    throw EnvironmentError(operation, what + " has not come back after " +
                                          std::to_string(time_limit.count()) + " ms" +
                                          quoted(outcome.words));
  }
  if (!outcome.is_done) {
    throw EnvironmentError(operation, what + " " + ending + quoted(outcome.words));
  }
}

}  // namespace ddx::backend::pjrt

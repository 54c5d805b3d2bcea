#include "distributed/mpi/transport.h"

#include "ddx/core/error.h"

#include "distributed/mpi/abi.h"
#include "distributed/mpi/library.h"
#include "distributed/process_state.h"
#include "distributed/transport.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace ddx::distributed::mpi {
namespace {

using Clock = std::chrono::steady_clock;

/// Counts are of type int; a longer message is sent in pieces.
constexpr std::size_t largest_piece = std::size_t{1} << 30;

constexpr int data_tag = 1;
constexpr int note_tag = 2;

/// A replica that gives up has this long to send its reason.
constexpr std::chrono::milliseconds note_time(500);

/// A reason, as it is sent.
using Note = std::array<char, 1024>;

/// One message in flight.
struct Pending {
  std::int64_t other;
  Request request;
};

/// Waits between polls. Open MPI moves the pieces of a large message (32 KiB each between processes
/// of one machine) only while it is polled, so the first polls just yield. A long wait is for a
/// replica that computes, so later polls sleep.
class Patience {
 public:
  void wait() {
    const auto waited = Clock::now() - begin_;
    if (waited < std::chrono::milliseconds(100)) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

 private:
  Clock::time_point begin_ = Clock::now();
};

class MpiTransport final : public Transport {
 public:
  MpiTransport(const Functions& mpi, bool owns_mpi) : mpi_(mpi), owns_mpi_(owns_mpi) {
    check(mpi_.Comm_dup(mpi_.world, &group_), "MPI_Comm_dup");
    check(mpi_.Comm_set_errhandler(group_, mpi_.errors_return), "MPI_Comm_set_errhandler");
    int rank = 0;
    int size = 0;
    check(mpi_.Comm_rank(group_, &rank), "MPI_Comm_rank");
    check(mpi_.Comm_size(group_, &size), "MPI_Comm_size");
    rank_ = rank;
    processes_.resize(static_cast<std::size_t>(size));
  }

  /// Receives the identities of the other processes.
  void introduce(std::chrono::milliseconds timeout) {
    processes_[static_cast<std::size_t>(rank_)] = this_process();
    const auto bytes_of = [](auto& identity) {
      return std::as_writable_bytes(std::span(&identity, 1));
    };
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
    for (std::int64_t other = 0; other < size(); ++other) {
      if (other != rank_) {
        outgoing.push_back({other, bytes_of(processes_[static_cast<std::size_t>(rank_)])});
        incoming.push_back({other, bytes_of(processes_[static_cast<std::size_t>(other)])});
      }
    }
    exchange(outgoing, incoming, timeout);
    knows_others_ = true;
  }

  [[nodiscard]] std::int64_t rank() const noexcept override { return rank_; }
  [[nodiscard]] std::int64_t size() const noexcept override {
    return static_cast<std::int64_t>(processes_.size());
  }

  void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming,
                std::chrono::milliseconds timeout) override {
    std::vector<Pending> pending;
    for (const auto& [from, bytes] : incoming) {
      for (std::size_t done = 0; done < bytes.size(); done += largest_piece) {
        Request request = nullptr;
        check_message(from, mpi_.Irecv(bytes.data() + done, piece(bytes.size() - done), mpi_.byte,
                                       static_cast<int>(from), data_tag, group_, &request));
        pending.push_back({from, request});
      }
    }
    for (const auto& [to, bytes] : outgoing) {
      for (std::size_t done = 0; done < bytes.size(); done += largest_piece) {
        Request request = nullptr;
        check_message(to, mpi_.Isend(bytes.data() + done, piece(bytes.size() - done), mpi_.byte,
                                     static_cast<int>(to), data_tag, group_, &request));
        pending.push_back({to, request});
      }
    }
    await(pending, timeout);
  }

  void give_up(const std::string& text) noexcept override {
    note_.fill('\0');
    std::copy_n(text.begin(), std::min(text.size(), note_.size() - 1), note_.begin());
    std::vector<Request> requests;
    for (std::int64_t other = 0; other < size(); ++other) {
      Request request = nullptr;
      if (other != rank_ && !has_ended(other) &&
          mpi_.Isend(note_.data(), static_cast<int>(note_.size()), mpi_.byte,
                     static_cast<int>(other), note_tag, group_, &request) == success) {
        requests.push_back(request);
      }
    }
    const auto end = Clock::now() + note_time;
    while (!requests.empty() && Clock::now() < end) {
      std::erase_if(requests, [this](Request& request) {
        int done = 0;
        return mpi_.Test(&request, &done, nullptr) != success || done != 0;
      });
      std::this_thread::yield();
    }
  }

  void close(bool orderly) noexcept override {
    // Finalize waits for all processes: after a failure the launcher cleans up.
    int is_finalized = 0;
    if (orderly && owns_mpi_ && mpi_.Finalized(&is_finalized) == success && is_finalized == 0) {
      mpi_.Finalize();
    }
  }

 private:
  static int piece(std::size_t rest) noexcept {
    return static_cast<int>(std::min(rest, largest_piece));
  }

  [[nodiscard]] std::string text_of_error(int code) const {
    std::array<char, max_error_string + 1> text{};
    int length = 0;
    return mpi_.Error_string(code, text.data(), &length) == success ? text.data()
                                                                    : std::to_string(code);
  }

  void check(int code, const char* function) const {
    if (code != success) {
      throw EnvironmentError("join_group",
                             std::string(function) + " failed: " + text_of_error(code));
    }
  }
  void check_message(std::int64_t other, int code) const {
    if (code != success) {
      throw TransportFailure("no message to or from " + name_of(other) + ": " +
                             text_of_error(code));
    }
  }

  void await(std::vector<Pending>& pending, std::chrono::milliseconds timeout) {
    const auto begin = Clock::now();
    auto next_look = begin + std::chrono::milliseconds(5);
    Patience patience;
    while (true) {
      std::erase_if(pending, [this](Pending& message) {
        int done = 0;
        check_message(message.other, mpi_.Test(&message.request, &done, nullptr));
        return done != 0;
      });
      if (pending.empty()) {
        return;
      }
      const auto now = Clock::now();
      if (now >= next_look) {
        look_for_failures();
        if (now - begin >= timeout) {
          fail_late(pending, timeout);
        }
        next_look = now + std::chrono::milliseconds(20);
      }
      patience.wait();
    }
  }

  /// Throws: TransportFailure if a replica has given up or ended.
  void look_for_failures() {
    // The reason of a replica that has given up is better than the fact that it has ended.
    int is_there = 0;
    Status status{};
    if (mpi_.Iprobe(any_source, note_tag, group_, &is_there, &status) == success && is_there != 0) {
      Note note{};
      if (mpi_.Recv(note.data(), static_cast<int>(note.size()), mpi_.byte, status.source, note_tag,
                    group_, nullptr) == success) {
        throw TransportFailure(note.data());
      }
    }
    std::string ended;
    for (std::int64_t other = 0; other < size(); ++other) {
      if (other != rank_ && has_ended(other)) {
        ended += (ended.empty() ? "" : ", ") + name_of(other);
      }
    }
    if (!ended.empty()) {
      throw TransportFailure(ended + " has ended");
    }
  }

  [[noreturn]] void fail_late(const std::vector<Pending>& pending,
                              std::chrono::milliseconds timeout) const {
    std::vector<std::int64_t> late;
    for (const auto& message : pending) {
      late.push_back(message.other);
    }
    std::ranges::sort(late);
    late.erase(std::ranges::unique(late).begin(), late.end());
    std::string text;
    for (const auto other : late) {
      text += (text.empty() ? "" : ", ") + name_of(other);
      if (is_near(other) &&
          state_of(processes_[static_cast<std::size_t>(other)]) == ProcessState::Stopped) {
        text += ", which is stopped,";
      }
    }
    throw TransportFailure(text + " has not answered for " + text_of(timeout));
  }

  [[nodiscard]] std::string name_of(std::int64_t other) const {
    return "rank " + std::to_string(other) +
           (knows_others_ ? " (" + to_string(processes_[static_cast<std::size_t>(other)]) + ")"
                          : std::string());
  }

  /// Whether it is a process of this machine, whose state this one can read.
  [[nodiscard]] bool is_near(std::int64_t other) const noexcept {
    return knows_others_ && processes_[static_cast<std::size_t>(other)].machine ==
                                processes_[static_cast<std::size_t>(rank_)].machine;
  }
  [[nodiscard]] bool has_ended(std::int64_t other) const noexcept {
    try {
      return is_near(other) &&
             state_of(processes_[static_cast<std::size_t>(other)]) == ProcessState::Ended;
    } catch (...) {
      return false;  // No memory for the query: the state is unknown.
    }
  }

  Functions mpi_;
  bool owns_mpi_;
  Communicator group_ = nullptr;
  std::int64_t rank_ = 0;
  std::vector<ProcessIdentity> processes_;
  bool knows_others_ = false;
  Note note_{};  // Sends may still read it when give_up returns.
};

}  // namespace

std::unique_ptr<Transport> join(const std::filesystem::path& library,
                                std::chrono::milliseconds timeout) {
  const Functions mpi = load(library);
  int is_begun = 0;
  int is_over = 0;
  int level = 0;
  const auto check = [](int code, const char* function) {
    if (code != success) {
      throw EnvironmentError("join_group",
                             std::string(function) + " failed with code " + std::to_string(code));
    }
  };
  check(mpi.Finalized(&is_over), "MPI_Finalized");
  if (is_over != 0) {
    throw EnvironmentError("join_group", "MPI has ended in this process and cannot begin again");
  }
  check(mpi.Initialized(&is_begun), "MPI_Initialized");
  if (is_begun != 0) {
    check(mpi.Query_thread(&level), "MPI_Query_thread");
  } else {
    check(mpi.Init_thread(nullptr, nullptr, serialized, &level), "MPI_Init_thread");
  }
  if (level < serialized) {
    throw EnvironmentError("join_group",
                           "MPI was begun for one thread alone; MPI_Init_thread with "
                           "MPI_THREAD_SERIALIZED or above is needed");
  }
  auto transport = std::make_unique<MpiTransport>(mpi, is_begun == 0);
  try {
    transport->introduce(timeout);
  } catch (const TransportFailure& what) {
    throw EnvironmentError("join_group", what.what());
  }
  return transport;
}

}  // namespace ddx::distributed::mpi

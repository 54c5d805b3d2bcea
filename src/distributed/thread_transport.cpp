#include "distributed/thread_transport.h"

#include "distributed/transport.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::distributed {
namespace {

using Message = std::vector<std::byte>;

/// The state that all ends share.
struct Post {
  explicit Post(std::size_t replicas)
      : count(replicas), boxes(replicas * replicas), given_up(replicas), left(replicas) {}

  std::size_t count;
  std::mutex lock;
  std::condition_variable changed;
  std::vector<std::deque<Message>> boxes;  // That of messages from a to b: a * count + b.
  std::vector<std::optional<std::string>> given_up;
  std::vector<bool> left;
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(std::shared_ptr<Post> post, std::size_t me) : post_(std::move(post)), me_(me) {}

  [[nodiscard]] std::int64_t rank() const noexcept override {
    return static_cast<std::int64_t>(me_);
  }
  [[nodiscard]] std::int64_t size() const noexcept override {
    return static_cast<std::int64_t>(post_->count);
  }

  void exchange(std::span<const Outgoing> outgoing, std::span<const Incoming> incoming,
                std::chrono::milliseconds timeout) override {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    {
      const std::lock_guard guard(post_->lock);
      for (const auto& [to, bytes] : outgoing) {
        post_->boxes[me_ * post_->count + static_cast<std::size_t>(to)].emplace_back(bytes.begin(),
                                                                                     bytes.end());
      }
    }
    post_->changed.notify_all();
    for (const auto& [from, bytes] : incoming) {
      const Message message = take(static_cast<std::size_t>(from), deadline, timeout);
      std::copy_n(message.begin(), std::min(message.size(), bytes.size()), bytes.begin());
    }
  }

  void give_up(const std::string& text) noexcept override {
    const std::lock_guard guard(post_->lock);
    post_->given_up[me_] = text;
    post_->changed.notify_all();
  }

  void close(bool /*orderly*/) noexcept override {
    const std::lock_guard guard(post_->lock);
    post_->left[me_] = true;
    post_->changed.notify_all();
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  Message take(std::size_t from, Time deadline, std::chrono::milliseconds timeout) {
    std::unique_lock guard(post_->lock);
    auto& box = post_->boxes[from * post_->count + me_];
    const bool in_time = post_->changed.wait_until(guard, deadline, [&] {
      return !box.empty() || post_->left[from] || who_gave_up().has_value();
    });
    if (!box.empty()) {
      Message message = std::move(box.front());
      box.pop_front();
      return message;
    }
    if (const auto who = who_gave_up()) {
      throw TransportFailure(*post_->given_up[*who]);
    }
    throw TransportFailure(
        "rank " + std::to_string(from) +
        (in_time ? " has left the group" : " has not answered for " + text_of(timeout)));
  }

  [[nodiscard]] std::optional<std::size_t> who_gave_up() const {
    for (std::size_t rank = 0; rank < post_->count; ++rank) {
      if (rank != me_ && post_->given_up[rank]) {
        return rank;
      }
    }
    return std::nullopt;
  }

  std::shared_ptr<Post> post_;
  std::size_t me_;
};

}  // namespace

std::vector<std::unique_ptr<Transport>> thread_transports(std::int64_t count) {
  const auto post = std::make_shared<Post>(static_cast<std::size_t>(count));
  std::vector<std::unique_ptr<Transport>> ends;
  for (std::size_t rank = 0; rank < post->count; ++rank) {
    ends.push_back(std::make_unique<ThreadTransport>(post, rank));
  }
  return ends;
}

}  // namespace ddx::distributed

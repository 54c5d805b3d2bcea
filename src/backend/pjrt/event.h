/// \file
/// Work of a plugin that is under way.

#pragma once

#include "backend/pjrt/c_api.h"
#include "backend/pjrt/status.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace ddx::backend::pjrt {

class Client;

/// Becomes ready when the work is done or has failed. May be asked from any thread.
class Event {
 public:
  Event() = default;  ///< Of work that is done.

  /// Owns `raw`.
  Event(std::shared_ptr<const Client> client, RawEvent* raw) noexcept
      : client_(std::move(client)), raw_(raw) {}
  Event(Event&& other) noexcept
      : client_(std::move(other.client_)), raw_(std::exchange(other.raw_, nullptr)) {}
  Event& operator=(Event other) noexcept {
    std::swap(client_, other.client_);
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Event();

  [[nodiscard]] bool is_ready() const;

  /// Returns when the work is done, with what it has failed with.
  [[nodiscard]] Status wait() const;

  /// Returns when the work is done.
  ///
  /// Throws:  EnvironmentError "operation: the plugin's message (CODE)".
  void await(const std::string& operation) const;

  /// Calls `then` when the work is done, on a thread of the plugin or at once. The event need not
  /// live until then. `then` must not throw, and must not hold the last owner of a client.
  void on_ready(std::function<void(const Status&)> then) const;

 private:
  std::shared_ptr<const Client> client_;
  RawEvent* raw_ = nullptr;
};

}  // namespace ddx::backend::pjrt

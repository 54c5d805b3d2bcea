#include "backend/pjrt/event.h"

#include "backend/pjrt/api.h"
#include "backend/pjrt/client.h"
#include "backend/pjrt/plugin.h"
#include "backend/pjrt/status.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace ddx::backend::pjrt {
namespace {

/// What a plugin gives back when it calls. It holds the plugin, not the client: what waits for a
/// client to end may be the thread that this is called on.
struct Call {
  std::shared_ptr<const Plugin> plugin;
  std::function<void(const Status&)> then;
};

void call_back(RawError* error, void* argument) noexcept {
  const std::unique_ptr<Call> call(static_cast<Call*>(argument));
  Status status{ErrorCode::ResourceExhausted, "no memory for the message"};
  try {
    status = call->plugin->api().take(error);
  } catch (...) {  // The error is destroyed; it has a message of its own.
  }
  call->then(status);
}

}  // namespace

Event::~Event() {
  if (raw_ != nullptr) {
    EventDestroyArgs destroy{.head = {}, .event = raw_};
    client_->api().call_to_destroy(destroy);
  }
}

bool Event::is_ready() const {
  if (raw_ == nullptr) {
    return true;
  }
  EventIsReadyArgs args{.head = {}, .event = raw_};
  client_->api().call("ask a PJRT event", args);
  return args.is_ready;
}

Status Event::wait() const {
  if (raw_ == nullptr) {
    return {};
  }
  EventAwaitArgs args{.head = {}, .event = raw_};
  return client_->api().try_call(args);
}

void Event::await(const std::string& operation) const {
  Api::throw_unless_ok(operation, wait());
}

void Event::on_ready(std::function<void(const Status&)> then) const {
  if (raw_ == nullptr) {
    then(Status{});
    return;
  }
  auto call = std::make_unique<Call>(Call{client_->plugin(), std::move(then)});
  EventOnReadyArgs args{.head = {}, .event = raw_, .callback = &call_back, .argument = call.get()};
  client_->api().call("wait for a PJRT event", args);
  (void)call.release();  // Now the plugin's, until it calls.
}

}  // namespace ddx::backend::pjrt

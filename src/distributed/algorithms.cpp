#include "distributed/algorithms.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/tensor/detail/array.h"

#include "distributed/header.h"
#include "distributed/reduce.h"
#include "distributed/transport.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::distributed {
namespace {

using ddx::detail::Array;
using detail::CollectiveKind;

/// One operation in progress: the headers of all replicas, and where their bytes go. It owns every
/// byte that a message may still access after a failure.
class Performance {
 public:
  Performance(Transport& transport, const detail::CollectiveCall& call, std::uint64_t number,
              const Array& operand, std::chrono::milliseconds timeout)
      : transport_(transport),
        call_(call),
        timeout_(timeout),
        operand_(operand),
        me_(static_cast<std::size_t>(transport.rank())),
        size_(static_cast<std::size_t>(transport.size())),
        width_(info(operand.dtype()).bytes),
        elements_(static_cast<const std::byte*>(operand_.data())),
        headers_(size_),
        result_(operand) {
    headers_[me_] = header_of(call, number, operand);
    const std::size_t bytes = bytes_of(headers_[me_]);
    const bool sends = call.kind != CollectiveKind::Broadcast || call.root == transport.rank();
    headers_[me_].inlined = sends && bytes <= inline_limit ? bytes : 0;
  }

  Array run() {
    greet();
    switch (call_.kind) {
      case CollectiveKind::AllReduce:
        all_reduce();
        break;
      case CollectiveKind::AllGather:
        all_gather();
        break;
      case CollectiveKind::ReduceScatter:
        reduce_scatter();
        break;
      case CollectiveKind::Broadcast:
        broadcast();
        break;
      case CollectiveKind::AllToAll:
        all_to_all();
        break;
      case CollectiveKind::Barrier:
      case CollectiveKind::Leave:
        break;
    }
    return std::move(result_);
  }

 private:
  using Message = std::array<std::byte, sizeof(Header) + inline_limit>;

  [[nodiscard]] std::size_t bytes_of(const Header& header) const {
    return static_cast<std::size_t>(header.shape().count()) * width_;
  }

  /// Where the part of a replica starts if the elements are divided evenly, in bytes.
  [[nodiscard]] std::size_t begin_of(std::size_t rank) const {
    return static_cast<std::size_t>(operand_.shape().count()) * rank / size_ * width_;
  }
  [[nodiscard]] std::size_t length_of(std::size_t rank) const {
    return begin_of(rank + 1) - begin_of(rank);
  }

  template <class Body>
  void for_others(const Body& body) const {
    for (std::size_t other = 0; other < size_; ++other) {
      if (other != me_) {
        body(other);
      }
    }
  }

  void send(std::size_t to, const std::byte* bytes, std::size_t count) {
    if (count != 0) {
      outgoing_.push_back({static_cast<std::int64_t>(to), {bytes, count}});
    }
  }
  void receive(std::size_t from, std::byte* bytes, std::size_t count) {
    if (count != 0) {
      incoming_.push_back({static_cast<std::int64_t>(from), {bytes, count}});
    }
  }
  void exchange() {
    transport_.exchange(outgoing_, incoming_, timeout_);
    outgoing_.clear();
    incoming_.clear();
  }

  /// Receives the headers of the others, and their operands if these are small.
  void greet() {
    messages_.resize(size_);
    auto& mine = messages_[me_];
    std::memcpy(mine.data(), &headers_[me_], sizeof(Header));
    if (headers_[me_].inlined != 0) {
      std::memcpy(mine.data() + sizeof(Header), elements_, headers_[me_].inlined);
    }
    for_others([&](std::size_t other) {
      send(other, mine.data(), sizeof(Header) + headers_[me_].inlined);
      receive(other, messages_[other].data(), messages_[other].size());
    });
    exchange();
    for_others([&](std::size_t other) {
      std::memcpy(&headers_[other], messages_[other].data(), sizeof(Header));
    });
    check_agreement();
  }

  void check_agreement() const {
    for_others([&](std::size_t other) {
      if (!agree(headers_[me_], headers_[other])) {
        const auto& ours = headers_[me_];
        const auto& theirs = headers_[other];
        throw Disagreement("replicas differ: rank " + std::to_string(me_) + " asks for " +
                           to_string(ours) + " as operation " + std::to_string(ours.number) +
                           " of the group, rank " + std::to_string(other) + " for " +
                           to_string(theirs) + " as operation " + std::to_string(theirs.number));
      }
    });
  }

  [[nodiscard]] bool is_inlined() const { return headers_[me_].inlined == bytes_of(headers_[me_]); }

  /// The operand of a replica that came with its header.
  [[nodiscard]] const std::byte* inlined(std::size_t rank) const {
    return rank == me_ ? elements_ : messages_[rank].data() + sizeof(Header);
  }

  /// Allocates the result.
  std::byte* new_result(const Shape& shape) {
    result_ = Array(shape, operand_.dtype(), Device::cpu());
    return static_cast<std::byte*>(result_.mutable_data());
  }

  void reduce_into(std::byte* into, std::span<const std::byte* const> parts, std::size_t length) {
    std::vector<Contribution> contributions;
    for (std::size_t rank = 0; rank < size_; ++rank) {
      contributions.push_back({parts[rank], headers_[rank].weight});
    }
    reduce(operand_.dtype(), call_.reduction, contributions, length / width_, into);
  }

  /// Reduces the part of the operands that starts at `begin(rank)` on each rank, into `into`; sent
  /// by the others unless it came with the headers.
  template <class Begin, class Length>
  void reduce_parts(std::byte* into, const Begin& begin, const Length& length) {
    const std::size_t mine = length(me_);
    std::vector<const std::byte*> parts(size_);
    if (is_inlined()) {
      for (std::size_t rank = 0; rank < size_; ++rank) {
        parts[rank] = inlined(rank) + begin(me_);
      }
    } else {
      received_.resize(mine * size_);
      for_others([&](std::size_t other) {
        send(other, elements_ + begin(other), length(other));
        parts[other] = received_.data() + other * mine;
        receive(other, received_.data() + other * mine, mine);
      });
      parts[me_] = elements_ + begin(me_);
      exchange();
    }
    reduce_into(into, parts, mine);
  }

  /// Each replica has its part of `whole`; afterwards all have all of it.
  void share_parts(std::byte* whole) {
    for_others([&](std::size_t other) {
      send(other, whole + begin_of(me_), length_of(me_));
      receive(other, whole + begin_of(other), length_of(other));
    });
    exchange();
  }

  void all_reduce() {
    std::byte* const into = new_result(operand_.shape());
    if (is_inlined()) {
      std::vector<const std::byte*> parts(size_);
      for (std::size_t rank = 0; rank < size_; ++rank) {
        parts[rank] = inlined(rank);
      }
      reduce_into(into, parts, bytes_of(headers_[me_]));
      return;
    }
    reduce_parts(
        into + begin_of(me_), [this](std::size_t rank) { return begin_of(rank); },
        [this](std::size_t rank) { return length_of(rank); });
    share_parts(into);
  }

  /// The shape with another extent along the first axis.
  [[nodiscard]] Shape with_rows(std::int64_t rows) const {
    std::array<std::int64_t, Shape::max_rank> extents{};
    const auto own = operand_.shape().extents();
    std::copy(own.begin(), own.end(), extents.begin());
    extents[0] = rows;
    return Shape(std::span<const std::int64_t>(extents.data(), own.size()));
  }

  void reduce_scatter() {
    std::byte* const part = new_result(with_rows(operand_.shape()[0] / transport_.size()));
    const std::size_t length = bytes_of(headers_[me_]) / size_;
    reduce_parts(
        part, [length](std::size_t rank) { return rank * length; },
        [length](std::size_t) { return length; });
  }

  void all_gather() {
    std::int64_t rows = 0;
    for (const auto& header : headers_) {
      rows += header.extents[0];
    }
    std::byte* next = new_result(with_rows(rows));
    for (std::size_t rank = 0; rank < size_; ++rank) {
      const std::size_t length = bytes_of(headers_[rank]);
      if (rank == me_ || headers_[rank].inlined == length) {
        if (length != 0) {
          std::memcpy(next, inlined(rank), length);
        }
      } else {
        receive(rank, next, length);
      }
      next += length;
    }
    if (!is_inlined()) {
      for_others([&](std::size_t other) { send(other, elements_, bytes_of(headers_[me_])); });
    }
    exchange();
  }

  void broadcast() {
    const auto root = static_cast<std::size_t>(call_.root);
    if (root == me_ && is_inlined()) {
      return;
    }
    std::byte* const into = new_result(operand_.shape());
    const std::size_t length = bytes_of(headers_[root]);
    if (headers_[root].inlined == length) {
      if (length != 0) {
        std::memcpy(into, inlined(root), length);
      }
      return;
    }
    // The root sends each replica its part, and the replicas forward their parts: the root sends
    // the array twice, for any number of replicas.
    if (root == me_) {
      std::memcpy(into, elements_, length);
      for_others([&](std::size_t other) { send(other, into + begin_of(other), length_of(other)); });
    } else {
      receive(root, into + begin_of(me_), length_of(me_));
    }
    exchange();
    for_others([&](std::size_t other) {
      if (other != root) {
        send(other, into + begin_of(me_), length_of(me_));
      }
      if (root != me_) {
        receive(other, into + begin_of(other), length_of(other));
      }
    });
    exchange();
  }

  void all_to_all() {
    std::byte* const into = new_result(operand_.shape());
    const std::size_t length = bytes_of(headers_[me_]) / size_;
    for (std::size_t rank = 0; rank < size_; ++rank) {
      if (rank == me_ || is_inlined()) {
        if (length != 0) {
          std::memcpy(into + rank * length, inlined(rank) + me_ * length, length);
        }
      } else {
        send(rank, elements_ + rank * length, length);
        receive(rank, into + rank * length, length);
      }
    }
    exchange();
  }

  Transport& transport_;
  detail::CollectiveCall call_;
  std::chrono::milliseconds timeout_;
  Array operand_;
  std::size_t me_;
  std::size_t size_;
  std::size_t width_;
  const std::byte* elements_;
  std::vector<Header> headers_;
  std::vector<Message> messages_;
  std::vector<std::byte> received_;
  Array result_;
  std::vector<Outgoing> outgoing_;
  std::vector<Incoming> incoming_;
};

}  // namespace

Array perform(Transport& transport, const detail::CollectiveCall& call, std::uint64_t number,
              const Array& operand, std::chrono::milliseconds timeout,
              std::shared_ptr<const void>& unfinished) {
  const auto performance = std::make_shared<Performance>(transport, call, number, operand, timeout);
  unfinished = performance;
  Array result = performance->run();
  unfinished.reset();
  return result;
}

}  // namespace ddx::distributed

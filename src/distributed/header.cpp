#include "distributed/header.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/distributed/detail/collective.h"
#include "ddx/distributed/reduction.h"
#include "ddx/tensor/detail/array.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

namespace ddx::distributed {

namespace detail {

const char* to_string(CollectiveKind kind) noexcept {
  switch (kind) {
    case CollectiveKind::AllReduce:
      return "all_reduce";
    case CollectiveKind::AllGather:
      return "all_gather";
    case CollectiveKind::ReduceScatter:
      return "reduce_scatter";
    case CollectiveKind::Broadcast:
      return "broadcast";
    case CollectiveKind::AllToAll:
      return "all_to_all";
    case CollectiveKind::Barrier:
      return "barrier";
    case CollectiveKind::Leave:
      return "leave";
  }
  return "";
}

}  // namespace detail

static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) == 104);

namespace {

bool reduces(detail::CollectiveKind kind) noexcept {
  return kind == detail::CollectiveKind::AllReduce || kind == detail::CollectiveKind::ReduceScatter;
}

}  // namespace

Header header_of(const detail::CollectiveCall& call, std::uint64_t number,
                 const ddx::detail::Array& operand) noexcept {
  Header header{.number = number,
                .weight = call.weight,
                .root = call.root,
                .rank = static_cast<std::uint8_t>(operand.shape().rank()),
                .kind = call.kind,
                .reduction = call.reduction,
                .dtype = operand.dtype()};
  std::ranges::copy(operand.shape().extents(), header.extents.begin());
  return header;
}

std::string to_string(const Header& header) {
  switch (header.kind) {
    case detail::CollectiveKind::Barrier:
      return "a barrier";
    case detail::CollectiveKind::Leave:
      return "its end";
    case detail::CollectiveKind::AllReduce:
    case detail::CollectiveKind::AllGather:
    case detail::CollectiveKind::ReduceScatter:
    case detail::CollectiveKind::Broadcast:
    case detail::CollectiveKind::AllToAll:
      break;
  }
  std::string text = detail::to_string(header.kind);
  if (reduces(header.kind)) {
    text += " (" + std::string(to_string(header.reduction)) + ")";
  }
  if (header.kind == detail::CollectiveKind::Broadcast) {
    text += " from rank " + std::to_string(header.root);
  }
  return text + " of " + std::string(to_string(header.dtype)) + " " + to_string(header.shape());
}

bool agree(const Header& a, const Header& b) noexcept {
  if (a.kind != b.kind || a.number != b.number) {
    return false;
  }
  if (a.kind == detail::CollectiveKind::Barrier || a.kind == detail::CollectiveKind::Leave) {
    return true;
  }
  // Gathered parts may differ along the axis along which they are concatenated.
  const std::ptrdiff_t first = a.kind == detail::CollectiveKind::AllGather ? 1 : 0;
  return a.rank == b.rank && a.dtype == b.dtype && a.root == b.root &&
         (!reduces(a.kind) || a.reduction == b.reduction) &&
         std::equal(a.extents.begin() + first, a.extents.end(), b.extents.begin() + first);
}

}  // namespace ddx::distributed

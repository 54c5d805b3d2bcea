#include "ddx/train/broadcast_training.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/distributed/all_gather.h"
#include "ddx/distributed/broadcast.h"
#include "ddx/distributed/process_group.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train::detail {
namespace {

using Arrays = std::vector<std::pair<std::string, io::StoredTensor>>;

/// Everything but the elements, a line for each array.
std::string forms_of(const Arrays& arrays) {
  std::string text;
  for (const auto& [name, array] : arrays) {
    text += name + ": " + std::string(to_string(array.dtype)) + " " + to_string(array.shape) + "\n";
  }
  return text;
}

Tensor<std::uint8_t> bytes_in(const std::string& text) {
  return Tensor<std::uint8_t>(
      Shape{static_cast<std::int64_t>(text.size())},
      std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

/// The first line in which two texts differ, of each.
std::pair<std::string, std::string> first_difference(const std::string& a, const std::string& b) {
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  const auto line = [](const std::string& text, std::ptrdiff_t place) {
    const auto at = static_cast<std::size_t>(place);
    const auto before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const auto found = text.substr(begin, text.find('\n', begin) - begin);
    return found.empty() ? std::string("nothing more") : found;
  };
  return {line(a, in_a - a.begin()), line(b, in_b - b.begin())};
}

/// Throws: UsageError where a replica has other arrays than replica 0; every replica throws.
void check_forms(const Arrays& arrays, const distributed::ProcessGroup& group) {
  const std::string mine = forms_of(arrays);
  const auto sizes = distributed::all_gather(
      Tensor<std::int64_t>(Shape{1}, {static_cast<std::int64_t>(mine.size())}), group);
  const auto texts = distributed::all_gather(bytes_in(mine), group);
  const auto all = texts.elements();
  std::string first;
  std::size_t begin = 0;
  for (std::int64_t rank = 0; rank < group.size(); ++rank) {
    const auto size = static_cast<std::size_t>(sizes.elements()[static_cast<std::size_t>(rank)]);
    const std::string text(all.begin() + static_cast<std::ptrdiff_t>(begin),
                           all.begin() + static_cast<std::ptrdiff_t>(begin + size));
    begin += size;
    if (rank == 0) {
      first = text;
    } else if (text != first) {
      const auto [ours, theirs] = first_difference(first, text);
      throw UsageError("broadcast_training", "replicas train different things: rank 0 has " + ours +
                                                 ", rank " + std::to_string(rank) + " has " +
                                                 theirs);
    }
  }
}

}  // namespace

void broadcast_stored(Arrays& arrays, const distributed::ProcessGroup& group, std::int64_t root) {
  check_forms(arrays, group);
  std::size_t total = 0;
  for (const auto& [name, array] : arrays) {
    total += array.bytes.size();
  }
  Tensor<std::uint8_t> packed(Shape{static_cast<std::int64_t>(total)},
                              std::vector<std::uint8_t>(total));
  auto next = packed.mutable_elements().begin();
  for (const auto& [name, array] : arrays) {
    next = std::ranges::copy(array.bytes, next).out;
  }
  const auto shared = distributed::broadcast(packed, group, root);
  const auto* from = shared.elements().data();
  for (auto& [name, array] : arrays) {
    if (!array.bytes.empty()) {
      std::memcpy(array.bytes.data(), from, array.bytes.size());
      from += array.bytes.size();
    }
  }
}

}  // namespace ddx::train::detail

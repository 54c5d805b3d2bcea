#include "io/detail/torch/torch_archive.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/mapped_file.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"
#include "ddx/io/torch_file.h"

#include "io/detail/content_limit.h"
#include "io/detail/refusal.h"
#include "io/detail/stored_shape.h"
#include "io/detail/torch/content_budget.h"
#include "io/detail/torch/pickle_reader.h"
#include "io/detail/torch/strided_copy.h"
#include "io/detail/torch/torch_names.h"
#include "io/detail/torch/torch_tensors.h"
#include "io/detail/zip_archive.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::io::detail {
namespace {

constexpr auto torch_operation = "read_torch";
constexpr auto converts_it = "; torch.load and torch.save of PyTorch 1.6 or later convert it";

}  // namespace

TorchArchive::TorchArchive(const std::filesystem::path& file, const TorchReadOptions& options)
    : file_(file.string()),
      mapping_(file, torch_operation),
      budget_(content_limit(options.max_bytes, mapping_.bytes().size()), mapping_.bytes().size(),
              "TorchReadOptions::max_bytes", refusal("")),
      archive_(checked_bytes(), refusal("")) {
  list_members();
  check_byte_order();
  pickle_ = archive_.read(member("data.pkl"), refusal("data.pkl: "));
  values_ = read_pickle(pickle_, is_torch_global, budget_, refusal("data.pkl: "));
  tensors_ = torch_tensors(values_, budget_, refusal(""));
  // By their storages, of which one at a time is in memory.
  std::sort(tensors_.begin(), tensors_.end(), [](const auto& a, const auto& b) {
    return std::tie(a.storage, a.name) < std::tie(b.storage, b.name);
  });
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const TorchTensor& tensor = tensors_[i];
    const bool is_readable = tensor.obstacle.empty();
    numbers_[tensor.name] = i;
    views_[tensor.name] = {.dtype = is_readable ? tensor.dtype : DType::f32,
                           .shape = is_readable ? tensor.shape : Shape(),
                           .bytes = {},
                           .obstacle = obstacle(tensor)};
  }
}

StoredTensors TorchArchive::read_all() const {
  StoredTensors arrays;
  for (auto begin = tensors_.begin(); begin != tensors_.end();) {
    const auto end = std::find_if(begin, tensors_.end(), [&](const auto& tensor) {
      return tensor.storage != begin->storage;
    });
    add(std::span<const TorchTensor>(begin, end), arrays);
    begin = end;
  }
  return arrays;
}

void TorchArchive::fail(const std::string& facts) const {
  throw EnvironmentError(torch_operation, file_ + ": " + facts);
}

Refusal TorchArchive::refusal(const std::string& what) const {
  return [file = file_, what](const std::string& facts) {
    throw EnvironmentError(torch_operation, file + ": " + what + facts);
  };
}

/// The bytes of the file. Refuses older formats, which are no archives.
std::span<const std::uint8_t> TorchArchive::checked_bytes() const {
  const auto bytes = mapping_.bytes();
  constexpr std::uint8_t first_of_pickles = 0x80;
  if (!bytes.empty() && bytes[0] == first_of_pickles) {
    fail(std::string("is in the format of PyTorch before 1.6, which is not supported") +
         converts_it);
  }
  constexpr std::string_view tar = "ustar";
  constexpr std::size_t place_of_tar = 257;
  if (bytes.size() > place_of_tar + tar.size() &&
      std::equal(tar.begin(), tar.end(), bytes.begin() + place_of_tar)) {
    fail(std::string("is a tar archive, the first format of PyTorch, which is not supported") +
         converts_it);
  }
  return bytes;
}

/// All members lie in one folder, whose name may be any.
void TorchArchive::list_members() {
  for (std::size_t i = 0; i < archive_.members().size(); ++i) {
    const auto& name = archive_.members()[i].name;
    const auto slash = name.find('/');
    if (slash == std::string::npos ||
        name.substr(0, slash) != folder_.value_or(name.substr(0, slash))) {
      fail("member \"" + printable(name) + "\" is not in the folder of the others");
    }
    folder_ = name.substr(0, slash);
    const auto inside = name.substr(slash + 1);
    if (inside == "constants.pkl" || inside.starts_with("code/")) {
      fail("is a program of TorchScript, which is not supported");
    }
    if (!members_.emplace(inside, i).second) {
      fail("member \"" + printable(name) + "\" stands twice");
    }
  }
}

/// The number of a member, which must not be compressed: PyTorch's are not, and its size is then
/// bounded by that of the file.
std::size_t TorchArchive::member(const std::string& name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) {
    fail("has no " + printable(name) + ", so PyTorch did not write it");
  }
  if (!archive_.members()[found->second].is_stored) {
    fail(printable(name) + " is compressed, which PyTorch does not do");
  }
  if (archive_.members()[found->second].size > mapping_.bytes().size()) {
    fail(printable(name) + " is longer than the file");
  }
  return found->second;
}

void TorchArchive::check_byte_order() const {
  if (!members_.contains("byteorder")) {
    return;  // PyTorch before 2.1 wrote none.
  }
  const auto order = archive_.read(member("byteorder"), refusal("byteorder: "));
  const std::string text(order.begin(), order.end());
  if (text != "little") {
    fail("its byte order is \"" + printable(text) + "\", only \"little\" is supported");
  }
}

/// The tensors of one storage.
void TorchArchive::add(std::span<const TorchTensor> tensors, StoredTensors& arrays) const {
  std::vector<std::uint8_t> storage;
  bool is_read = false;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& tensor = tensors[i];
    if (!tensor.obstacle.empty()) {
      arrays[tensor.name].obstacle = obstacle(tensor);
      continue;
    }
    if (!is_read) {
      storage = read_storage(tensor);
      is_read = true;
    }
    const bool is_last = i + 1 == tensors.size();
    arrays[tensor.name] = array(tensor, storage, is_last);
  }
}

std::vector<std::uint8_t> TorchArchive::read_storage(const TorchTensor& tensor) const {
  const auto name = "data/" + std::string(tensor.storage);
  auto bytes = archive_.read(member(name), refusal(printable(name) + ": "));
  mapping_.drop(mapping_.bytes());  // Else the file would stay in memory beside the arrays.
  return bytes;
}

/// One tensor; takes the bytes of the storage where it is the last that needs them.
StoredTensor TorchArchive::array(const TorchTensor& tensor, std::vector<std::uint8_t>& storage,
                                 bool is_last) const {
  require_storage_size(tensor, storage.size());
  StoredTensor result{.dtype = tensor.dtype, .shape = tensor.shape, .bytes = {}};
  const auto size = std::size_t{info(tensor.dtype).bytes};
  const auto count = static_cast<std::size_t>(tensor.shape.count());
  if (is_last && tensor.offset == 0 && count * size == storage.size() &&
      is_dense(tensor.shape, tensor.strides)) {
    result.bytes = std::move(storage);
  } else if (count > 0) {
    const auto begin = static_cast<std::size_t>(tensor.offset) * size;
    result.bytes = strided_copy(std::span<const std::uint8_t>(storage).subspan(begin), tensor.shape,
                                tensor.strides, size);
  }
  check_truth_values(result, refusal("array \"" + printable(tensor.name) + "\": "));
  return result;
}

void TorchArchive::require_storage_size(const TorchTensor& tensor, std::size_t bytes) const {
  if (tensor.storage_bytes != bytes) {
    fail("array \"" + printable(tensor.name) + "\": its storage has " + std::to_string(bytes) +
         " bytes, not " + std::to_string(tensor.storage_bytes));
  }
}

std::string TorchArchive::obstacle(const TorchTensor& tensor) const {
  return tensor.obstacle.empty()
             ? std::string()
             : "array \"" + printable(tensor.name) + "\" of " + file_ + ": " + tensor.obstacle;
}

StoredView TorchArchive::view(const std::string& name) const {
  const std::size_t number = numbers_.at(name);
  const TorchTensor& tensor = tensors_[number];
  StoredView result = views_.at(name);
  if (!tensor.obstacle.empty()) {
    return result;
  }
  if (kept_.storage != tensor.storage) {
    kept_ = {};
    kept_.bytes = read_storage(tensor);
    kept_.storage = std::string(tensor.storage);
  }
  const std::size_t size = info(tensor.dtype).bytes;
  const std::size_t bytes = static_cast<std::size_t>(tensor.shape.count()) * size;
  require_storage_size(tensor, kept_.bytes.size());
  if (tensor.dtype != DType::boolean && is_dense(tensor.shape, tensor.strides)) {
    result.bytes =
        std::span<const std::uint8_t>(kept_.bytes)
            .subspan(bytes == 0 ? 0 : static_cast<std::size_t>(tensor.offset) * size, bytes);
    return result;
  }
  if (kept_.array != name) {
    kept_.elements = array(tensor, kept_.bytes, false);
    kept_.array = name;
  }
  return view_of(kept_.elements);
}

void TorchArchive::drop(const std::string& name) const {
  const std::scoped_lock lock(mutex_);
  const std::size_t number = numbers_.at(name);
  const auto storage = tensors_[number].storage;
  const bool is_shared = (number > 0 && tensors_[number - 1].storage == storage) ||
                         (number + 1 < tensors_.size() && tensors_[number + 1].storage == storage);
  if (!is_shared && kept_.storage == storage) {
    kept_ = {};
  }
}

}  // namespace ddx::io::detail

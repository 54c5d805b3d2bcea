#include "ddx/io/torch_file.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/mapped_file.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/content_limit.h"
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
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

constexpr auto torch_operation = "read_torch";
constexpr auto converts_it = "; torch.load and torch.save of PyTorch 1.6 or later convert it";

class TorchReader {
 public:
  TorchReader(const std::filesystem::path& file, const TorchReadOptions& options)
      : file_(file.string()),
        mapping_(file, torch_operation),
        budget_(detail::content_limit(options.max_bytes, mapping_.bytes().size()),
                mapping_.bytes().size(), "TorchReadOptions::max_bytes", refusal("")) {}

  StoredTensors read() {
    refuse_old_formats();
    const detail::ZipArchive archive(mapping_.bytes(), refusal(""));
    list_members(archive);
    check_byte_order(archive);
    const auto pickle = archive.read(member("data.pkl", archive), refusal("data.pkl: "));
    const auto values =
        detail::read_pickle(pickle, detail::is_torch_global, budget_, refusal("data.pkl: "));
    auto tensors = detail::torch_tensors(values, budget_, refusal(""));
    // By their storages, of which one at a time is in memory.
    std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) {
      return std::tie(a.storage, a.name) < std::tie(b.storage, b.name);
    });
    StoredTensors arrays;
    for (auto begin = tensors.begin(); begin != tensors.end();) {
      const auto end = std::find_if(begin, tensors.end(), [&](const auto& tensor) {
        return tensor.storage != begin->storage;
      });
      add(std::span<const detail::TorchTensor>(begin, end), archive, arrays);
      begin = end;
    }
    return arrays;
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError(torch_operation, file_ + ": " + facts);
  }

  [[nodiscard]] detail::Refusal refusal(const std::string& what) const {
    return [file = file_, what](const std::string& facts) {
      throw EnvironmentError(torch_operation, file + ": " + what + facts);
    };
  }

  void refuse_old_formats() const {
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
  }

  /// All members lie in one folder, whose name may be any.
  void list_members(const detail::ZipArchive& archive) {
    for (std::size_t i = 0; i < archive.members().size(); ++i) {
      const auto& name = archive.members()[i].name;
      const auto slash = name.find('/');
      if (slash == std::string::npos ||
          name.substr(0, slash) != folder_.value_or(name.substr(0, slash))) {
        fail("member \"" + detail::printable(name) + "\" is not in the folder of the others");
      }
      folder_ = name.substr(0, slash);
      const auto inside = name.substr(slash + 1);
      if (inside == "constants.pkl" || inside.starts_with("code/")) {
        fail("is a program of TorchScript, which is not supported");
      }
      if (!members_.emplace(inside, i).second) {
        fail("member \"" + detail::printable(name) + "\" stands twice");
      }
    }
  }

  /// The number of a member, which must not be compressed: PyTorch's are not, and its size is then
  /// bounded by that of the file.
  [[nodiscard]] std::size_t member(const std::string& name,
                                   const detail::ZipArchive& archive) const {
    const auto found = members_.find(name);
    if (found == members_.end()) {
      fail("has no " + detail::printable(name) + ", so PyTorch did not write it");
    }
    if (!archive.members()[found->second].is_stored) {
      fail(detail::printable(name) + " is compressed, which PyTorch does not do");
    }
    if (archive.members()[found->second].size > mapping_.bytes().size()) {
      fail(detail::printable(name) + " is longer than the file");
    }
    return found->second;
  }

  void check_byte_order(const detail::ZipArchive& archive) const {
    if (!members_.contains("byteorder")) {
      return;  // PyTorch before 2.1 wrote none.
    }
    const auto order = archive.read(member("byteorder", archive), refusal("byteorder: "));
    const std::string text(order.begin(), order.end());
    if (text != "little") {
      fail("its byte order is \"" + detail::printable(text) + "\", only \"little\" is supported");
    }
  }

  /// The tensors of one storage.
  void add(std::span<const detail::TorchTensor> tensors, const detail::ZipArchive& archive,
           StoredTensors& arrays) const {
    std::vector<std::uint8_t> storage;
    bool is_read = false;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const auto& tensor = tensors[i];
      if (!tensor.obstacle.empty()) {
        arrays[tensor.name].obstacle =
            "array \"" + detail::printable(tensor.name) + "\" of " + file_ + ": " + tensor.obstacle;
        continue;
      }
      if (!is_read) {
        storage = read_storage(tensor, archive);
        is_read = true;
      }
      if (tensor.storage_bytes != storage.size()) {
        fail("array \"" + detail::printable(tensor.name) + "\": its storage has " +
             std::to_string(storage.size()) + " bytes, not " +
             std::to_string(tensor.storage_bytes));
      }
      const bool is_last = i + 1 == tensors.size();
      arrays[tensor.name] = array(tensor, storage, is_last);
    }
  }

  [[nodiscard]] std::vector<std::uint8_t> read_storage(const detail::TorchTensor& tensor,
                                                       const detail::ZipArchive& archive) const {
    const auto name = "data/" + std::string(tensor.storage);
    auto bytes = archive.read(member(name, archive), refusal(detail::printable(name) + ": "));
    mapping_.drop(mapping_.bytes());  // Else the file would stay in memory beside the arrays.
    return bytes;
  }

  /// One tensor; takes the bytes of the storage where it is the last that needs them.
  [[nodiscard]] StoredTensor array(const detail::TorchTensor& tensor,
                                   std::vector<std::uint8_t>& storage, bool is_last) const {
    StoredTensor result{.dtype = tensor.dtype, .shape = tensor.shape, .bytes = {}};
    const auto size = std::size_t{info(tensor.dtype).bytes};
    const auto count = static_cast<std::size_t>(tensor.shape.count());
    if (is_last && tensor.offset == 0 && count * size == storage.size() &&
        detail::is_dense(tensor.shape, tensor.strides)) {
      result.bytes = std::move(storage);
    } else if (count > 0) {
      const auto begin = static_cast<std::size_t>(tensor.offset) * size;
      result.bytes = detail::strided_copy(std::span<const std::uint8_t>(storage).subspan(begin),
                                          tensor.shape, tensor.strides, size);
    }
    detail::check_truth_values(result,
                               refusal("array \"" + detail::printable(tensor.name) + "\": "));
    return result;
  }

  std::string file_;
  MappedFile mapping_;
  detail::ContentBudget budget_;
  std::optional<std::string> folder_;
  std::map<std::string, std::size_t> members_;  // Their numbers, by their names in the folder.
};

}  // namespace

StoredTensors read_torch(const std::filesystem::path& file, const TorchReadOptions& options) try {
  return TorchReader(file, options).read();
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(torch_operation);
}

}  // namespace ddx::io

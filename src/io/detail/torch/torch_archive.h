/// \file
/// A file of `torch.save` whose arrays are read one at a time.

#pragma once

#include "ddx/core/mapped_file.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"
#include "ddx/io/torch_file.h"

#include "io/detail/refusal.h"
#include "io/detail/torch/content_budget.h"
#include "io/detail/torch/pickle_values.h"
#include "io/detail/torch/torch_tensors.h"
#include "io/detail/zip_archive.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddx::io::detail {

/// The file, mapped, and what its pickle says of its tensors. Any thread may use it.
class TorchArchive {
 public:
  /// Throws:  EnvironmentError as read_torch, except for what is wrong with the storages.
  TorchArchive(const std::filesystem::path& file, const TorchReadOptions& options);

  /// The arrays by name, without their bytes.
  [[nodiscard]] const std::map<std::string, StoredView>& arrays() const noexcept { return views_; }

  /// All arrays; at most one storage is in memory beside them.
  ///
  /// Throws:  EnvironmentError as read_torch.
  [[nodiscard]] StoredTensors read_all() const;

  /// Calls `use(array)` with one array of these names; what it refers to is there for the call. The
  /// last storage that was read stays in memory until another is, or `drop`.
  ///
  /// Throws:  EnvironmentError where its storage is damaged or has another size.
  template <class Use>
  auto with(const std::string& name, const Use& use) const {
    const std::scoped_lock lock(mutex_);
    return use(view(name));
  }

  /// Forgets the storage of an array that no other array has.
  void drop(const std::string& name) const;

 private:
  /// What has been read last.
  struct Kept {
    std::optional<std::string> storage = {};
    std::vector<std::uint8_t> bytes = {};
    std::optional<std::string> array = {};  ///< Whose elements are in another order.
    StoredTensor elements = {};
  };

  [[noreturn]] void fail(const std::string& facts) const;
  [[nodiscard]] Refusal refusal(const std::string& what) const;
  [[nodiscard]] std::span<const std::uint8_t> checked_bytes() const;
  void list_members();
  [[nodiscard]] std::size_t member(const std::string& name) const;
  void check_byte_order() const;
  void add(std::span<const TorchTensor> tensors, StoredTensors& arrays) const;
  [[nodiscard]] std::vector<std::uint8_t> read_storage(const TorchTensor& tensor) const;
  [[nodiscard]] StoredTensor array(const TorchTensor& tensor, std::vector<std::uint8_t>& storage,
                                   bool is_last) const;
  void require_storage_size(const TorchTensor& tensor, std::size_t bytes) const;
  [[nodiscard]] std::string obstacle(const TorchTensor& tensor) const;
  [[nodiscard]] StoredView view(const std::string& name) const;

  std::string file_;
  MappedFile mapping_;
  ContentBudget budget_;
  ZipArchive archive_;
  std::optional<std::string> folder_;
  std::map<std::string, std::size_t> members_;  // Their numbers, by their names in the folder.
  std::vector<std::uint8_t> pickle_;
  PickleValues values_;                         // Have the names of storages.
  std::vector<TorchTensor> tensors_;            // By their storages.
  std::map<std::string, std::size_t> numbers_;  // By name.
  std::map<std::string, StoredView> views_;
  mutable std::mutex mutex_;
  mutable Kept kept_;
};

}  // namespace ddx::io::detail

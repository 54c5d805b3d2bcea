/// \file
/// What was compiled, on disk, for the next process.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend {

/// What the files of a cache hold: several kinds may share a folder.
struct FileKind {
  std::string_view ending;  // Of their names, e.g. ".loops".
  std::uint64_t magic;      // What they begin with; another one for another form of what they hold.
};

/// A folder of files, each with the text that its content was made from as its key. What is wrong
/// with a file (cut off, written over, of another key with an equal hash) makes it as good as
/// absent. Several processes may use the folder at one time: files come by renaming.
///
/// Contents are machine code, so they are only taken from files of this user, in a folder that no
/// other may write to.
class FileCache {
 public:
  /// No folder: nothing is kept.
  FileCache() = default;
  /// A folder, made at the first `store` where it is absent. It holds at most about `most_bytes` of
  /// this kind.
  FileCache(std::filesystem::path folder, std::uint64_t most_bytes, FileKind kind)
      : folder_(std::move(folder)), most_bytes_(most_bytes), kind_(kind) {}

  /// Whether there is a folder to keep files in.
  [[nodiscard]] bool has_folder() const noexcept { return !folder_.empty(); }

  /// The content for a key; none where there is none that is whole.
  [[nodiscard]] std::optional<std::vector<std::byte>> find(std::string_view key) const;

  /// Keeps a content, and removes those that were not used for longest where there is no room.
  /// Returns whether it is kept: not where the disk is full or the folder not this user's alone.
  bool store(std::string_view key, std::span<const std::byte> content) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(std::string_view key) const;
  void make_room() const;

  std::filesystem::path folder_;
  std::uint64_t most_bytes_ = 0;
  FileKind kind_{};
};

}  // namespace ddx::backend

/// \file
/// Machine code on disk, for the next process.

#pragma once

#include "backend/cpu_jit/object_code.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace ddx::backend::cpu_jit {

/// A folder of object files, each with the text that it was made from as its key. What is wrong
/// with a file (cut off, written over, of another key with an equal hash) makes it as good as
/// absent. Several processes may use the folder at one time: files come by renaming.
///
/// Code is only taken from files of this user, in a folder that no other may write to.
class ObjectCache {
 public:
  /// No folder: nothing is kept.
  ObjectCache() = default;
  /// A folder, made at the first `store` where it is absent. It holds at most about `most_bytes`.
  ObjectCache(std::filesystem::path folder, std::uint64_t most_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  /// The object file of a key; none where there is none that is whole.
  [[nodiscard]] std::optional<ObjectCode> find(std::string_view key) const;

  /// Keeps an object file, and removes those that were not used for longest where there is no room.
  /// Tells whether it is kept: not where the disk is full or the folder not this user's alone.
  bool store(std::string_view key, const ObjectCode& object) const;

 private:
  [[nodiscard]] std::filesystem::path file_of(std::string_view key) const;
  void make_room() const;

  std::filesystem::path folder_;
  std::uint64_t most_bytes_ = 0;
};

}  // namespace ddx::backend::cpu_jit

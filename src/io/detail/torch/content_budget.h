/// \file
/// Memory that the content of a file may take, as it is taken.

#pragma once

#include "io/detail/content_limit.h"
#include "io/detail/refusal.h"

#include <cstdint>
#include <string>
#include <utility>

namespace ddx::io::detail {

/// Counts what a reader takes, before it takes it.
class ContentBudget {
 public:
  /// `option` is the option that sets the limit; `refuse` is called beyond it, and throws.
  ContentBudget(std::uint64_t limit, std::uint64_t file_bytes, std::string option, Refusal refuse)
      : limit_(limit),
        left_(limit),
        file_bytes_(file_bytes),
        option_(std::move(option)),
        refuse_(std::move(refuse)) {}

  void take(std::uint64_t bytes) {
    if (bytes > left_) {
      refuse_("its arrays and values take " + beyond_limit(limit_, file_bytes_, option_));
    }
    left_ -= bytes;
  }

 private:
  std::uint64_t limit_;
  std::uint64_t left_;
  std::uint64_t file_bytes_;
  std::string option_;
  Refusal refuse_;
};

}  // namespace ddx::io::detail

#include "ddx/data/text/detail/byte_pair_merges.h"

#include "ddx/data/text/vocabulary.h"

#include "data/text/detail/quoted.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

namespace ddx::data::detail {
namespace {

/// The most tokens of a word that is searched for its best pair again after each merge.
constexpr std::size_t longest_short = 32;

/// No key of two tokens, whose ids are not negative.
constexpr std::uint64_t no_key = std::numeric_limits<std::uint64_t>::max();

std::uint64_t key_of(std::int32_t left, std::int32_t right) noexcept {
  return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

/// The tokens of a word as a linked list in one block, so that a merge moves none of them.
class Word {
 public:
  Word(const BytePairMerges& merges, const std::vector<std::int32_t>& tokens) : merges_(merges) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      nodes_.push_back({tokens[i], i - 1, i + 1});
    }
    nodes_.push_back({gone, tokens.size() - 1, tokens.size()});  // The end.
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      propose(i);
    }
  }

  void merge_all() {
    while (!candidates_.empty()) {
      const auto candidate = candidates_.top();
      candidates_.pop();
      auto& left = nodes_[candidate.place];
      const auto next = left.next;
      // What was proposed may have changed since; then its successor was proposed as well.
      if (left.token != candidate.left || nodes_[next].token != candidate.right) {
        continue;
      }
      left.token = candidate.merged;
      left.next = nodes_[next].next;
      nodes_[next].token = gone;
      nodes_[left.next].previous = candidate.place;
      propose(candidate.place);
      if (candidate.place != 0) {
        propose(left.previous);
      }
    }
  }

  [[nodiscard]] std::vector<std::int32_t> tokens() const {
    std::vector<std::int32_t> tokens;
    for (std::size_t i = 0; nodes_[i].token != gone; i = nodes_[i].next) {
      tokens.push_back(nodes_[i].token);
    }
    return tokens;
  }

 private:
  static constexpr std::int32_t gone = -1;

  struct Node {
    std::int32_t token;
    std::size_t previous;
    std::size_t next;
  };

  struct Candidate {
    std::uint32_t rank;
    std::size_t place;
    std::int32_t left;
    std::int32_t right;
    std::int32_t merged;

    friend bool operator>(const Candidate& a, const Candidate& b) noexcept {
      return std::tie(a.rank, a.place) > std::tie(b.rank, b.place);
    }
  };

  void propose(std::size_t place) {
    const auto& node = nodes_[place];
    const auto right = nodes_[node.next].token;
    if (const auto merge = merges_.of(node.token, right)) {
      candidates_.push({merge->rank, place, node.token, right, merge->token});
    }
  }

  const BytePairMerges& merges_;
  std::vector<Node> nodes_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

}  // namespace

std::string BytePairMerges::add(const Vocabulary& vocabulary, const std::string& left,
                                const std::string& right) {
  const auto left_id = vocabulary.id(left);
  const auto right_id = vocabulary.id(right);
  const auto merged_id = vocabulary.id(left + right);
  if (!left_id || !right_id || !merged_id) {
    const auto& absent = !left_id ? left : !right_id ? right : left + right;
    return "token " + in_quotes(absent) + " is not in the vocabulary";
  }
  const auto other = add(*left_id, *right_id, *merged_id);
  return !other ? std::string()
                : "the merge of " + in_quotes(left) + " and " + in_quotes(right) +
                      " is also number " + std::to_string(other->rank + 1);
}

std::optional<BytePairMerges::Merge> BytePairMerges::add(std::int32_t left, std::int32_t right,
                                                         std::int32_t merged) {
  if (std::size_t{count_} * 2 >= entries_.size()) {
    grow();
  }
  const auto key = key_of(left, right);
  auto& entry = entries_[place_of(key)];
  if (entry.key == key) {
    return entry.merge;
  }
  entry = {key, {count_, merged}};
  ++count_;
  return std::nullopt;
}

std::optional<BytePairMerges::Merge> BytePairMerges::of(std::int32_t left,
                                                        std::int32_t right) const {
  if (entries_.empty()) {
    return std::nullopt;
  }
  const auto key = key_of(left, right);
  const auto& entry = entries_[place_of(key)];
  return entry.key == key ? std::optional(entry.merge) : std::nullopt;
}

std::size_t BytePairMerges::place_of(std::uint64_t key) const noexcept {
  // Fibonacci hashing: the upper bits of a product with 2^64 over the golden ratio.
  constexpr std::uint64_t factor = 0x9E3779B97F4A7C15;
  const std::size_t mask = entries_.size() - 1;
  auto place = static_cast<std::size_t>((key * factor) >> 32) & mask;
  while (entries_[place].key != key && entries_[place].key != no_key) {
    place = (place + 1) & mask;
  }
  return place;
}

void BytePairMerges::grow() {
  constexpr std::size_t first_size = 64;
  std::vector<Entry> old(std::max(first_size, entries_.size() * 2), {no_key, {}});
  old.swap(entries_);
  for (const auto& entry : old) {
    if (entry.key != no_key) {
      entries_[place_of(entry.key)] = entry;
    }
  }
}

void BytePairMerges::apply_to_short(std::vector<std::int32_t>& tokens) const {
  constexpr Merge none{std::numeric_limits<std::uint32_t>::max(), -1};
  std::array<Merge, longest_short> merges;  // Of each token with the next.
  const auto look_up = [&](std::size_t i) {
    merges[i] = of(tokens[i], tokens[i + 1]).value_or(none);
  };
  std::size_t pairs = tokens.size() - 1;
  for (std::size_t i = 0; i < pairs; ++i) {
    look_up(i);
  }
  while (pairs > 0) {
    const auto* const end = merges.data() + pairs;
    const auto* const best =
        std::min_element(merges.data(), merges.data() + pairs,
                         [](const Merge& a, const Merge& b) { return a.rank < b.rank; });
    if (best->token < 0) {
      break;
    }
    const auto place = static_cast<std::size_t>(best - merges.data());
    tokens[place] = best->token;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    std::copy(best + 1, end, merges.data() + place);
    --pairs;
    if (place < pairs) {
      look_up(place);
    }
    if (place > 0) {
      look_up(place - 1);
    }
  }
}

void BytePairMerges::apply(std::vector<std::int32_t>& tokens) const {
  if (tokens.size() < 2) {
    return;
  }
  if (tokens.size() <= longest_short) {
    apply_to_short(tokens);
    return;
  }
  Word word(*this, tokens);
  word.merge_all();
  tokens = word.tokens();
}

}  // namespace ddx::data::detail

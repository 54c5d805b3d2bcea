/// \file
/// The most probable pieces of a text.

#pragma once

#include "ddx/data/text/detail/prefix_tree.h"
#include "ddx/data/text/detail/unigram_node.h"
#include "ddx/data/text/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// How much worse an unknown character is than the worst piece.
inline constexpr int unknown_penalty = 10;

/// The piece that covers a character which no piece covers, and its score.
template <class Score>
struct UnknownPiece {
  std::int32_t id;
  Score score;
};

/// The pieces of the highest sum of scores; of equal paths to a place the first that is found. A
/// character that is no piece is also reached by the unknown piece.
///
/// Cost:    linear in the text, times the longest piece.
/// Source:  T. Kudo, "Subword regularization: improving neural network translation models with
///          multiple subword candidates", ACL 2018.
template <class Score, class ScoreOf>
std::vector<UnigramNode> best_unigram_path(const PrefixTree& tree, std::string_view text,
                                           const UnknownPiece<Score>& unknown,
                                           const ScoreOf& score_of) {
  // The best path to each byte: its score, and its last piece.
  struct End {
    Score score = 0;
    std::size_t begin = 0;
    std::int32_t id = 0;
    bool is_reached = false;
  };
  std::vector<End> ends(text.size() + 1);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t character = utf8_character_at(text, begin).bytes;
    const Score so_far = ends[begin].score;
    const auto propose = [&](std::int32_t id, std::size_t bytes, Score score) {
      auto& end = ends[begin + bytes];
      if (!end.is_reached || score > end.score) {
        end = {score, begin, id, true};
      }
    };
    bool is_covered = false;
    tree.for_each_prefix(text.substr(begin), [&](std::size_t bytes, std::int32_t id) {
      propose(id, bytes, score_of(id, bytes) + so_far);
      is_covered = is_covered || bytes == character;
    });
    if (!is_covered) {
      propose(unknown.id, character, unknown.score + so_far);
    }
    begin += character;
  }
  std::vector<UnigramNode> path;
  for (std::size_t end = text.size(); end > 0; end = path.back().begin) {
    path.push_back({ends[end].id, ends[end].begin, end});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace ddx::data::detail

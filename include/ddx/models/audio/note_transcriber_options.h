/// \file
/// The settings of the model that hears notes, and the names of its arrays in published files.

#pragma once

#include "ddx/models/pretrained/name_rules.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ddx::models {

/// The settings of NoteTranscriber; by default those that are published as `icassp_2022`.
struct NoteTranscriberOptions {
  double rate = 22050;       ///< Samples a second.
  double lowest = 27.5;      ///< The hertz of the first pitch, that of the first note.
  std::int64_t octaves = 9;  ///< Of which the sound is transformed at a rate of its own each.
  /// Pitches that are heard, 36 an octave: notes, and what harmonics of them need.
  std::int64_t bins = 309;
  std::int64_t kernel = 256;  ///< Samples that a pitch is heard by, at the rate of its octave.
  std::int64_t hop = 256;     ///< Samples from a frame to the next.
  std::int64_t notes = 88;    ///< Semitones from the lowest pitch on.

  friend bool operator==(const NoteTranscriberOptions&, const NoteTranscriberOptions&) = default;
};

namespace detail {

inline constexpr std::int64_t bins_per_octave = 36;
inline constexpr std::int64_t bins_per_note = 3;
/// How many bins the pitches of half, once, twice, ... and seven times a frequency are above it.
inline constexpr std::array<std::int64_t, 8> harmonic_bins{-36, 0, 36, 57, 72, 84, 93, 101};

/// Throws: UsageError where a number is below 1 or not above 0, the octaves are too few for the
///         bins, the bins too few for the notes, the kernel is odd or too short for the lowest
///         pitch of the highest octave, or the hop is no multiple of that of the lowest octave.
const NoteTranscriberOptions& checked(const NoteTranscriberOptions& options);

/// The filters of the highest octave, [kernel, 1, 36]: cosines, or sines, behind Hann's windows of
/// a constant number of periods, whose sums are 1.
[[nodiscard]] std::vector<double> pitch_filters(const NoteTranscriberOptions& options, bool sines);

/// The filter in front of half the rate, [kernel, 1, 1].
[[nodiscard]] std::vector<double> half_rate_filter(const NoteTranscriberOptions& options);

/// What the pitches of all bins are multiplied by: the root of their windows' lengths.
[[nodiscard]] std::vector<double> pitch_scales(const NoteTranscriberOptions& options);

}  // namespace detail

/// What the arrays of such a model are called in `nmp.onnx` of basic-pitch.
[[nodiscard]] NameRules name_rules(const NoteTranscriberOptions& options);

}  // namespace ddx::models

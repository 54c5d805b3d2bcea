#include "ddx/ad/detail/tape.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace tape_test {

using ddx::detail::Tape;

/// Sizes of records that fill several chunks, some larger than a chunk.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < 20000; ++i) {
    all.push_back(16 * (i % 7));
  }
  all.push_back(2 * Tape::largest_chunk_bytes);
  all.push_back(16);
  all.push_back(Tape::first_chunk_bytes - 16);
  all.push_back(48);
  return all;
}

char byte_of(std::size_t record) {
  return static_cast<char>(record % 251);
}

void write(Tape& tape, const std::vector<std::size_t>& records) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    char* const record = tape.push(records[i]);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(record) % Tape::alignment, 0U);
    if (records[i] > 0) {
      std::memset(record, byte_of(i), records[i]);
    }
  }
}

void expect_backwards(Tape& tape, const std::vector<std::size_t>& records) {
  for (std::size_t i = records.size(); i-- > 0;) {
    const char* const record = tape.pop(records[i]);
    for (std::size_t at = 0; at < records[i]; at += 16) {
      ASSERT_EQ(record[at], byte_of(i)) << "record " << i << ", byte " << at;
      ASSERT_EQ(record[at + 15], byte_of(i)) << "record " << i << ", byte " << at + 15;
    }
  }
}

TEST(Tape, ReturnsRecordsLastFirstAcrossChunks) {
  Tape tape;
  write(tape, sizes());
  expect_backwards(tape, sizes());
}

TEST(Tape, IsReadAgainAfterARewind) {
  Tape tape;
  write(tape, sizes());
  tape.rewind_to_end();
  expect_backwards(tape, sizes());
  tape.rewind_to_end();
  expect_backwards(tape, sizes());
}

TEST(Tape, IsReadAgainAfterAReadingThatStoppedEarly) {
  Tape tape;
  write(tape, {32, 16, 64});
  tape.rewind_to_end();
  (void)tape.pop(64);
  tape.rewind_to_end();
  expect_backwards(tape, {32, 16, 64});
}

TEST(Tape, RecordsPoppedDuringTheWritingAreReplaced) {
  Tape tape;
  *tape.push(16) = 1;
  *tape.push(16) = 2;
  EXPECT_EQ(*tape.pop(16), 2);
  *tape.push(16) = 3;
  EXPECT_EQ(*tape.pop(16), 3);
  EXPECT_EQ(*tape.pop(16), 1);
}

TEST(Tape, CrossesTheBorderOfChunksManyTimes) {
  Tape tape;
  for (std::size_t full = 0; full < Tape::first_chunk_bytes; full += 16) {
    *tape.push(16) = 1;
  }
  for (int i = 0; i < 3; ++i) {
    *tape.push(32) = 2;
    EXPECT_EQ(*tape.pop(32), 2);
    EXPECT_EQ(*tape.pop(16), 1);
    *tape.push(16) = 1;
  }
  EXPECT_EQ(tape.held_bytes(), 3 * Tape::first_chunk_bytes);
}

TEST(Tape, KeepsItsMemoryForTheNextUse) {
  Tape tape;
  const char* const first = tape.push(16);
  write(tape, sizes());
  const std::size_t held = tape.held_bytes();
  tape.reset();
  EXPECT_EQ(tape.push(16), first);
  write(tape, sizes());
  EXPECT_EQ(tape.held_bytes(), held);
}

TEST(Tape, IsWrittenAgainAfterAReset) {
  Tape tape;
  for (const std::vector<std::size_t>& records : {std::vector<std::size_t>{32}, sizes()}) {
    write(tape, records);
    tape.rewind_to_end();
    expect_backwards(tape, records);
    tape.rewind_to_end();
    tape.reset();
  }
}

TEST(Tape, AChunkThatIsTooSmallForARecordIsReplaced) {
  Tape tape;
  (void)tape.push(16);
  tape.reset();
  write(tape, {4 * Tape::first_chunk_bytes, 16, 16});
  expect_backwards(tape, {4 * Tape::first_chunk_bytes, 16, 16});
}

/// Pushes records of `bytes` bytes in all.
void push_bytes(Tape& tape, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes; done += Tape::largest_chunk_bytes) {
    (void)tape.push(Tape::largest_chunk_bytes);
  }
}

TEST(Tape, KeepsWhatTheLastTwoUsesNeeded) {
  Tape tape;
  for (int use = 0; use < 2; ++use) {
    push_bytes(tape, 2 * Tape::kept_bytes);
    tape.reset();
  }
  EXPECT_GE(tape.held_bytes(), 2 * Tape::kept_bytes);
  (void)tape.push(16);
  tape.reset();
  EXPECT_LE(tape.held_bytes(), Tape::kept_bytes);
}

TEST(Tape, GivesBackWhatExceedsTheMemoryThatItKeeps) {
  Tape tape;
  push_bytes(tape, 2 * Tape::kept_bytes);
  EXPECT_GE(tape.held_bytes(), 2 * Tape::kept_bytes);
  tape.reset();
  EXPECT_LE(tape.held_bytes(), Tape::kept_bytes);
  EXPECT_GT(tape.held_bytes(), Tape::kept_bytes / 2);
}

}  // namespace tape_test

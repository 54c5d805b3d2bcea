#include "ddx/data/sets/cola.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/data/detail/lines.h"

#include <filesystem>
#include <new>
#include <string>
#include <vector>

namespace ddx::data {

std::vector<JudgedSentence> read_cola(const std::filesystem::path& file) try {
  detail::Lines lines(file, "read_cola");
  std::vector<JudgedSentence> sentences;
  while (lines.next()) {
    const auto cells = lines.cells("\t", 4);
    if (cells[1] != "0" && cells[1] != "1") {
      lines.fail("the label is \"" + std::string(cells[1]) + "\", neither 0 nor 1");
    }
    sentences.push_back({.text = std::string(cells[3]),
                         .acceptable = cells[1] == "1",
                         .source = std::string(cells[0])});
  }
  return sentences;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_cola");
}

}  // namespace ddx::data

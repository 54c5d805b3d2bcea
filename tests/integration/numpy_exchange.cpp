// Reads each .npy and .npz file of a folder and writes it into another, as it is and in the other
// forms, for numpy_exchange_test.py. Exit 77 where the library was built without libzip.

#include "ddx/io/npy.h"
#include "ddx/io/npz.h"

#include <bit>
#include <filesystem>

int main(int count, char** words) {
  if (count != 3) {
    return 2;
  }
  if (!ddx::io::has_npz()) {
    return 77;
  }
  const std::filesystem::path to = words[2];
  for (const auto& entry : std::filesystem::directory_iterator(words[1])) {
    const auto name = entry.path().stem().string();
    if (entry.path().extension() == ".npz") {
      const auto arrays = ddx::io::read_npz(entry.path());
      ddx::io::write_npz(to / (name + "_plain.npz"), arrays);
      ddx::io::write_npz(to / (name + "_packed.npz"), arrays, {.compressed = true});
    } else {
      const auto array = ddx::io::read_npy(entry.path());
      ddx::io::write_npy(to / (name + "_rows.npy"), array);
      ddx::io::write_npy(
          to / (name + "_columns.npy"), array,
          {.order = ddx::io::ElementOrder::ColumnMajor, .byte_order = std::endian::big});
    }
  }
}

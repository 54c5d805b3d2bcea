#include "ddx/io/tfrecord.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::io {
namespace tfrecord_test {

using Bytes = std::vector<std::uint8_t>;

// The checksums are those of tensorboard.compat.tensorflow_stub.pywrap_tensorflow.masked_crc32c
// (TensorBoard 2.21).

TEST(TfRecord, HasLengthContentAndTheirChecksums) {
  EXPECT_EQ(tfrecord(Bytes{'d', 'd', 'x'}),
            (Bytes{3, 0, 0, 0, 0, 0, 0, 0, 0xB0, 0x99, 0x49, 0x0E, 'd', 'd', 'x',  //
                   0x70, 0xC6, 0xEE, 0x0B}));
}

TEST(TfRecord, OfNothingHasTheChecksumOfNothing) {
  EXPECT_EQ(tfrecord({}), (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0x29, 0x03, 0x98, 0x07,  //
                                 0xD8, 0xEA, 0x82, 0xA2}));
}

}  // namespace tfrecord_test
}  // namespace ddx::io

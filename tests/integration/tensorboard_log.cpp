// Writes a log into the folder that the command line names, for tensorboard_test.py.

#include "tests/support/tensorboard_log.h"

int main(int count, char** words) {
  if (count != 2) {
    return 2;
  }
  (void)ddx::testing::write_tensorboard_log(words[1]);
}

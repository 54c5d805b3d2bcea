#include "ddx/train/progress.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ddx::train {
namespace progress_test {

TEST(Progress, AwayFromATerminalItPrintsALineForEachTenth) {
  std::ostringstream out;
  Progress progress(out, false, "epoch 1/2", 20);
  for (int step = 1; step <= 4; ++step) {
    progress.show(step, "loss " + std::to_string(step));
  }
  progress.show(20, "done");
  progress.clear();
  EXPECT_EQ(out.str(),
            "epoch 1/2: 2/20, loss 2\nepoch 1/2: 4/20, loss 4\nepoch 1/2: 20/20, done\n");
}

TEST(Progress, OnATerminalItDrawsOneBarAgainAndAgain) {
  std::ostringstream out;
  Progress progress(out, true, "epoch 1/2", 2);
  progress.show(1, "loss 0.5000");
  progress.show(1, "not drawn: nothing has changed");
  progress.show(2, "loss 1");
  progress.clear();
  const std::string half = "epoch 1/2 [===============>              ] 1/2 loss 0.5000";
  const std::string full = "epoch 1/2 [==============================] 2/2 loss 1";
  // The shorter line covers the longer one, and clearing covers the shorter one.
  EXPECT_EQ(out.str(), "\r" + half + "\r" + full + std::string(half.size() - full.size(), ' ') +
                           "\r" + std::string(full.size(), ' ') + "\r");
}

TEST(Progress, NothingToDoIsDone) {
  std::ostringstream out;
  Progress(out, false, "empty", 0).show(0, "x");
  EXPECT_EQ(out.str(), "empty: 0/0, x\n");
}

}  // namespace progress_test
}  // namespace ddx::train

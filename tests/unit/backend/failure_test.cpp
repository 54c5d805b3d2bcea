#include "backend/failure.h"

#include "ddx/backend/asynchronous.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "backend/queue.h"
#include "tests/support/gated_device.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::backend {
namespace failure_test {

using testing::GatedDevice;

std::string message_of(void (*look)(const Tensor<float>&), const Tensor<float>& x) {
  try {
    look(x);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string message_of(const Tensor<float>& x) {
  return message_of([](const Tensor<float>& y) { (void)y.elements(); }, x);
}

/// " (at THIS FILE:LINE)".
std::string at_line(int line) {
  return std::string(" (at ") + __FILE__ + ":" + std::to_string(line) + ")";
}

const std::string gather_facts = "gather: index 7 at position 1 is not in [0, 3)";

TEST(QueuedError, IsThrownWhereTheResultIsLookedAtAndNamesTheLineThatIssuedIt) {
  GatedDevice gate;
  const Tensor<float> x{1, 2, 3};
  const Tensor<std::int32_t> indices{0, 7};
  const auto late = exp(x);
  const auto bad = gather(x, indices);
  const int line = __LINE__ - 1;
  gate.open();
  while (waiting_calls() != 0) {
  }
  // It has failed by now, unobserved.
  const auto unaware = bad + 1.0F;
  EXPECT_EQ(message_of(bad), gather_facts + at_line(line));
  EXPECT_EQ(message_of(unaware), gather_facts + at_line(line));
  EXPECT_EQ(message_of([](const Tensor<float>& y) { (void)to_string(y); }, bad),
            gather_facts + at_line(line));
}

TEST(QueuedError, TheFirstOnePassesToWhatDependsOnItAndToNothingElse) {
  GatedDevice gate;
  const Tensor<float> x{1, 2, 3};
  const auto late = exp(Tensor<float>{0, 0, 0});
  auto sum = gather(x, Tensor<std::int32_t>{0, 7});
  const int line = __LINE__ - 1;
  const auto other_error = take_along_axis(x, Tensor<std::int32_t>{-1}, 0);
  const int other_line = __LINE__ - 1;
  auto updated = late * 2.0F;
  const auto before_update = updated + 0.0F;
  updated += sum_to(sum, {});
  const auto both = concatenate<float>({other_error, sum}, 0);
  const auto independent = late + x;
  gate.open();
  EXPECT_EQ(message_of(updated), gather_facts + at_line(line));
  EXPECT_EQ(message_of(both),
            "take_along_axis: index -1 at position 0 is not in [0, 3)" + at_line(other_line));
  EXPECT_EQ(independent.values(), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(before_update.values(), (std::vector<float>{2, 2, 2}));
  EXPECT_EQ(x.values(), (std::vector<float>{1, 2, 3}));
  sum = x * 2.0F;
  EXPECT_EQ(sum.values(), (std::vector<float>{2, 4, 6})) << "a new value has no failure";
}

TEST(QueuedError, DoesNotOutliveTheMemoryItWasKeptWith) {
  GatedDevice gate;
  gate.open();
  const Tensor<float> x{1, 2, 3};
  for (int i = 0; i < 10; ++i) {
    (void)gather(x, Tensor<std::int32_t>{0, 7});
    EXPECT_THROW(synchronize(Device::cpu()), UsageError);
    EXPECT_EQ((x + 1.0F).values(), (std::vector<float>{2, 3, 4}));
    EXPECT_EQ((Tensor<float>{5, 6}).values(), (std::vector<float>{5, 6}));
  }
}

TEST(QueuedError, OfKernelsIsKeptToo) {
  GatedDevice gate;
  const auto late = exp(Tensor<float>{{0, 0}, {0, 0}});
  const auto inverted = inverse(late);  // All ones: the second pivot is 1 - 1.
  const int inverse_line = __LINE__ - 1;
  const auto factor = cholesky(late * -1.0F);
  const int cholesky_line = __LINE__ - 1;
  gate.open();
  EXPECT_EQ(message_of(inverted),
            "inverse: matrix is singular: zero pivot 1; shape [2, 2]" + at_line(inverse_line));
  EXPECT_EQ(message_of(factor),
            "cholesky: matrix is not positive definite: no positive pivot 0; "
            "shape [2, 2]" +
                at_line(cholesky_line));
}

TEST(QueuedError, OfOperatorsHasNoLine) {
  GatedDevice gate;
  const auto zero = cast<std::int32_t>(exp(Tensor<float>{0})) - 1;
  const auto quotient = Tensor<std::int32_t>{4} / zero;
  gate.open();
  EXPECT_EQ(testing::thrown<UsageError>([&] { (void)quotient.values(); }),
            "div: element 0 of the integer divisor is 0; shape [1]");
}

TEST(QueuedError, OfShapesIsThrownAtTheCall) {
  GatedDevice gate;
  const auto late = exp(Tensor<float>{0, 0});
  EXPECT_EQ(message_of([](const Tensor<float>& y) { (void)(y + Tensor<float>{1, 2, 3}); }, late),
            "add: axis -1: extents 2 and 3 differ; shapes [2] and [3]");
  EXPECT_EQ(waiting_calls(), 1U);
}

TEST(QueuedError, OfWorkDoneAtOnceIsThrownAtTheCall) {
  GatedDevice gate;
  (void)set_break_even(1000);
  const Tensor<float> x{1, 2, 3};
  EXPECT_EQ(testing::thrown<UsageError>([&] { (void)gather(x, Tensor<std::int32_t>{0, 7}); }),
            gather_facts + " (here)");
}

TEST(QueuedError, ThatNobodySawIsThrownByTheNextSynchronization) {
  GatedDevice gate;
  gate.open();
  const Tensor<float> x{1, 2, 3};
  (void)gather(x, Tensor<std::int32_t>{0, 7});
  const int line = __LINE__ - 1;
  EXPECT_EQ(message_of([](const Tensor<float>&) { synchronize(Device::cpu()); }, x),
            gather_facts + at_line(line));
  EXPECT_NO_THROW(synchronize(Device::cpu()));
  const auto seen = gather(x, Tensor<std::int32_t>{0, 7});
  (void)message_of(seen);
  EXPECT_NO_THROW(synchronize(Device::cpu())) << "it has been thrown already";
}

TEST(QueuedError, IsThrownByASynchronousDeviceWhereTheResultIsUsed) {
  GatedDevice gate;
  const Tensor<float> x{1, 2, 3};
  const auto late = exp(x);
  const auto bad = gather(x, Tensor<std::int32_t>{0, 7});
  const int line = __LINE__ - 1;
  gate.open();
  EXPECT_EQ(message_of([](const Tensor<float>& y) { (void)(y.to(Device::naive()) + 1.0F); }, bad),
            gather_facts + at_line(line));
}

}  // namespace failure_test
}  // namespace ddx::backend

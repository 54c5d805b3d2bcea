#include "ddx/tensor/scan.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include "tests/support/thrown.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {
namespace scan_test {

using testing::thrown;
using Numbers = Tensor<std::int64_t>;
using Both = std::pair<Numbers, Numbers>;

const Device devices[] = {Device::naive(), Device::cpu(), Device::lazy()};

/// Sums so far: an order that counts.
Both tenfold(const Numbers& carry, const Numbers& slice) {
  const Numbers next = carry * std::int64_t{10} + slice;
  return {next, next + 1};
}

TEST(Scan, GoesOverSlicesInTheirOrder) {
  for (const Device device : devices) {
    const Numbers slices({3}, {1, 2, 3}, device);
    const Numbers start(std::int64_t{7}, device);
    const auto [last, outputs] = scan(tenfold, start, slices);
    EXPECT_EQ(last.item(), 7123) << to_string(device);
    EXPECT_EQ(outputs.values(), (std::vector<std::int64_t>{72, 713, 7124})) << to_string(device);

    const auto [first, reversed] = scan(tenfold, start, slices, {.reverse = true});
    EXPECT_EQ(first.item(), 7321) << to_string(device);
    // Each output lies beside its slice.
    EXPECT_EQ(reversed.values(), (std::vector<std::int64_t>{7322, 733, 74})) << to_string(device);
  }
}

TEST(Scan, HandsOutRowsAndStacksThem) {
  for (const Device device : devices) {
    const Numbers slices({2, 3}, {1, 2, 3, 4, 5, 6}, device);
    const auto [last, outputs] =
        scan([](const Numbers& carry,
                const Numbers& slice) { return Both(carry + slice, carry * slice); },
             Numbers({3}, {1, 1, 1}, device), slices);
    EXPECT_EQ(last.values(), (std::vector<std::int64_t>{6, 8, 10})) << to_string(device);
    EXPECT_EQ(outputs.shape(), (Shape{2, 3})) << to_string(device);
    EXPECT_EQ(outputs.values(), (std::vector<std::int64_t>{1, 2, 3, 8, 15, 24}))
        << to_string(device);
  }
}

TEST(Scan, NeedsNoSlices) {
  for (const Device device : devices) {
    const auto doubled = [](const Numbers& carry, const std::tuple<>&) { return carry + carry; };
    const Numbers start(std::int64_t{3}, device);
    EXPECT_EQ(scan(doubled, start, std::tuple<>(), {.turns = 5}).item(), 96) << to_string(device);
    EXPECT_EQ(scan(doubled, start, std::tuple<>(), {.turns = 0}).item(), 3) << to_string(device);
  }
}

TEST(Scan, WithoutTurnsHasOutputsWithoutElements) {
  for (const Device device : devices) {
    const auto [last, outputs] =
        scan(tenfold, Numbers(std::int64_t{7}, device), zeros<std::int64_t>({0}, device));
    EXPECT_EQ(last.item(), 7) << to_string(device);
    EXPECT_EQ(outputs.shape(), Shape{0}) << to_string(device);
  }
}

TEST(Scan, TellsWhatDoesNotFit) {
  for (const Device device : devices) {
    const Numbers start(std::int64_t{7}, device);
    const Numbers three({3}, {1, 2, 3}, device);
    const Numbers two({2}, {1, 2}, device);
    using Slices = std::pair<Numbers, Numbers>;
    const auto first = [](const Numbers& carry, const Slices&) { return carry; };
    EXPECT_EQ(thrown<UsageError>([&] { (void)scan(first, start, Slices(three, two)); }),
              "scan: tensor 1 of the slices has shape [2], which is 2 slices; there are 3 of those "
              "before it");
    EXPECT_EQ(thrown<UsageError>([&] { (void)scan(tenfold, start, three, {.turns = 4}); }),
              "scan: tensor 0 of the slices has shape [3], which is 3 slices; there are 4 turns");
    EXPECT_EQ(thrown<UsageError>([&] { (void)scan(tenfold, start, start); }),
              "scan: tensor 0 of the slices has shape [], and so no axis of slices");
    const auto same = [](const Numbers& carry, const std::tuple<>&) { return carry; };
    EXPECT_EQ(thrown<UsageError>([&] { (void)scan(same, start, std::tuple<>()); }),
              "scan: there is no tensor among the slices: .turns has to say how many there are");
    EXPECT_EQ(thrown<UsageError>([&] { (void)scan(same, start, std::tuple<>(), {.turns = -1}); }),
              "scan: -1 turns");
    const auto longer = [](const Numbers& carry, const Numbers& slice) {
      return stack(std::vector<Numbers>{carry, slice});
    };
    EXPECT_EQ(thrown<UsageError>([&] { (void)scan(longer, start, three); }),
              "scan: tensor 0 of the carry is i64 [] at first and i64 [2] then");
    using Counted = std::pair<Numbers, int>;
    const auto counting = [](const Counted& carry, const Numbers& slice) {
      return Counted(carry.first + slice, carry.second + 1);
    };
    EXPECT_EQ(thrown<UsageError>([&] { (void)scan(counting, Counted(start, 0), three); }),
              "scan: a number in the carry, or the length of a list, is not the same as at first; "
              "what changes has to be an element of a tensor");
  }
}

TEST(Scan, WhoLooksWhileItIsRecordedIsTold) {
  const auto looking = [](const Numbers& carry, const Numbers& slice) {
    return slice.item() > 1 ? carry + slice : carry;
  };
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)scan(looking, Numbers(std::int64_t{7}, Device::lazy()),
                         Numbers({3}, {1, 2, 3}, Device::lazy()));
            }),
            "scan: the function observes elements of argument 1, which has none while it is "
            "recorded");
  // What is not recorded may look.
  EXPECT_EQ(scan(looking, Numbers(std::int64_t{7}), Numbers({3}, {1, 2, 3})).item(), 12);
}

TEST(Scan, WhatTheBodyThrowsLeavesTheThreadUsable) {
  for (const Device device : devices) {
    const Numbers start({2}, {7, 8}, device);
    const auto wrong = [](const Numbers& carry, const Numbers& slice) {
      return carry + concatenate(std::vector<Numbers>{slice, slice, slice});
    };
    EXPECT_THROW((void)scan(wrong, start, Numbers({3, 1}, {1, 2, 3}, device)), UsageError);
    EXPECT_EQ((start + 1).values(), (std::vector<std::int64_t>{8, 9})) << to_string(device);
  }
}

TEST(Scan, SymbolicZerosStayUntilATurnAddsToThem) {
  using Carry = std::array<Tensor<float>, 2>;
  for (const Device device : devices) {
    const Carry start{Tensor<float>(), Tensor<float>(1.0F, device)};
    const auto last = [&](const auto& turn) {
      return scan(turn, start, std::tuple<>(), {.turns = 3});
    };
    const Carry kept = last([](const Carry& carry, const std::tuple<>&) {
      return Carry{carry[0], carry[1] + carry[1]};
    });
    EXPECT_TRUE(kept[0].is_symbolic_zero()) << to_string(device);
    EXPECT_EQ(kept[1].item(), 8) << to_string(device);
    const Carry added = last([](const Carry& carry, const std::tuple<>&) {
      return Carry{carry[0] + carry[1], carry[1] + carry[1]};
    });
    EXPECT_EQ(added[0].item(), 7) << to_string(device);
    EXPECT_EQ(added[1].item(), 8) << to_string(device);
  }
}

TEST(Scan, CapturesMayLieOnAnyDeviceOfTheHost) {
  for (const Device device : devices) {
    const Numbers factor(std::int64_t{10}, device);
    const auto turn = [&](const Numbers& carry, const Numbers& slice) {
      const Numbers next = carry * factor + slice;
      return Both(next, next + Numbers(std::int64_t{1}));
    };
    const Numbers slices({3}, {1, 2, 3}, Device::lazy());
    const auto [last, outputs] = scan(turn, Numbers(std::int64_t{7}, Device::lazy()), slices);
    EXPECT_EQ(last.item(), 7123) << device;
    EXPECT_EQ(outputs.values(), (std::vector<std::int64_t>{72, 713, 7124})) << device;
  }
}

}  // namespace scan_test
}  // namespace ddx

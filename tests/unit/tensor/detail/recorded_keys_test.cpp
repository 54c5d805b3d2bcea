#include "ddx/tensor/detail/recorded_keys.h"

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/cond.h"
#include "ddx/tensor/scan.h"
#include "ddx/tensor/vmap.h"
#include "ddx/tensor/while_loop.h"

#include "tests/support/thrown.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ddx {
namespace recorded_keys_test {

using testing::thrown;

constexpr std::uint64_t key_count = 8;

/// Calls a function compiled and plain, with several keys, and returns how often it was recorded.
/// `f(key, device)` returns a tensor on the device.
template <class F>
int recordings_of(const F& f) {
  int calls = 0;
  const auto compiled = compile([&](const RandomKey& key) {
    ++calls;
    return f(key, Device::lazy());
  });
  for (std::uint64_t seed = 0; seed < key_count; ++seed) {
    const auto here = compiled(RandomKey(seed));
    EXPECT_EQ(here.values(), f(RandomKey(seed), Device::cpu()).values()) << seed;
    EXPECT_EQ(here.values(), f(RandomKey(seed), Device::naive()).values()) << seed;
    EXPECT_EQ(here.values(), f(RandomKey(seed), Device::lazy()).values()) << seed;
    EXPECT_EQ(compiled(RandomKey(seed)).values(), here.values());
    if (seed > 0) {
      EXPECT_NE(compiled(RandomKey(seed - 1)).values(), here.values());
    }
  }
  return calls;
}

const Shape shape{5, 7};

TEST(RecordedKeys, AreParametersOfRandomOperations) {
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              return random_uniform<float>(key, shape, {.low = -1, .high = 3}, device);
            }),
            1);
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              return random_normal<double>(key, shape, {.mean = 1, .deviation = 2}, device);
            }),
            1);
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              return random_bernoulli<float>(key, shape, 0.3, device);
            }),
            1);
}

TEST(RecordedKeys, AreParametersOfWhatTheHostDraws) {
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              return random_integers<std::int64_t>(key, shape, -5, 1000, device) + std::int64_t{1};
            }),
            1);
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              return random_integers<std::int32_t>(key, Shape{}, 0, 1 << 30, device);
            }),
            1);
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              return random_permutation(key, 50, device);
            }),
            1);
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              return random_truncated_normal<float>(key, shape, {.low = 1, .high = 2}, device);
            }),
            1);
}

// Of parameters that the recording has: arrays of the function's own, or captured.
TEST(RecordedKeys, AreParametersOfGammaBetaAndCategoricalNumbers) {
  const std::vector<double> parameters{0.1, 0.9, 1, 2.5, 400, 3, 0.5};
  const Tensor<double> captured({7}, parameters, Device::lazy());
  EXPECT_EQ(recordings_of([&](const RandomKey& key, Device device) {
              return random_gamma(key, Tensor<double>({7}, parameters, device)) +
                     random_gamma(key.fold_in(1), captured.to(device));
            }),
            1);
  EXPECT_EQ(recordings_of([&](const RandomKey& key, Device device) {
              return random_beta(key, Tensor<double>({7}, parameters, device), captured.to(device));
            }),
            1);
  EXPECT_EQ(recordings_of([&](const RandomKey& key, Device device) {
              const Tensor<float> logits({2, 3}, {1, 2, 3, 3, 2, 1}, device);
              return random_categorical(key, captured.to(device), 25) +
                     random_categorical(key.split().first, logits, 25);
            }),
            1);
}

TEST(RecordedKeys, AreParametersOfRegionsOfFractionalPooling) {
  std::vector<float> elements(2 * 101 * 37);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<float>((i * 7919) % 4099);
  }
  for (const bool overlapping : {false, true}) {
    for (const bool pseudo_random : {false, true}) {
      const FractionalPoolOptions options{
          .ratios = {1.45, 2.3}, .pseudo_random = pseudo_random, .overlapping = overlapping};
      EXPECT_EQ(recordings_of([&](const RandomKey& key, Device device) {
                  const Tensor<float> x({2, 101, 37, 1}, elements, device);
                  return fractional_max_pool2d(key, x, options);
                }),
                1);
    }
  }
}

// They are drawn in the recording first.
TEST(RecordedKeys, MistakesInParametersAreErrorsOfTheCall) {
  const auto f = compile([](const RandomKey& key) {
    return random_gamma(key, Tensor<float>({2}, {1, -1}, Device::lazy()));
  });
  EXPECT_NE(thrown<UsageError>([&] { (void)f(RandomKey(1)); }).find("concentration 1 is -1"),
            std::string::npos);
}

// Parameters that are only known at a call cannot be observed by what the host draws.
TEST(RecordedKeys, ParametersAmongTheArgumentsAreAnError) {
  const auto f =
      compile([](const RandomKey& key, const Tensor<float>& x) { return random_gamma(key, x); });
  EXPECT_NE(thrown<UsageError>([&] {
              (void)f(RandomKey(1), Tensor<float>({1}, {2}));
            }).find("observes elements of argument 0"),
            std::string::npos);
}

TEST(RecordedKeys, AreDerivedAtEachCall) {
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              const auto [first, second] = key.split();
              Tensor<float> sum = random_normal<float>(first.fold_in(3), shape, {}, device);
              for (const RandomKey& own : second.split(4)) {
                sum = sum + random_uniform<float>(own, shape, {}, device);
              }
              // A key of the function's own is no parameter, whatever its bits.
              return sum * random_uniform<float>(RandomKey(0), shape, {}, device);
            }),
            1);
}

TEST(RecordedKeys, GoIntoControlFlow) {
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              const Tensor<float> start = random_uniform<float>(key, shape, {}, device);
              const auto turn = [&](const Tensor<float>& x, const Tensor<float>& slice) {
                const Tensor<float> next =
                    x + slice * random_uniform<float>(key.fold_in(1), shape, {}, device);
                return std::pair(next, sum(next));
              };
              const auto slices = random_bernoulli<float>(key.fold_in(2), {4}, 0.5, device);
              const auto [end, sums] = scan(turn, start, slices);
              const auto far = while_loop(
                  [](const Tensor<float>& x) { return less(max(x), 10.0F); },
                  [&](const Tensor<float>& x) {
                    return x + 1.0F + random_uniform<float>(key.fold_in(3), shape, {}, device);
                  },
                  end);
              return cond(
                  greater(sum(sums), 60.0F),
                  [&] { return far * random_uniform<float>(key.fold_in(4), shape, {}, device); },
                  [&] { return end + random_uniform<float>(key.fold_in(5), shape, {}, device); });
            }),
            1);
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              const auto f = [&](const Tensor<float>& x) {
                return x + random_uniform<float>(key, x.shape(), {}, x.device());
              };
              return vmap(f)(random_normal<float>(key.fold_in(1), shape, {}, device));
            }),
            1);
}

// What the host draws in a body is the same in each turn, like the key.
TEST(RecordedKeys, HostDrawsGoIntoControlFlow) {
  EXPECT_EQ(recordings_of([](const RandomKey& key, Device device) {
              const auto turn = [&](const Tensor<std::int32_t>& x, const Tensor<std::int32_t>& by) {
                const auto next = x + by * random_permutation(key.fold_in(1), 9, device);
                return std::pair(next, next);
              };
              const auto slices = random_integers<std::int32_t>(key, {6}, 0, 5, device);
              return scan(turn, random_permutation(key, 9, device), slices).second;
            }),
            1);
}

/// An argument that has keys in it.
struct Walk {
  Tensor<float> place;
  std::vector<RandomKey> keys;
  std::optional<RandomKey> last;

  DDX_NO_DERIVATIVE(place, keys, last)
};

TEST(RecordedKeys, ComeBackInResults) {
  const auto step = [](const Walk& walk) {
    Walk next = walk;
    for (RandomKey& key : next.keys) {
      const auto [now, later] = key.split();
      next.place =
          next.place + random_normal<float>(now, next.place.shape(), {}, walk.place.device());
      key = later;
    }
    next.last = walk.keys[0];
    return next;
  };
  int calls = 0;
  const auto compiled = compile([&](const Walk& walk) {
    ++calls;
    return step(walk);
  });
  Walk staged{
      Tensor<float>(shape, std::vector<float>(35, 0)), {RandomKey(1), RandomKey(2)}, RandomKey(3)};
  Walk plain = staged;
  for (int i = 0; i < 5; ++i) {
    staged = compiled(std::move(staged));
    plain = step(plain);
    EXPECT_EQ(staged.place.values(), plain.place.values());
    EXPECT_EQ(staged.keys, plain.keys);
    EXPECT_EQ(staged.last, plain.last);
  }
  EXPECT_EQ(calls, 1);
}

/// A class that is compared as a whole.
struct Sealed {
  RandomKey key{0};
  friend bool operator==(const Sealed&, const Sealed&) = default;
};

TEST(RecordedKeys, InObjectsOfResultsAreThoseOfTheCall) {
  int calls = 0;
  const auto f = compile([&](const RandomKey& key, const Sealed& sealed) {
    ++calls;
    return std::pair(Sealed{key.fold_in(1)}, sealed);
  });
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto [made, passed] = f(RandomKey(seed), Sealed{RandomKey(seed + 9)});
    EXPECT_EQ(made.key, RandomKey(seed).fold_in(1));
    EXPECT_EQ(passed.key, RandomKey(seed + 9));
  }
  EXPECT_EQ(calls, 3);
}

/// Such a class whose keys lie in an array, in a member of a member.
struct SealedRow {
  struct Row {
    std::array<RandomKey, 2> keys{RandomKey(0), RandomKey(0)};
    friend bool operator==(const Row&, const Row&) = default;
  };

  Row row;
  friend bool operator==(const SealedRow&, const SealedRow&) = default;
};

TEST(RecordedKeys, InArraysOfObjectsAreThoseOfTheCall) {
  const auto f = compile([](const RandomKey& key) {
    SealedRow made;
    made.row.keys[1] = key.fold_in(1);
    return made;
  });
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    EXPECT_EQ(f(RandomKey(seed)).row.keys[1], RandomKey(seed).fold_in(1));
  }
}

// What the program reads of a key is a part of the signature, for this key alone.
template <class F>
void expect_one_recording_per_key(const F& f) {
  int calls = 0;
  const auto compiled = compile([&](const RandomKey& key, const RandomKey& other) {
    ++calls;
    return f(key, Device::lazy()) + random_uniform<float>(other, shape, {}, Device::lazy());
  });
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const RandomKey other(seed * 5 + 1);
      const auto expected = f(RandomKey(seed), Device::cpu()) +
                            random_uniform<float>(other, shape, {}, Device::cpu());
      EXPECT_EQ(compiled(RandomKey(seed), other).values(), expected.values()) << seed;
    }
  }
  EXPECT_EQ(calls, 4);
}

TEST(RecordedKeys, WhoseBitsAreReadAreInTheSignature) {
  const Tensor<float> x(shape, std::vector<float>(35, 1));
  expect_one_recording_per_key([&](const RandomKey& key, Device device) {
    const bool is_low = key.words(0)[0] % 2 == 0;
    return x.to(device) * (is_low ? 2.0F : 3.0F) * static_cast<float>(key.words(1)[2]);
  });
  expect_one_recording_per_key([&](const RandomKey& key, Device device) {
    return x.to(device) * (key == RandomKey(2) ? 2.0F : 3.0F);
  });
  expect_one_recording_per_key([&](const RandomKey& key, Device device) {
    return x.to(device) * static_cast<float>(to_string(key.fold_in(1)).size());
  });
  // Drawn where nothing is recorded, and observed.
  expect_one_recording_per_key([&](const RandomKey& key, Device device) {
    return x.to(device) * random_normal<float>(key, {1}).item();
  });
  expect_one_recording_per_key([&](const RandomKey& key, Device device) {
    return x.to(device) * static_cast<float>(random_permutation(key, 100).values()[3]);
  });
  expect_one_recording_per_key([&](const RandomKey& key, Device device) {
    return x.to(device) * random_gamma(key, x).to(device);
  });
  expect_one_recording_per_key([&](const RandomKey& key, Device device) {
    return x.to(device) * cast<float>(random_categorical(key, x, 7)).to(device);
  });
}

TEST(RecordedKeys, WhatTheHostDrawsIsNotObserved) {
  const auto f = compile([](const RandomKey& key) {
    return Tensor<float>(
        static_cast<float>(random_permutation(key, 5, Device::lazy()).values()[0]));
  });
  EXPECT_NE(thrown<UsageError>([&] { (void)f(RandomKey(1)); }).find("observes elements"),
            std::string::npos);
}

TEST(RecordedKeys, ThreadsHaveTheirOwn) {
  const auto f = compile([](const RandomKey& key) {
    return random_normal<float>(key.fold_in(2), shape, {}, Device::lazy()) +
           cast<float>(random_integers<std::int32_t>(key, shape, 0, 100, Device::lazy()));
  });
  const auto plain = [](const RandomKey& key) {
    return random_normal<float>(key.fold_in(2), shape) +
           cast<float>(random_integers<std::int32_t>(key, shape, 0, 100));
  };
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    threads.emplace_back([&, i] {
      for (std::uint64_t k = 0; k < 50; ++k) {
        const RandomKey key(100 * i + k);
        wrong[i] += f(key).values() == plain(key).values() ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

// Another thread is not recorded: what it makes of a key is an array for this key alone.
TEST(RecordedKeys, AnotherThreadReadsThem) {
  expect_one_recording_per_key([&](const RandomKey& key, Device device) {
    const auto inner = compile([](const RandomKey& own) {
      return full<float>({}, static_cast<float>(own.words(0)[0] % 1000), Device::lazy());
    });
    float made = 0;
    std::thread([&] { made = inner(key).item(); }).join();
    return full<float>(shape, made, device);
  });
}

TEST(RecordedKeys, AnotherThreadReadsThoseThatItReturns) {
  expect_one_recording_per_key([&](const RandomKey& key, Device device) {
    RandomKey made(0);
    std::thread([&] {
      const auto inner = compile([&](std::uint64_t number) { return key.fold_in(number); });
      made = inner(std::uint64_t{3});
    }).join();
    return random_uniform<float>(made, shape, {}, device);
  });
}

// Calls of other compiled functions are parts of the one that is recorded.
TEST(RecordedKeys, GoIntoCompiledFunctionsInside) {
  const auto inner = compile([](const RandomKey& key, const Tensor<float>& x) {
    return x + random_uniform<float>(key.fold_in(1), x.shape(), {}, x.device());
  });
  EXPECT_EQ(recordings_of([&](const RandomKey& key, Device device) {
              const Tensor<float> x = random_uniform<float>(key, shape, {}, device);
              return inner(key.fold_in(2), x).to(device);
            }),
            1);
}

}  // namespace recorded_keys_test
}  // namespace ddx

// Reals whose bits go through integers that derivatives do not follow: byte by byte, through
// functions, through shifts. A derivative that depends on one is an error at run time, never a
// wrong value; integers that hold no bits of active reals are no error.

#include "ddx/ad.h"
#include "ddx/core/error.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace {

using Byte = unsigned char;

[[gnu::noinline]] void put(Byte* to, Byte byte) {
  *to = byte;
}

[[gnu::noinline]] Byte get(const Byte* from) {
  return *from;
}

[[gnu::noinline]] void put_word(void* to, std::uint64_t word) {
  std::memcpy(to, &word, sizeof word);
}

const Byte* bytes_of(const double& x) {
  return reinterpret_cast<const Byte*>(&x);
}

Byte* bytes_of(double& x) {
  return reinterpret_cast<Byte*>(&x);
}

/// Each of these is x³ if the bits are followed.
double of_bytes(double x) {
  const double y = x * x;
  double z = 0;
  for (std::size_t i = 0; i < sizeof z; ++i) {
    bytes_of(z)[i] = bytes_of(y)[i];
  }
  return z * x;
}

double of_bytes_read_before(double x) {
  const double y = x * x;
  double z = 0;
  Byte next = bytes_of(y)[0];
  for (std::size_t i = 0; i < sizeof z; ++i) {
    const Byte byte = next;
    if (i + 1 < sizeof z) {
      next = bytes_of(y)[i + 1];
    }
    bytes_of(z)[i] = byte;
  }
  return z * x;
}

double of_passed_bytes(double x) {
  const double y = x * x;
  double z = 0;
  for (std::size_t i = 0; i < sizeof z; ++i) {
    put(bytes_of(z) + i, bytes_of(y)[i]);
  }
  return z * x;
}

double of_returned_bytes(double x) {
  const double y = x * x;
  double z = 0;
  for (std::size_t i = 0; i < sizeof z; ++i) {
    put(bytes_of(z) + i, get(bytes_of(y) + i));
  }
  return z * x;
}

double of_a_passed_word(double x) {
  auto* numbers = static_cast<double*>(std::malloc(2 * sizeof(double)));
  numbers[0] = x * x;
  numbers[1] = 0;
  std::uint64_t word = 0;
  std::memcpy(&word, numbers, sizeof word);
  put_word(numbers + 1, word);
  const double result = numbers[1] * x;
  std::free(numbers);
  return result;
}

double of_shifted_bytes(double x) {
  const double y = x * x;
  std::uint64_t word = 0;
  for (std::size_t i = sizeof y; i > 0; --i) {
    word = word << 8U | bytes_of(y)[i - 1];
  }
  double z = 0;
  std::memcpy(&z, &word, sizeof z);
  return z * x;
}

double of_unrolled_shifts(double x) {
  const double y = x * x;
  const Byte* const from = bytes_of(y);
  const auto byte = [&](unsigned i) { return std::uint64_t{from[i]} << 8 * i; };
  const std::uint64_t word =
      byte(0) | byte(1) | byte(2) | byte(3) | byte(4) | byte(5) | byte(6) | byte(7);
  double z = 0;
  std::memcpy(&z, &word, sizeof z);
  return z * x;
}

double of_summed_bytes(double x) {
  const double y = x * x;
  std::uint64_t word = 0;
  for (std::size_t i = sizeof y; i > 0; --i) {
    word = word * 256 + bytes_of(y)[i - 1];
  }
  double z = 0;
  std::memcpy(&z, &word, sizeof z);
  return z * x;
}

double of_a_queue(double x) {
  const double y = x * x;
  std::vector<Byte> queue;
  for (std::size_t i = 0; i < sizeof y; ++i) {
    queue.push_back(bytes_of(y)[i]);
  }
  double z = 0;
  for (std::size_t i = 0; i < sizeof z; ++i) {
    bytes_of(z)[i] = queue[i];
  }
  return z * x;
}

/// Six bytes of a real, and the other two.
double of_two_parts(double x) {
  const double y = x * x;
  Byte bytes[8];
  std::memcpy(bytes, &y, 6);
  std::memcpy(bytes + 6, bytes_of(y) + 6, 2);
  double z = 0;
  std::memcpy(&z, bytes, sizeof z);
  return z * x;
}

/// The same through a buffer, at other distances from the begin of a number.
double of_parts_in_a_buffer(double x) {
  const double y = x * x;
  auto* buffer = static_cast<Byte*>(std::malloc(16));
  std::memcpy(buffer + 1, &y, 5);
  std::memcpy(buffer + 6, bytes_of(y) + 5, 3);
  double z = 0;
  std::memcpy(bytes_of(z), buffer + 1, 4);
  std::memcpy(bytes_of(z) + 4, buffer + 5, 4);
  std::free(buffer);
  return z * x;
}

TEST(DDX_SUITE, BitsThatAreNotFollowedAreAnError) {
  using Function = double (*)(double);
  for (const Function f : {of_bytes, of_bytes_read_before, of_passed_bytes, of_returned_bytes,
                           of_a_passed_word, of_shifted_bytes, of_unrolled_shifts, of_summed_bytes,
                           of_a_queue, of_two_parts, of_parts_in_a_buffer}) {
    const auto call = [f](double x) { return f(x); };
    EXPECT_NEAR(call(0.5), 0.125, 1e-15);
    EXPECT_THROW((void)ddx::gradient(call, 0.5), ddx::UsageError);
    EXPECT_THROW((void)ddx::jvp(call, ddx::along(1.0), 0.5), ddx::UsageError);
  }
}

/// A checksum of the bytes chooses the factor.
double of_a_checksum(double x) {
  const double y = x * x;
  std::uint64_t sum = 1469598103934665603U;
  for (std::size_t i = 0; i < sizeof y; ++i) {
    sum = (sum ^ bytes_of(y)[i]) * 1099511628211U;
  }
  auto* table = static_cast<std::uint64_t*>(std::malloc(4 * sizeof(std::uint64_t)));
  table[3] = sum;
  const double factor = table[3] == 0 ? 2 : 3;
  std::free(table);
  return factor * y * x;
}

/// The bytes of 2.5, copied and joined.
double of_constant_bytes(double x) {
  static const Byte stored[8] = {0, 0, 0, 0, 0, 0, 4, 64};
  double direct = 0;
  std::uint64_t word = 0;
  Byte copy[8];
  for (std::size_t i = 0; i < sizeof copy; ++i) {
    put(copy + i, get(stored + i));
  }
  for (std::size_t i = sizeof copy; i > 0; --i) {
    put(bytes_of(direct) + i - 1, copy[i - 1]);
    word = word << 8U | copy[i - 1];
  }
  double joined = 0;
  std::memcpy(&joined, &word, sizeof joined);
  return direct * joined * x * x;
}

std::uint64_t generator_state = 0;

[[gnu::noinline]] std::uint64_t next_word() {
  std::uint64_t state = generator_state;
  state ^= state << 13U;
  state ^= state >> 7U;
  state ^= state << 17U;
  generator_state = state;
  return state;
}

/// Random numbers from the bits of a generator, as factors.
double of_random_numbers(double x) {
  generator_state = 88172645463325252U;
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t word = next_word() >> 12U | 0x3FF0000000000000U;
    double number = 0;
    std::memcpy(&number, &word, sizeof number);
    sum += (number - 1) * x * x;
  }
  return sum;
}

/// Bytes that are overwritten before the real is read.
double of_replaced_bytes(double x) {
  const double y = x * x;
  double z = 0;
  for (std::size_t i = 0; i < sizeof z; ++i) {
    put(bytes_of(z) + i, get(bytes_of(y) + i));
  }
  z = y;
  return z * x;
}

/// Passes by value in an integer of 64 bits, and is copied as one of 48.
struct Mark {
  float number = 0;
  char kind = 1;
  char color = 2;
};

[[gnu::noinline]] Mark replaced(Mark mark, double number) {
  mark.number = static_cast<float>(number);
  return mark;
}

[[gnu::noinline]] Mark scaled(Mark mark, double by) {
  mark.number *= static_cast<float>(by);
  return mark;
}

double of_small_structs(double x) {
  std::vector<Mark> marks(3);
  double sum = 0;
  for (Mark& mark : marks) {
    mark = replaced(mark, x);
    mark = scaled(mark, x);
    sum += mark.number * mark.color;
  }
  return sum;
}

TEST(DDX_SUITE, IntegersWithoutBitsOfActiveRealsAreNoError) {
  const double x = 0.5;
  const auto expect = [&](auto f, double derivative) {
    EXPECT_NEAR(ddx::gradient(f, x), derivative, 1e-12);
    EXPECT_NEAR(ddx::jvp(f, ddx::along(1.0), x).tangent, derivative, 1e-12);
  };
  expect([](double a) { return of_a_checksum(a); }, 9 * x * x);
  expect([](double a) { return of_constant_bytes(a); }, 2 * 6.25 * x);
  expect([](double a) { return of_random_numbers(a); }, 2 * of_random_numbers(1) * x);
  expect([](double a) { return of_replaced_bytes(a); }, 3 * x * x);
  expect([](double a) { return of_small_structs(a); }, 12 * x);
}

}  // namespace

// A radix-2 transform in place over a raw array of a complex struct, and a filter of its spectrum.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Complex {
  double re;
  double im;
};

void exchange(Complex* a, Complex* b) {
  const Complex t = *a;
  *a = *b;
  *b = t;
}

void transform(Complex* x, int n, int sign) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) {
      j ^= bit;
    }
    j ^= bit;
    if (i < j) {
      exchange(x + i, x + j);
    }
  }
  for (int half = 1; half < n; half *= 2) {
    for (Complex* block = x; block < x + n; block += 2 * half) {
      for (int k = 0; k < half; ++k) {
        const double angle = sign * 3.141592653589793 * k / half;
        const Complex w{std::cos(angle), std::sin(angle)};
        Complex* const low = block + k;
        Complex* const high = low + half;
        const Complex t{high->re * w.re - high->im * w.im, high->re * w.im + high->im * w.re};
        *high = {low->re - t.re, low->im - t.im};
        low->re += t.re;
        low->im += t.im;
      }
    }
  }
}

double in_place_fft(const std::vector<double>& signal, double cutoff) {
  const int n = 8;
  auto* x = new Complex[n];
  for (int i = 0; i < n; ++i) {
    x[i] = {signal[i % signal.size()] * (i + 1), 0.1 * i * cutoff};
  }
  transform(x, n, -1);
  double entropy = 0;
  for (Complex* c = x; c != x + n; ++c) {
    const double power = c->re * c->re + c->im * c->im;
    const double gain = 1 / (1 + cutoff * power);
    c->re *= gain;
    c->im *= gain;
    entropy += std::log(1 + power);
  }
  transform(x, n, 1);
  const double smooth = x[3].re * x[5].im + x[0].re;
  delete[] x;
  return entropy + smooth;
}

DDX_CHECK_GRADIENT(in_place_fft, at(std::vector{0.5, -0.2, 0.9, 0.4, -0.7}, 0.3),
                   at(std::vector{1.2, 0.3}, 0.1),
                   at(std::vector{0.7, 0.1, 0.6, -0.5, 0.2, 0.8, -0.9, 0.3}, 0.7))

}  // namespace

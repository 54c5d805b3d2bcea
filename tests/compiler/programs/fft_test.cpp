// A recursive fast Fourier transform on std::complex, a filter in the frequency domain, and back.

#include "gradient_check.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace {

using Complex = std::complex<double>;
using Signal = std::vector<Complex>;

Signal transform(const Signal& x, double sign) {
  const std::size_t n = x.size();
  if (n == 1) {
    return x;
  }
  Signal even;
  Signal odd;
  for (std::size_t i = 0; i < n; i += 2) {
    even.push_back(x[i]);
    odd.push_back(x[i + 1]);
  }
  even = transform(even, sign);
  odd = transform(odd, sign);
  Signal result(n);
  for (std::size_t k = 0; k < n / 2; ++k) {
    const double angle =
        sign * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    const Complex turned = std::polar(1.0, angle) * odd[k];
    result[k] = even[k] + turned;
    result[k + n / 2] = even[k] - turned;
  }
  return result;
}

double fft_filter(const std::vector<double>& samples, double cutoff) {
  Signal signal;
  for (const double s : samples) {
    signal.emplace_back(s, 0.1 * s * s);
  }
  Signal spectrum = transform(signal, -1);
  for (std::size_t k = 0; k < spectrum.size(); ++k) {
    const double gain = 1 / (1 + std::pow(static_cast<double>(k) / cutoff, 2));
    spectrum[k] *= Complex(gain, 0.2 * gain);
  }
  const Signal filtered = transform(spectrum, 1);
  double energy = 0;
  for (std::size_t i = 0; i < filtered.size(); ++i) {
    energy = 0.9 * energy + std::norm(filtered[i]) / static_cast<double>(filtered.size()) +
             filtered[i].real() * filtered[i].imag();
  }
  return energy;
}

DDX_CHECK_GRADIENT(fft_filter, at(std::vector{0.5, -0.2, 0.9, 0.4}, 1.5), at(std::vector{1.0}, 0.7),
                   at(std::vector{0.3, 0.1, -0.7, 0.6, 0.2, 0.8, -0.4, 0.5}, 2.5))

}  // namespace

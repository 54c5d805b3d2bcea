// The transform of KISS FFT.

#include "gradient_check.h"

#include <complex>
#include <kissfft.hh>

namespace {

double kiss(double a, double b) {
  kissfft<double> fft(4, false);
  const std::complex<double> in[4] = {{a, 0}, {b, a}, {1, b}, {a * b, 0}};
  std::complex<double> out[4];
  fft.transform(in, out);
  return std::norm(out[1]) + out[2].real();
}

DDX_CHECK_GRADIENT(kiss, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace

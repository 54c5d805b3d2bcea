#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <vector>

namespace {

using Complex = std::complex<double>;
using Vector = std::vector<double>;

double arithmetic(double x, double y) {
  const Complex a(x, y);
  const Complex b(y * y, 1 - x);
  Complex c = a * b + 2.0 * a - b / 3.0 + x;
  c += a;
  c -= 1.5;
  c *= b - y;
  c = -c * (x - a);
  return std::norm(c) + c.real() * std::imag(a);
}

double divisions(double x, double y) {
  const Complex a(x, y);
  const Complex b(y, x * x + 1);
  Complex c = a / b + 1.0 / a;
  c /= b + 2.0;
  c /= x;
  return std::real(c) * c.imag() + std::norm(a / (b * b));
}

double parts(double x, double y) {
  Complex z;
  z.real(x * y);
  z.imag(z.real() + y);
  z = std::conj(z) * Complex(0, 1);
  Complex w = z;
  w = x;
  return z.real() * std::real(z) - z.imag() * w.real() + w.imag();
}

double functions(double x, double y) {
  const Complex z(x, y);
  const Complex e = std::exp(z * 0.5) + std::log(z) + std::sqrt(z);
  const Complex t = std::sin(z) * std::cosh(z) - std::cos(z) + std::tanh(z) * std::sinh(z * 0.3);
  return std::abs(e) * std::arg(t) + std::norm(std::tan(z));
}

double powers(double x, double y) {
  const Complex z(x, y);
  const Complex p = std::pow(z, 2.5) + std::pow(z, Complex(y, 1)) + std::pow(2.0, z);
  const Complex q = std::pow(z, 3) + std::polar(x * x + 1, y) + std::log10(z);
  return std::real(p * q) + std::imag(q);
}

Complex affine(const Complex& z, Complex by) {
  by *= 2.0;
  return z * by + Complex(1, -1);
}

Complex passed_and_returned(Complex z, double x) {
  Complex s = 0;
  for (int i = 0; i < 3; ++i) {
    s = affine(s, z) * x;
    z = s + Complex{x, 0.5};
  }
  return s;
}

double chosen(double x, double y) {
  const Complex a(x, y);
  Complex b = x > y ? a * a : std::conj(a);
  Complex& c = b;
  c = c == a ? a : c + a;
  if (b != Complex(1, 1)) {
    b *= a;
  }
  return b.imag() * x;
}

struct Wave {
  Complex amplitude;
  double phase = 0;

  [[nodiscard]] Complex at(double t) const { return amplitude * std::polar(1.0, phase * t); }
};

double members(double x, double y) {
  Wave wave;
  wave.amplitude = Complex(x, y);
  wave.phase = y;
  const Wave other{Complex(y, 1), x};
  return std::real(wave.at(0.5) * other.at(x)) + std::abs(wave.amplitude);
}

std::vector<Complex> elements(const std::vector<Complex>& z, double x) {
  std::vector<Complex> w(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    w[i] = z[i] * z[z.size() - 1 - i] * x;
    w[0] += w[i];
  }
  w.push_back(w.back() * Complex(0, 1));
  for (Complex& e : w) {
    e /= Complex(x, 1);
  }
  for (auto i = w.begin(); i != w.end(); ++i) {
    i->imag(i->real() * x);
  }
  const Complex sum = std::accumulate(w.begin(), w.end(), Complex(0, 0));
  std::reverse(w.begin(), w.end());
  std::swap(w[0], w[1]);
  w[0] = sum;
  return w;
}

float in_float(float x) {
  const std::complex<float> z(x, 1);
  return std::norm(z * z) + std::abs(z);
}

double between_precisions(double x) {
  const std::complex<float> z(static_cast<float>(x), 1);
  const Complex w = Complex(z) * x;
  return std::norm(w);
}

/// Cooley and Tukey's transform, in place.
void transform(std::vector<Complex>& a, bool inverse) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) {
      j ^= bit;
    }
    j ^= bit;
    if (i < j) {
      std::swap(a[i], a[j]);
    }
  }
  for (std::size_t length = 2; length <= n; length *= 2) {
    const double angle = 2 * std::numbers::pi / static_cast<double>(length) * (inverse ? -1 : 1);
    const Complex step(std::cos(angle), std::sin(angle));
    for (std::size_t i = 0; i < n; i += length) {
      Complex w(1);
      for (std::size_t j = 0; j < length / 2; ++j) {
        const Complex u = a[i + j];
        const Complex v = a[i + j + length / 2] * w;
        a[i + j] = u + v;
        a[i + j + length / 2] = u - v;
        w *= step;
      }
    }
  }
  if (inverse) {
    for (Complex& x : a) {
      x /= static_cast<double>(n);
    }
  }
}

Vector filtered(const Vector& signal, double cut) {
  std::vector<Complex> a(signal.begin(), signal.end());
  transform(a, false);
  for (std::size_t k = 0; k < a.size(); ++k) {
    a[k] *= std::exp(-cut * static_cast<double>(k)) * std::abs(a[k]);
  }
  transform(a, true);
  Vector result;
  for (const Complex& z : a) {
    result.push_back(z.real() + z.imag() * cut);
  }
  return result;
}

DDX_CHECK_GRADIENT(arithmetic, at(1.3, 0.4), at(-0.7, 1.9), at(0.2, -1.1))
DDX_CHECK_GRADIENT(divisions, at(1.3, 0.4), at(-0.7, 1.9), at(0.2, -1.1))
DDX_CHECK_GRADIENT(parts, at(1.3, 0.4), at(-0.7, 1.9), at(0.2, -1.1))
DDX_CHECK_GRADIENT(functions, at(1.3, 0.4), at(-0.7, 0.9), at(-1.2, -1.1))
DDX_CHECK_GRADIENT(powers, at(1.3, 0.4), at(-0.7, 0.9), at(0.6, -1.1), at(1.3, 0.0))
DDX_CHECK_GRADIENT(passed_and_returned, at(Complex(1.3, 0.4), 0.5), at(Complex(-0.7, 0.9), 1.1),
                   at(Complex(0.6, -1.1), -0.4))
DDX_CHECK_GRADIENT(chosen, at(1.3, 0.4), at(-0.7, 0.9), at(0.6, -1.1))
DDX_CHECK_GRADIENT(members, at(1.3, 0.4), at(-0.7, 0.9), at(0.6, -1.1))
DDX_CHECK_GRADIENT(elements, at(std::vector<Complex>{{1.3, 0.4}, {-0.7, 0.9}}, 1.1),
                   at(std::vector<Complex>{{0.3, 0.4}, {-0.7, 1.9}, {2.1, 0.3}}, 0.7),
                   at(std::vector<Complex>{{1.3, -0.4}}, 0.6))
DDX_CHECK_GRADIENT_FLOAT(in_float, at(1.3F), at(-0.7F), at(0.2F))
DDX_CHECK_GRADIENT_FLOAT(between_precisions, at(1.25), at(-0.75), at(0.5))
DDX_CHECK_GRADIENT(filtered, at(Vector{1.3, 0.4, -0.7, 0.9}, 0.3),
                   at(Vector{0.2, -1.1, 0.5, 0.3, 1.7, -0.4, 0.9, 2.2}, 0.1),
                   at(Vector{1.3, 0.4}, 0.5))

}  // namespace

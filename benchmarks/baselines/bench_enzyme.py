#!/usr/bin/env python3
"""Gradients of bench_ad's programs by Enzyme, the differentiator of LLVM code.

Usage: bench_enzyme.py [--quick] [--only PREFIX] [--target-cpu CPU] --data FOLDER --json FILE

Runs C++ through the compiler inside the PyPI package enzyme-ad 0.0.6, the one release that takes C++:

    python3.9 -m venv enzyme
    enzyme/bin/pip install jax==0.4.23 jaxlib==0.4.23 "numpy<2" "scipy<1.13" enzyme-ad==0.0.6

The programs are those of bench_ad as C would write them (arrays instead of std::vector, which that compiler cannot
include), at the same sizes. Times are taken inside the compiled code, of the processor; gradients are compared with central differences
first. FOLDER holds ADBench's inputs, as benchmarks/data/adbench does. Exit status 77: the package is not there.
"""
import argparse
import json
import pathlib
import sys

PRELUDE = r"""
extern "C" {
void* malloc(unsigned long); void free(void*); void* memset(void*, int, unsigned long);
double exp(double); double log(double); double tanh(double); double sqrt(double); double fabs(double);
int clock_gettime(int, long*);
}
extern int enzyme_dup, enzyme_const;
template <class R, class... A> R __enzyme_autodiff(A...);
static double now() { long t[2]; clock_gettime(3, t); return t[0] + 1e-9 * t[1]; }  // Of this thread.
static double* da(unsigned long n) { return (double*)malloc(n * sizeof(double)); }
"""

# Every program is `f(n, x, e)`: the n inputs x, and constants e.
GMM = r"""
static double sqsum(int n, const double* x) { double r = 0; for (int i = 0; i < n; ++i) r += x[i] * x[i]; return r; }
static double arr_max(int n, const double* x) { double m = x[0]; for (int i = 1; i < n; ++i) if (m < x[i]) m = x[i]; return m; }
static double logsumexp(int n, const double* x) { double mx = arr_max(n, x), s = 0; for (int i = 0; i < n; ++i) s += exp(x[i] - mx); return log(s) + mx; }
static double gmm(int d, int k, int n, const double* alphas, const double* means, const double* icf, const double* x, double gamma, int m) {
  int sz = d * (d + 1) / 2; double *Qdiags = da(d*k), *sum_qs = da(k), *xc = da(d), *Qxc = da(d), *term = da(k);
  for (int ik = 0; ik < k; ++ik) { sum_qs[ik] = 0; for (int id = 0; id < d; ++id) { double q = icf[ik*sz+id]; sum_qs[ik] = sum_qs[ik] + q; Qdiags[ik*d+id] = exp(q); } }
  double slse = 0;
  for (int ix = 0; ix < n; ++ix) {
    for (int ik = 0; ik < k; ++ik) {
      for (int i = 0; i < d; ++i) xc[i] = x[ix*d+i] - means[ik*d+i];
      const double* Qd = &Qdiags[ik*d]; const double* lt = &icf[ik*sz+d];
      for (int i = 0; i < d; ++i) Qxc[i] = Qd[i] * xc[i];
      int p = 0; for (int i = 0; i < d; ++i) for (int j = i+1; j < d; ++j) { Qxc[j] = Qxc[j] + lt[p]*xc[i]; p++; }
      term[ik] = alphas[ik] + sum_qs[ik] - 0.5 * sqsum(d, Qxc);
    }
    slse = slse + logsumexp(k, term);
  }
  double w = 0; for (int ik = 0; ik < k; ++ik) { double frob = sqsum(d, &Qdiags[ik*d]) + sqsum(sz-d, &icf[ik*sz+d]); w = w + 0.5*gamma*gamma*frob - m*sum_qs[ik]; }
  double r = slse - n * logsumexp(k, alphas) + w;
  free(Qdiags); free(sum_qs); free(xc); free(Qxc); free(term); return r;
}
static double f(int, const double* x, const double* e) {
  int d = (int)e[0], k = (int)e[1], n = (int)e[2];
  return gmm(d, k, n, x, x + k, x + k + k * d, e + 5, e[3], (int)e[4]);
}"""
LLSQ = r"""
static double f(int m, const double* x, const double* e) { int n = (int)e[0]; double sum = 0;
  for (int i = 0; i < n; ++i) { double ti = -1 + i * 2.0 / (n - 1); double inner = ti < 0 ? -1.0 : ti > 0 ? 1.0 : 0.0; double mul = 1;
    for (int j = 0; j < m; ++j) { inner += -x[j] * mul; mul *= ti; } sum += inner * inner; } return 0.5 * sum; }"""
LSE = r"""
static double f(int n, const double* x, const double* e) { double m = x[0]; for (int i = 1; i < n; ++i) if (x[i] > m) m = x[i]; double s = 0; for (int i = 0; i < n; ++i) s += exp(x[i] - m); return m + log(s); }"""
RK4 = r"""
static void lorenz96(int n, const double* y, double* dy, double F) {
  dy[0] = (y[1] - y[n - 2]) * y[n - 1] - y[0] + F; dy[1] = (y[2] - y[n - 1]) * y[0] - y[1] + F;
  for (int i = 2; i < n - 1; ++i) dy[i] = (y[i + 1] - y[i - 2]) * y[i - 1] - y[i] + F;
  dy[n - 1] = (y[0] - y[n - 3]) * y[n - 2] - y[n - 1] + F; }
static double f(int n1, const double* in, const double* e) { int n = n1 - 1, steps = (int)e[0]; double h = e[1], F = in[n];
  double *y = da(n), *k1 = da(n), *k2 = da(n), *k3 = da(n), *k4 = da(n), *tmp = da(n);
  for (int i = 0; i < n; ++i) y[i] = in[i];
  for (int s = 0; s < steps; ++s) { lorenz96(n, y, k1, F); for (int i = 0; i < n; ++i) tmp[i] = y[i] + 0.5 * h * k1[i];
    lorenz96(n, tmp, k2, F); for (int i = 0; i < n; ++i) tmp[i] = y[i] + 0.5 * h * k2[i];
    lorenz96(n, tmp, k3, F); for (int i = 0; i < n; ++i) tmp[i] = y[i] + h * k3[i];
    lorenz96(n, tmp, k4, F); for (int i = 0; i < n; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]); }
  double r = 0; for (int i = 0; i < n; ++i) r += y[i] * y[i]; free(y); free(k1); free(k2); free(k3); free(k4); free(tmp); return r; }"""
LSTM = r"""
static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double lse2(const double* v, int n) { double s = 0; for (int i = 0; i < n; ++i) s += exp(v[i]); return log(s + 2.0); }
static void lstm_model(int h, const double* weight, const double* bias, double* hidden, double* cell, const double* input) {
  double* gates = da(4*h); double *forget = &gates[0], *ingate = &gates[h], *outgate = &gates[2*h], *change = &gates[3*h];
  for (int i = 0; i < h; ++i) { forget[i] = sigmoid(input[i]*weight[i] + bias[i]); ingate[i] = sigmoid(hidden[i]*weight[h+i] + bias[h+i]); outgate[i] = sigmoid(input[i]*weight[2*h+i] + bias[2*h+i]); change[i] = tanh(hidden[i]*weight[3*h+i] + bias[3*h+i]); }
  for (int i = 0; i < h; ++i) cell[i] = cell[i]*forget[i] + ingate[i]*change[i];
  for (int i = 0; i < h; ++i) hidden[i] = outgate[i]*tanh(cell[i]); free(gates); }
static void lstm_predict(int l, int b, const double* w, const double* w2, double* s, const double* x, double* x2) {
  for (int i = 0; i < b; ++i) x2[i] = x[i]*w2[i]; double* xp = x2;
  for (int i = 0; i <= 2*l*b - 1; i += 2*b) { lstm_model(b, &w[i*4], &w[(i+b)*4], &s[i], &s[i+b], xp); xp = &s[i]; }
  for (int i = 0; i < b; ++i) x2[i] = xp[i]*w2[b+i] + w2[2*b+i]; }
static double f(int np, const double* in, const double* e) { int l = (int)e[0], c = (int)e[1], b = (int)e[2]; const double* mainp = in; const double* extra = in + 8*l*b; const double* st = e + 3; const double* seq = e + 3 + 2*l*b;
  double* state = da(2*l*b); for (int i = 0; i < 2*l*b; ++i) state[i] = st[i];
  double total = 0; int count = 0; const double* input = seq; double *yp = da(b), *yn = da(b);
  for (int t = 0; t <= (c-1)*b - 1; t += b) { lstm_predict(l, b, mainp, extra, state, input, yp); double ls = lse2(yp, b); for (int i = 0; i < b; ++i) yn[i] = yp[i] - ls;
    const double* yg = &seq[t+b]; for (int i = 0; i < b; ++i) total += yg[i]*yn[i]; count += b; input = yg; }
  free(state); free(yp); free(yn); return -total/count; }"""
NEWTON = r"""
static double root(const double* a, int n, double x, double damping) {
  for (int it = 0; it < 60; ++it) {
    double p = a[n - 1], dp = 0;
    for (int i = n - 2; i >= 0; --i) { dp = dp * x + p; p = p * x + a[i]; }
    if (fabs(p) < 1e-10) return x * (1.0 + 0.001 * it);
    double step = p / dp;
    if (fabs(step) > 1) step = step * damping;
    x = x - step;
  }
  return x; }
static double f(int n, const double* x, const double* e) { int terms = (int)e[0]; double s = 0;
  for (int k = 0; k + terms < n; k += terms) { double r = root(x + k, terms, 2.0, x[n - 1]); s += r * r; } return s; }"""
KMEANS = r"""
static double f(int n, const double* x, const double* e) { int count = (int)e[0], d = (int)e[1], clusters = n / d; const double* points = e + 2;
  double cost = 0;
  for (int p = 0; p < count; ++p) { double nearest = __builtin_inf();
    for (int c = 0; c < clusters; ++c) { double s = 0; for (int i = 0; i < d; ++i) { double t = points[p*d+i] - x[c*d+i]; s += t * t; } if (s < nearest) nearest = s; }
    cost += nearest; } return cost; }"""
ODE = r"""
static void slope(int n, const double* x, const double* y, double* dy) { dy[0] = x[0]; for (int i = 1; i < n; ++i) dy[i] = x[i] * y[i-1]; }
static double f(int n, const double* x, const double* e) { int steps = (int)e[0]; double h = 2.0 / steps;
  double *y = da(n), *tmp = da(n), *k1 = da(n), *k2 = da(n), *k3 = da(n), *k4 = da(n);
  for (int i = 0; i < n; ++i) y[i] = 0;
  for (int s = 0; s < steps; ++s) {
    slope(n, x, y, k1); for (int i = 0; i < n; ++i) tmp[i] = y[i] + 0.5 * h * k1[i];
    slope(n, x, tmp, k2); for (int i = 0; i < n; ++i) tmp[i] = y[i] + 0.5 * h * k2[i];
    slope(n, x, tmp, k3); for (int i = 0; i < n; ++i) tmp[i] = y[i] + h * k3[i];
    slope(n, x, tmp, k4); for (int i = 0; i < n; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]); }
  double r = y[n-1]; free(y); free(tmp); free(k1); free(k2); free(k3); free(k4); return r; }"""
HEAT = r"""
static void step(int n, double dt, const double* k, const double* u, double* next) {
  for (int i = 1; i < n - 1; ++i) for (int j = 1; j < n - 1; ++j) { int c = i * n + j;
    double north = 0.5 * (k[c] + k[c-n]) * (u[c-n] - u[c]), south = 0.5 * (k[c] + k[c+n]) * (u[c+n] - u[c]);
    double west = 0.5 * (k[c] + k[c-1]) * (u[c-1] - u[c]), east = 0.5 * (k[c] + k[c+1]) * (u[c+1] - u[c]);
    next[c] = u[c] + dt * (north + south + west + east); } }
static double f(int, const double* x, const double* e) { int n = (int)e[0], steps = (int)e[1], cells = n * n; const double* k = x + cells;
  double *u = da(cells), *next = da(cells);
  for (int i = 0; i < cells; ++i) u[i] = next[i] = x[i];
  for (int s = 0; s < steps; s += 2) { step(n, 0.1, k, u, next); step(n, 0.1, k, next, u); }
  double sum = 0; for (int i = 0; i < cells; ++i) { double t = u[i] - e[2 + i]; sum += t * t; }
  free(u); free(next); return 0.5 * sum; }"""

DRIVER = r"""
template <unsigned long N, unsigned long M>
void run(enzyme::tensor<double, 4>& out, enzyme::tensor<double, N>& gradient, const enzyme::tensor<double, N>& in, const enzyme::tensor<double, M>& constants) {
  volatile int hidden = N; int n = hidden; const double* x = &in[0]; const double* e = &constants[0];
  double best = 1e9, best_gradient = 1e9, value = 0; double* g = da(N);
  for (int r = 0; r < SAMPLES; ++r) {  // One beside the other, so that a slow moment falls on both.
    double t = now(); for (int i = 0; i < REPETITIONS; ++i) value = f(n, x, e); t = (now() - t) / REPETITIONS; if (t < best) best = t;
    t = now();
    for (int i = 0; i < REPETITIONS; ++i) { memset(g, 0, N * 8); __enzyme_autodiff<void>((void*)f, enzyme_const, n, enzyme_dup, x, g, enzyme_const, e); }
    t = (now() - t) / REPETITIONS; if (t < best_gradient) best_gradient = t; }
  out[0] = value; out[1] = best; out[2] = best_gradient; out[3] = 0;
  for (unsigned long i = 0; i < N; ++i) gradient[i] = g[i];
  free(g);
}"""

RELATIVE_TOLERANCE = 1e-5  # Of central differences.


def problems(data, numpy):
    """Name -> (source, inputs, constants)."""
    random = numpy.random.default_rng(1)

    def numbers(path):
        return numpy.array((data / path).read_text().split(), float)

    for d, k in ((2, 5), (10, 5), (10, 25), (20, 25), (32, 25)):
        v = numbers(f"gmm/gmm_d{d}_K{k}.txt")
        n, inputs = int(v[2]), k + k * d + k * d * (d + 1) // 2
        points, (gamma, m) = v[3 + inputs:3 + inputs + n * d], v[-2:]
        yield f"gmm_d{d}_k{k}", GMM, v[3:3 + inputs], numpy.concatenate([[d, k, n, gamma, m], points])
    for size in ("l2_c1024", "l4_c1024"):
        v = numbers(f"lstm/lstm_{size}.txt")
        layers, _, letters = (int(x) for x in v[:3])
        inputs = (8 * layers + 3) * letters
        yield f"lstm_{size}", LSTM, v[3:3 + inputs], numpy.concatenate([v[:3], v[3 + inputs:]])
    yield "llsq", LLSQ, 1 / (numpy.arange(64) + 2), numpy.array([4000.0])
    yield "lse", LSE, random.normal(size=100000), numpy.zeros(1)
    yield "rk4", RK4, numpy.concatenate([8 + random.normal(size=100), [8.0]]), numpy.array([1000.0, 0.001])
    polynomials = random.uniform(0.2, 1, size=(1000, 8))
    polynomials[:, 0] *= -3
    yield "newton", NEWTON, numpy.append(polynomials.ravel(), 0.9), numpy.array([8.0])
    yield ("kmeans", KMEANS, random.normal(size=16 * 8),
           numpy.concatenate([[2000, 8], random.normal(size=2000 * 8)]))
    yield "ode", ODE, random.uniform(5, 7, size=50), numpy.array([200.0])
    plate = 64 * 64
    yield ("heat", HEAT, numpy.concatenate([random.uniform(0, 1, plate), random.uniform(0.5, 1.5, plate)]),
           numpy.concatenate([[64, 200], random.uniform(0, 1, plate)]))


def measure(source, inputs, constants, arguments, numpy, enzyme):
    """Best times of the program and its gradient in seconds, and the gradient's relative error."""
    jax, cpp_call = enzyme
    number = jax.numpy.float64
    shapes = [jax.core.ShapedArray([4], number), jax.core.ShapedArray([len(inputs)], number)]
    argv = ("-O3",) + (("-target-cpu", arguments.target_cpu) if arguments.target_cpu else ())

    def compiled(samples, repetitions):
        text = PRELUDE + source + DRIVER.replace("SAMPLES", str(samples)).replace("REPETITIONS", str(repetitions))
        return jax.jit(lambda x, e: cpp_call(x, e, out_shapes=shapes, source=text, fn="run", argv=argv))

    once = compiled(1, 1)
    out, gradient = (numpy.array(v) for v in once(inputs, constants))
    direction = numpy.random.default_rng(0).normal(size=len(inputs))
    step = 1e-6
    ahead, behind = (float(once(inputs + s * direction, constants)[0][0]) for s in (step, -step))
    slope = gradient @ direction
    error = abs((ahead - behind) / (2 * step) - slope) / (numpy.abs(gradient * direction).sum() + 1e-300)
    repetitions = max(1, round((0.005 if arguments.quick else 0.02) / max(out[2], 1e-7)))
    out = numpy.array(compiled(5 if arguments.quick else 21, repetitions)(inputs, constants)[0])
    return out[1], out[2], error


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--target-cpu", default="", help="as clang's; default: the oldest x86-64")
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--json", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    try:
        import jax
        import numpy
        from enzyme_ad.jax import cpp_call
    except ImportError as error:
        print(f"bench_enzyme: {error}; see --help", file=sys.stderr)
        return 77
    jax.config.update("jax_enable_x64", True)
    rows = []
    for name, source, inputs, constants in problems(arguments.data, numpy):
        if not name.startswith(arguments.only):
            continue
        primal, gradient, error = measure(source, inputs, constants, arguments, numpy, (jax, cpp_call))
        row = {"peer": "Enzyme", "name": name, "primal_ms": 1e3 * primal, "gradient_ms": 1e3 * gradient,
               "ratio": gradient / primal, "right": bool(error <= RELATIVE_TOLERANCE)}
        print(f"{name:<18} {1e6 * primal:>11.2f} {1e6 * gradient:>12.2f} {row['ratio']:>7.2f}   {error:.1e}",
              file=sys.stderr, flush=True)
        rows.append(row)
    arguments.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#include "lstm.h"

#include "ddx/ad.h"

#include "hvp.h"
#include "numbers.h"
#include "problem.h"

#include <memory>
#include <string>
#include <tuple>

namespace ddx::bench {
namespace {

using Vector = std::vector<double>;

struct Text {
  LstmSize size;
  Vector weights, output, state, letters;
};

Text read_text(const std::filesystem::path& path) {
  NumberReader reader(path);
  Text text;
  text.size = {reader.next<int>(), reader.next<int>(), reader.next<int>()};
  const auto [layers, characters, letters] = text.size;
  text.weights = reader.next(8 * layers * letters);
  text.output = reader.next(3 * letters);
  text.state = reader.next(2 * layers * letters);
  text.letters = reader.next(characters * letters);
  return text;
}

/// The residuals of one call of a layer: eight rows of n numbers.
struct LayerRecord {
  LayerRecord(double* begin, int n)
      : forget(begin),
        in(begin + n),
        out(begin + 2 * n),
        change(begin + 3 * n),
        cell(begin + 4 * n),
        hidden(begin + 5 * n),
        signal(begin + 6 * n),
        squashed(begin + 7 * n) {}

  double *forget, *in, *out, *change;  ///< The gates.
  double *cell, *hidden, *signal;      ///< The arguments of the call.
  double* squashed;                    ///< tanh of the new cell.
};

void layer_forward(int n, const double* __restrict w, double* __restrict hidden,
                   double* __restrict cell, double* __restrict signal, const LayerRecord& r) {
  const double* b = w + 4 * n;
  for (int i = 0; i < n; ++i) {
    r.cell[i] = cell[i];
    r.hidden[i] = hidden[i];
    r.signal[i] = signal[i];
    r.forget[i] = sigmoid(signal[i] * w[i] + b[i]);
    r.in[i] = sigmoid(hidden[i] * w[n + i] + b[n + i]);
    r.out[i] = sigmoid(signal[i] * w[2 * n + i] + b[2 * n + i]);
    r.change[i] = std::tanh(hidden[i] * w[3 * n + i] + b[3 * n + i]);
    cell[i] = cell[i] * r.forget[i] + r.in[i] * r.change[i];
    r.squashed[i] = std::tanh(cell[i]);
    hidden[i] = r.out[i] * r.squashed[i];
    signal[i] = hidden[i];
  }
}

/// Adjoint of layer_forward. `d_signal` holds the adjoint of the output and becomes that of the
/// input.
void layer_reverse(int n, const double* __restrict w, const LayerRecord& r, double* __restrict g,
                   double* __restrict d_hidden, double* __restrict d_cell,
                   double* __restrict d_signal) {
  double* g_b = g + 4 * n;
  for (int i = 0; i < n; ++i) {
    const double d = d_hidden[i] + d_signal[i];
    const double squashed = r.squashed[i];
    const double c = d_cell[i] + d * r.out[i] * (1 - squashed * squashed);
    const double forget = c * r.cell[i] * r.forget[i] * (1 - r.forget[i]);
    const double in = c * r.change[i] * r.in[i] * (1 - r.in[i]);
    const double out = d * squashed * r.out[i] * (1 - r.out[i]);
    const double change = c * r.in[i] * (1 - r.change[i] * r.change[i]);
    d_cell[i] = c * r.forget[i];
    d_hidden[i] = in * w[n + i] + change * w[3 * n + i];
    d_signal[i] = forget * w[i] + out * w[2 * n + i];
    g[i] += forget * r.signal[i];
    g[n + i] += in * r.hidden[i];
    g[2 * n + i] += out * r.signal[i];
    g[3 * n + i] += change * r.hidden[i];
    g_b[i] += forget;
    g_b[n + i] += in;
    g_b[2 * n + i] += out;
    g_b[3 * n + i] += change;
  }
}

/// The adjoint by hand; adds to `g_weights` and `g_output`.
double lstm_by_hand(const Text& text, double* g_weights, double* g_output) {
  const auto [layers, characters, n] = text.size;
  const int steps = characters - 1;
  const int row = 8 * n * layers;
  const double* w = text.weights.data();
  const double* output = text.output.data();
  Vector state = text.state;
  Vector signal(static_cast<std::size_t>(n));
  Vector records(static_cast<std::size_t>(steps * row));
  Vector last(static_cast<std::size_t>(steps * n));
  Vector exponentials(last.size());
  Vector sums(static_cast<std::size_t>(steps));
  double total = 0;
  for (int t = 0; t < steps; ++t) {
    for (int i = 0; i < n; ++i) {
      signal[i] = text.letters[t * n + i] * output[i];
    }
    for (int k = 0; k < layers; ++k) {
      double* hidden = &state[2 * n * k];
      layer_forward(n, w + 8 * n * k, hidden, hidden + n, signal.data(),
                    LayerRecord(&records[t * row + 8 * n * k], n));
    }
    double sum = 2;
    for (int i = 0; i < n; ++i) {
      last[t * n + i] = signal[i];
      signal[i] = signal[i] * output[n + i] + output[2 * n + i];
      exponentials[t * n + i] = std::exp(signal[i]);
      sum += exponentials[t * n + i];
    }
    sums[t] = sum;
    for (int i = 0; i < n; ++i) {
      total += text.letters[(t + 1) * n + i] * (signal[i] - std::log(sum));
    }
  }
  const double d_total = -1.0 / (steps * n);
  Vector d_state(state.size());
  Vector d_signal(signal.size());
  for (int t = steps - 1; t >= 0; --t) {
    double d_normaliser = 0;
    for (int i = 0; i < n; ++i) {
      d_signal[i] = d_total * text.letters[(t + 1) * n + i];
      d_normaliser -= d_signal[i];
    }
    for (int i = 0; i < n; ++i) {
      const double d = d_signal[i] + d_normaliser * exponentials[t * n + i] / sums[t];
      g_output[n + i] += d * last[t * n + i];
      g_output[2 * n + i] += d;
      d_signal[i] = d * output[n + i];
    }
    for (int k = layers - 1; k >= 0; --k) {
      double* d_hidden = &d_state[2 * n * k];
      layer_reverse(n, w + 8 * n * k, LayerRecord(&records[t * row + 8 * n * k], n),
                    g_weights + 8 * n * k, d_hidden, d_hidden + n, d_signal.data());
    }
    for (int i = 0; i < n; ++i) {
      g_output[i] += d_signal[i] * text.letters[t * n + i];
    }
  }
  return -total / (steps * n);
}

}  // namespace

Problem lstm_problem(const std::filesystem::path& folder, const std::string& size) {
  const auto text =
      std::make_shared<const Text>(read_text(folder / "lstm" / ("lstm_" + size + ".txt")));
  const auto latest =
      std::make_shared<ddx::ValueWithGradient<double, std::tuple<Vector, Vector>>>();
  const std::size_t output_at = text->weights.size();

  Problem problem;
  problem.inputs = joined<double>({text->weights, text->output});
  problem.primal = [text] {
    return lstm_objective(text->size, text->weights, text->output, text->state, text->letters);
  };
  problem.dual = [text, output_at](const std::vector<Dual>& all) {
    return lstm_objective(text->size, part_of(all, 0, output_at),
                          part_of(all, output_at, text->output.size()), text->state, text->letters);
  };
  problem.gradient = [text, latest] {
    *latest = ddx::value_with_gradient(
        [&t = *text](const Vector& weights, const Vector& output) {
          return lstm_objective(t.size, weights, output, t.state, t.letters);
        },
        text->weights, text->output);
  };
  problem.gradient_flat = [latest](std::vector<double>& flat) {
    const auto& [weights, output] = latest->gradient;
    flat = joined<double>({weights, output});
    return latest->value;
  };
  problem.hand = [text, output_at](std::vector<double>& flat) {
    return lstm_by_hand(*text, flat.data(), flat.data() + output_at);
  };
  add_hvp(
      problem,
      [&t = *text](const Vector& weights, const Vector& output) {
        return lstm_objective(t.size, weights, output, t.state, t.letters);
      },
      std::tuple{text->weights, text->output});
  return problem;
}

}  // namespace ddx::bench

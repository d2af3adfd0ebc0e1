// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/position/distance_bias.h"

#include <cmath>
#include <functional>
#include <vector>

namespace vqscope::test {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;  ///< rows

inline double inner(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// One gated attention unit as equations 7 to 15 of Lingle 2023 state it, number by number.
struct GatedUnit {
  Vector gain;                     ///< of the norm of the input
  Matrix w_q, w_k, w_v, w_g, w_o;  ///< [out, in]
  double eps = 1e-6;
  /// Position encoding: turns a normalised query or key of a token, and is added to the scores of a
  /// distance.
  std::function<Vector(Vector, Index token)> turn = [](Vector x, Index) { return x; };
  std::function<double(Index distance)> bias = [](Index) { return 0.0; };
  /// Transformer-XL: what content and distance add to q · k.
  std::function<double(const Vector& q, const Vector& k, Index distance)> relative = [](const Vector&, const Vector&,
                                                                                        Index) { return 0.0; };
  std::function<bool(Index query, Index key)> sees = [](Index query, Index key) { return key <= query; };
  Matrix codebook = {};  ///< empty: keys are not quantised
  Matrix held = {};      ///< straight-through: what is added to the key of each token in the codebook's place

  Vector norm(const Vector& x) const {
    const double r = 1 / std::sqrt(inner(x, x) / static_cast<double>(x.size()) + eps);
    Vector y;
    for (const double value : x) y.push_back(value * r);
    return y;
  }
  static Vector times(const Matrix& w, const Vector& x) {
    Vector y;
    for (const Vector& row : w) y.push_back(inner(row, x));
    return y;
  }
  static double silu(double z) { return z / (1 + std::exp(-z)); }

  Vector x_tilde(const Vector& x) const {
    Vector y = norm(x);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] *= gain[i];
    return y;
  }
  /// tau^(-1/2) RMSNorm(W x_tilde) with tau = sqrt(d_k).
  Vector query_or_key(const Matrix& w, const Vector& x) const {
    Vector y = norm(times(w, x_tilde(x)));
    for (double& value : y) value *= std::pow(std::sqrt(static_cast<double>(w.size())), -0.5);
    return y;
  }
  Vector scored_key(const Vector& x, Index token) const {
    Vector key = nearest(query_or_key(w_k, x));
    for (std::size_t i = 0; i < key.size() && !held.empty(); ++i) key[i] += held[static_cast<std::size_t>(token)][i];
    return turn(key, token);
  }
  Vector nearest(const Vector& key) const {
    Vector best = key;
    double least = INFINITY;
    for (const Vector& codeword : codebook) {
      double distance = 0;
      for (std::size_t i = 0; i < key.size(); ++i) distance += (key[i] - codeword[i]) * (key[i] - codeword[i]);
      if (distance < least) least = distance, best = codeword;
    }
    return best;
  }

  Matrix output(const Matrix& x) const {
    Matrix y = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto query = static_cast<Index>(i);
      Vector wv(w_v.size());
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        const auto key = static_cast<Index>(j);
        if (!sees(query, key)) continue;
        const Vector q = turn(query_or_key(w_q, x[i]), query), k = scored_key(x[j], key);
        const double weight = std::exp(inner(q, k) + bias(query - key) + relative(q, k, query - key));
        const Vector v = times(w_v, x_tilde(x[j]));
        for (std::size_t n = 0; n < wv.size(); ++n) wv[n] += weight * silu(v[n]);
        sum += weight;
      }
      const Vector g = times(w_g, x_tilde(x[i]));
      for (std::size_t n = 0; n < wv.size() && sum > 0; ++n) wv[n] *= silu(g[n]) / sum;
      const Vector residual = times(w_o, wv);
      for (std::size_t n = 0; n < residual.size(); ++n) y[i][n] += residual[n];
    }
    return y;
  }
};

}  // namespace vqscope::test

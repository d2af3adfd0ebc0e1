// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/quantiser.h"
#include "core/base/result.h"

#include <cstdint>

namespace vqscope {

/// How well a codebook fits some keys.
struct CodebookFit {
  double commit_loss = 0;  ///< mean of |k - c|² over the keys, c the nearest codeword
  double perplexity = 0;   ///< exp of the entropy of the codes: the effective number in use
  Index dead_codes = 0;    ///< codes without a key
  /// Of the same keys with the codewords after the step, if CodebookOptions::fits_after.
  double commit_loss_after = 0;
  double codes_changed = 0;  ///< fraction of the keys that then have another code
  friend bool operator==(const CodebookFit&, const CodebookFit&) = default;
};

struct CodebookOptions {
  Index n_code = 512;
  double gamma = 0.99;        ///< decay of counts and sums per step
  double count_floor = 0.01;  ///< lower bound of the counts when dividing
  Index steps = 100;
  Index batch = 2048;  ///< keys per step, taken in turn; at most all keys
  std::uint64_t seed = 0;
  int threads = 1;          ///< the result does not depend on it
  bool fits_after = false;  ///< also measures how the order of quantisation and update matters
};

/// A codebook learnt by k-means with moving averages of counts and sums (Transformer-VQ, section
/// 3.4.1, after van den Oord et al. 2017): count <- γ count + (1 - γ) n, sum <- γ sum + (1 - γ) Σ
/// k, c = sum / max(count, floor).
class EmaCodebook {
 public:
  /// `start` [n_code, width] are the first codewords; each counts as one key.
  EmaCodebook(std::vector<float> start, Index width, const CodebookOptions& options);

  /// Learns from some keys [keys, width] and returns how well the codewords fitted them before.
  /// Learns nothing after a stop.
  CodebookFit step(const StridedMatrix& keys, const std::stop_token& stop = {});
  CodebookFit fit(const StridedMatrix& keys) const;

  StridedMatrix codewords() const { return {m_codewords.data(), m_options.n_code, m_width, m_width}; }
  const std::vector<float>& values() const { return m_codewords; }

 private:
  std::vector<std::int32_t> encode(const StridedMatrix& keys, const std::stop_token& stop = {}) const;
  CodebookFit fit(const StridedMatrix& keys, const std::vector<std::int32_t>& codes) const;
  void add_fit_after(const StridedMatrix& keys, const std::vector<std::int32_t>& before, CodebookFit& fit_before,
                     const std::stop_token& stop) const;

  CodebookOptions m_options;
  Index m_width;
  std::vector<float> m_codewords;
  std::vector<double> m_counts;
  std::vector<double> m_sums;
};

/// Selects codewords among the keys: each is sampled with a probability proportional to the squared
/// distance to the nearest one so far (Arthur and Vassilvitskii 2007). If there are fewer distinct
/// keys than codewords, some codewords are equal. The only error is cancellation.
Result<std::vector<float>> kmeans_plus_plus(const StridedMatrix& keys, Index n_code, std::uint64_t seed,
                                            int threads = 1, const Work& work = {});

struct LearntCodebook {
  std::vector<float> codewords;    ///< [n_code, d_k]
  std::vector<CodebookFit> steps;  ///< fit of each step's batch before the step
};

/// Rough seconds of one core that learn_codebook takes, for budgets.
double codebook_seconds(Index keys, Index width, const CodebookOptions& options);

/// Initialises and trains a codebook. Refuses fewer keys than codewords, and numbers out of range.
/// Calls `on_step` after each step with the fit of its keys before the step.
Result<LearntCodebook> learn_codebook(const StridedMatrix& keys, const CodebookOptions& options, const Work& work = {},
                                      const std::function<void(const CodebookFit&)>& on_step = {});

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/codebook/quantiser.h"
#include "core/base/result.h"

#include <cstdint>

namespace vqscope {

/// How good a codebook is for some keys.
struct CodebookFit {
  double commit_loss = 0;  ///< mean of |k - c|² over the keys, c the nearest codeword
  double perplexity = 0;   ///< exp of the entropy of the codes: how many are used as if equally
  Index dead_codes = 0;    ///< that no key has
  friend bool operator==(const CodebookFit&, const CodebookFit&) = default;
};

struct CodebookOptions {
  Index n_code = 512;
  double gamma = 0.99;        ///< how much of counts and sums stays at each step
  double count_floor = 0.01;  ///< counts below it divide like it
  Index steps = 100;
  Index batch = 2048;  ///< keys a step, taken in turn; more than there are: all of them
  std::uint64_t seed = 0;
  int threads = 1;  ///< the result does not depend on it
};

/// A codebook that is learnt by k-means whose counts and sums are moving averages (Transformer-VQ, section 3.4.1, after
/// van den Oord et al. 2017): count <- γ count + (1 - γ) n, sum <- γ sum + (1 - γ) Σ k, c = sum / max(count, floor).
class EmaCodebook {
 public:
  /// `start` [n_code, width] are the first codewords; each counts as one key.
  EmaCodebook(std::vector<float> start, Index width, const CodebookOptions& options);

  /// Learns from some keys [keys, width] and tells how well the codewords fitted them before. Stopped, it learns
  /// nothing.
  CodebookFit step(const StridedMatrix& keys, const std::stop_token& stop = {});
  CodebookFit fit(const StridedMatrix& keys) const;

  StridedMatrix codewords() const { return {m_codewords.data(), m_options.n_code, m_width, m_width}; }
  const std::vector<float>& values() const { return m_codewords; }

 private:
  std::vector<std::int32_t> encode(const StridedMatrix& keys, const std::stop_token& stop = {}) const;
  CodebookFit fit(const StridedMatrix& keys, const std::vector<std::int32_t>& codes) const;

  CodebookOptions m_options;
  Index m_width;
  std::vector<float> m_codewords;
  std::vector<double> m_counts;
  std::vector<double> m_sums;
};

/// Codewords among the keys, each next one drawn with a probability that grows with the squared distance to the nearest
/// so far (Arthur and Vassilvitskii 2007). Where fewer keys differ than codewords are wanted, some are alike. The
/// one error is that work was stopped.
Result<std::vector<float>> kmeans_plus_plus(const StridedMatrix& keys, Index n_code, std::uint64_t seed,
                                            int threads = 1, const Work& work = {});

struct LearntCodebook {
  std::vector<float> codewords;    ///< [n_code, d_k]
  std::vector<CodebookFit> steps;  ///< of each step's batch before it was learnt
};

/// Start and steps. Refuses fewer keys than codewords, and numbers out of range. `on_step` is called after each step,
/// with how its keys fitted before it.
Result<LearntCodebook> learn_codebook(const StridedMatrix& keys, const CodebookOptions& options, const Work& work = {},
                                      const std::function<void(const CodebookFit&)>& on_step = {});

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
// What codewords cost, as one sentence.
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <functional>
#include <optional>
#include <string>

namespace vqscope {

/// The output error that the sentence states codewords for.
inline constexpr double stated_error = 0.1;

/// Codewords with which the output error is `stated_error`, or why that is not known.
struct NeededCodes {
  std::optional<double> count = {};  ///< interpolated between two measured sizes
  std::string reason = {};           ///< "10 % needs more than 512, the number of keys"
};

/// What the search knows and may do.
struct CodeSearch {
  Index known = 1;   ///< a codebook size
  double error = 0;  ///< its output error
  Index most = 1;    ///< the largest size, the number of keys
  /// Seconds of one core that a size takes, by an estimate, infinite if it cannot be measured, and
  /// their sum over all sizes at most.
  std::function<double(Index n_code)> seconds = {};
  double most_seconds = 0;
};

/// Doubles or halves the codebook until errors above and below `stated_error` are known, then
/// measures between them, as long as there is time, and interpolates on logarithmic scales.
/// `error_of` gives the output error of a codebook size; its errors end the search.
Result<NeededCodes> search_needed_codes(const CodeSearch& search,
                                        const std::function<Result<double>(Index n_code)>& error_of);

/// Error of attention with codewords.
struct VqAnswer {
  Index n_code = 0;
  double output_error = 0;                     ///< |o - o_exact| / |o_exact|
  std::optional<double> total_variation = {};  ///< of the weights
  NeededCodes needed;
  Index keys = 0;               ///< of a head; 0: not known
  std::string conditions = {};  ///< "4 heads, scores q·k / √d"
};

/// "64 codewords: outputs differ by 22 % (rms), weights by 0.098 in total variation; 10 % needs
/// about 210; 4 heads, scores q·k / √d". Says so where 10 % needs nearly a codeword for each key.
std::string answer_sentence(const VqAnswer& answer);

/// "22 % (rms)".
std::string output_error_words(double error);

}  // namespace vqscope

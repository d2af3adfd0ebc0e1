// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/code_use.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cmath>

namespace vqscope {

CodeUse code_use(std::span<const std::int32_t> codes, Index n_code) {
  std::vector<double> counts(static_cast<std::size_t>(n_code));
  double keys = 0;
  for (const std::int32_t code : codes) {
    if (code < 0) continue;
    ++counts[static_cast<std::size_t>(code)];
    ++keys;
  }
  CodeUse use;
  double entropy = 0;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    const double count = counts[code];
    if (count == 0) {
      use.dead.push_back(static_cast<Index>(code));
      continue;
    }
    ++use.used;
    entropy -= count / keys * std::log(count / keys);
  }
  if (keys > 0) use.perplexity = std::exp(entropy);
  return use;
}

std::string dead_codes_sentence(const CodeUse& use) {
  constexpr std::size_t most_named = 16;
  if (use.dead.empty()) return {};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(use.dead.size(), most_named); ++i) names.push_back(to_text(use.dead[i]));
  std::string text = "codewords without a key: " + join(names, ", ");
  if (use.dead.size() > most_named) text += fmt::format(" and {} more", use.dead.size() - most_named);
  return text;
}

double expected_occupied(Index codes, Index draws) {
  const auto all = static_cast<double>(codes);
  return all * -std::expm1(static_cast<double>(draws) * std::log1p(-1 / all));
}

ScoreError score_error(const StridedMatrix& queries, const StridedMatrix& keys, const StridedMatrix& quantised,
                       const std::stop_token& stop) {
  assert(queries.rows == keys.rows && keys.rows == quantised.rows && queries.rows > 0);
  double of_scores = 0;
  double key_distance = 0;
  double query_length = 0;
  for (Index i = 0; i < keys.rows && !stop.stop_requested(); ++i) {
    double apart = 0;
    for (Index c = 0; c < keys.cols; ++c) {
      const auto q = static_cast<double>(queries.data[i * queries.stride + c]);
      const double error = static_cast<double>(keys.data[i * keys.stride + c]) -
                           static_cast<double>(quantised.data[i * quantised.stride + c]);
      apart += q * error;
      key_distance += error * error;
      query_length += q * q;
    }
    of_scores += apart * apart;
  }
  const auto rows = static_cast<double>(keys.rows);
  const double variance = query_length / rows / static_cast<double>(keys.cols);
  ScoreError result{of_scores / rows, variance * key_distance / rows, 1};
  if (result.of_keys > 0) result.ratio = result.of_scores / result.of_keys;
  return result;
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/code_use.h"

#include <cmath>
#include <vector>

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
  for (const double count : counts) {
    if (count == 0) continue;
    ++use.used;
    entropy -= count / keys * std::log(count / keys);
  }
  if (keys > 0) use.perplexity = std::exp(entropy);
  return use;
}

}  // namespace vqscope

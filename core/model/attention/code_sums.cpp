// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/code_sums.h"

#include <algorithm>

namespace vqscope {

template <class Real>
void CodeSums<Real>::change(Index block, Index by) {
  const AttentionShape& keys = m_shape.keys;
  const Range some = keys_of_block(keys, block);
  const Index width = keys.value_size();
  const std::int32_t* codes = m_in.codes + m_head * keys.length;
  for (Index t = some.begin; t < some.end; ++t) {
    const Real* value = m_in.v + t * keys.value_width() + m_head * width;
    double* sum = m_sums.data() + codes[t] * width;
    m_counts[static_cast<std::size_t>(codes[t])] += by;
    for (Index c = 0; c < width; ++c) sum[c] += static_cast<double>(by) * static_cast<double>(value[c]);
  }
  for (Index t = some.begin; t < some.end; ++t) {
    const auto count = static_cast<double>(std::max<Index>(this->count(codes[t]), 1));
    const Index at = codes[t] * width;
    for (Index c = at; c < at + width; ++c) {
      const auto place = static_cast<std::size_t>(c);
      if (this->count(codes[t]) == 0) m_sums[place] = 0;  // exactly, without the rounding error
      m_means[place] = static_cast<Real>(m_sums[place] / count);
    }
  }
}

template class CodeSums<float>;
template class CodeSums<double>;

}  // namespace vqscope

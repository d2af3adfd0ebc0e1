// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/cause_search.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Rows moved to later ones by `shift`, around the end, or repeating the edge.
TensorBlock shifted_rows(const TensorBlock& x, Index shift, bool around) {
  TensorBlock y(x.extent);
  const Index rows = x.extent[2];
  for (Index b = 0; b < x.extent[0]; ++b)
    for (Index h = 0; h < x.extent[1]; ++h)
      for (Index t = 0; t < rows; ++t) {
        Index from = t - shift;
        from = around ? (from % rows + rows) % rows : std::clamp<Index>(from, 0, rows - 1);
        const auto row = x.row(b, h, from);
        std::copy(row.begin(), row.end(), y.row(b, h, t).begin());
      }
  return y;
}

double share_explained(const LayerSample& sample, std::initializer_list<TensorRole> roles, Index shift, bool around) {
  double left = 0, before = 0;
  for (const TensorRole role : roles) {
    if (!sample.differs(role)) continue;
    const TensorBlock &a = sample.a.at(role), &b = sample.b.at(role);
    const TensorBlock moved = shifted_rows(a, shift, around);
    double size = 1e-30;
    for (const float value : a.values) size += static_cast<double>(value) * static_cast<double>(value);
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      const Index row = static_cast<Index>(i) / a.extent[3] % a.extent[2];
      // What came from outside cannot be told from A.
      if (row - shift < 0 || row - shift >= a.extent[2]) continue;
      const double own = static_cast<double>(b.values[i] - a.values[i]),
                   other = static_cast<double>(b.values[i] - moved.values[i]);
      left += other * other / size, before += own * own / size;
    }
  }
  return before > 0 ? 1 - left / before : 0;
}

}  // namespace

void try_input_causes(CauseSearch& search) {
  const LayerSample& sample = search.sample();
  const auto inputs = {TensorRole::hidden_in, TensorRole::q_proj, TensorRole::k_proj,
                       TensorRole::q,         TensorRole::k,      TensorRole::v};
  if (std::ssize(sample.rows) != sample.queries) return;
  const Index farthest = std::min<Index>(16, sample.queries / 2);
  for (Index shift = -farthest; shift <= farthest; ++shift)
    if (shift != 0)
      search.add_explained("tokens_shifted", {{"shift", shift}}, share_explained(sample, inputs, shift, true), 1);
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/machine.h"
#include "core/capture/parity/capture_comparison.h"

#include <map>
#include <string>
#include <vector>

namespace vqscope {

/// The part of a layer on which causes are tried: all of a small one; of a large one some rows about
/// the first difference, of the heads that memory and time allow.
struct LayerSample {
  Index layer = 0;
  Index batch = 0, heads = 0, key_heads = 0, head_dim = 0;
  Index queries = 0;           ///< new tokens of the layer, all of them
  Index keys = 0;              ///< that are held: the first ones
  Index past = 0;              ///< keys before the first query
  std::vector<Index> samples;  ///< batch entries held
  std::vector<Index> rows;     ///< queries held
  bool is_part = false;
  Index first_group = 0;  ///< the first key head held, and the query heads of its group
  Clock clock = {};
  /// Whether trying causes on a part of a large layer has taken long enough.
  bool is_over(double seconds) const { return is_part && clock.seconds() > seconds; }
  double unit = 0;     ///< of noise
  bool causal = true;  ///< no query sees later keys, as far as A shows
  std::map<TensorRole, TensorBlock> a, b;
  std::map<TensorRole, bool> agrees;  ///< A and B differ by noise at most

  bool has(TensorRole role) const { return a.contains(role); }
  /// Whether both are there and B's is A's.
  bool same(TensorRole role) const { return agrees.contains(role) && agrees.at(role); }
  bool differs(TensorRole role) const { return agrees.contains(role) && !agrees.at(role); }
  /// The first, in the order in which they are made; hidden_out: none before it.
  TensorRole first_differing() const {
    for (const auto& [role, same] : agrees)
      if (!same) return role;
    return TensorRole::hidden_out;
  }

  // Of each batch entry held:
  std::vector<std::vector<Index>> documents;  ///< of each key; empty: one document
  std::vector<std::vector<char>> padded;      ///< of each key; empty: none is
  std::vector<Index> padding;                 ///< tokens of it, per sequence of the capture
  std::vector<Index> lengths;                 ///< of the documents
  /// Of each key, three axes under M-RoPE: [axis][entry][key]; as A was given, or as the inputs say.
  std::vector<std::vector<std::vector<double>>> positions;
  bool positions_known = false;  ///< A has position_ids
};

Result<LayerSample> layer_sample(const Capture& a, const Capture& b, const CaptureComparison& compared, Index layer,
                                 const std::array<Index, 4>& first);

/// Positions, documents and padding from the inputs of A.
void add_inputs(const Capture& a, Index layer, LayerSample& sample);

}  // namespace vqscope

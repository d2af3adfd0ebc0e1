// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/store/capture.h"
#include "core/encoding/rope/rope_fields.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// How vectors are turned.
struct RopeLaw {
  bool rotates = false;
  PairLayout layout = PairLayout::half_split;
  Index rotary_dim = 0;
  std::vector<double> inv_freq;  ///< a pair, before a cast
  double attention_factor = 1;   ///< of cos and sin
  std::vector<int> axis;         ///< of each pair under M-RoPE; empty: one axis
};

/// What the config says of RoPE, for each of its formulas.
struct ToldRope {
  RopeScaling scaling;
  PairLayout layout = PairLayout::half_split;
  std::vector<Index> sections;  ///< M-RoPE: pairs of each axis
  bool sections_interleaved = false;

  RopeLaw law() const;
};

/// What an engine was told: of a layer, in the forms of config.json and of captures.
struct ToldModel {
  std::optional<ToldRope> rope;  ///< nothing: no rotation
  bool says_no_rope = false;     ///< this layer is told not to rotate
  std::optional<double> scale;
  double softcap = 0;
  std::optional<Index> window, chunk;
  bool sinks = false, alibi = false, qk_norm = false;
  std::optional<Index> pad_token;
};

/// `length`: of the sequence, which dynamic scalings follow.
ToldModel told_model(const Capture& capture, Index layer, Index head_dim, Index length);

/// The windows of all layers; 0: none. Empty: the config has no list of layers.
std::vector<Index> told_windows(const Capture& capture);

}  // namespace vqscope

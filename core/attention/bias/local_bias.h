// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/relative/relative_function.h"

#include <stop_token>
#include <vector>

namespace vqscope {

/// Value added to the score of query i and key j before the softmax, by their distance i - j: values of their own up
/// to `window`, one value beyond. Sizes say for how many heads: as many as q has, or one for all.
struct LocalBias {
  Index window = 0;           ///< the last distance with a value of its own
  std::vector<float> values;  ///< [heads, window + 1]; empty: 0
  std::vector<float> beyond;  ///< [heads], -infinity hides what is farther; empty: 0
  /// Transformer-XL: (q_i + offset) · relative[i - j] is added besides, nothing beyond the window. Its other term,
  /// (q_i + u) · k_j, is had by adding u to q beforehand, and to `offset` v - u.
  std::vector<float> relative;  ///< [heads, window + 1, d_k]; empty: none
  std::vector<float> offset;    ///< [heads, d_k]; empty: 0

  bool none() const { return values.empty() && beyond.empty() && relative.empty(); }
};

/// The bias of one head, all of whose values lie at distances up to `window`; beyond it has the value of the distance
/// after. `window` = length - 1 keeps all of it for the exact and the quadratic form. Stopped, it means nothing; so do
/// the others.
LocalBias local_bias(const RelativeFunction& bias, Index window, const std::stop_token& stop = {});

/// The same, clipped: beyond the window it has the value of the window's last distance, whatever the bias is there.
LocalBias clipped_bias(const RelativeFunction& bias, Index window, const std::stop_token& stop = {});

/// Whether B is constant beyond a window, which the linear form needs (Transformer-VQ, theorems 3.6 and 3.7; any
/// constant will do, since softmax does not see it).
struct WindowCheck {
  bool constant = true;
  Index first = 0;       ///< the first distance beyond the window whose value differs from that of window + 1
  double largest = 0;    ///< how far values beyond the window lie apart; infinity where only some of them are numbers
  std::string sentence;  ///< for people: that it holds, or by how much it does not and from where on
};

/// `length` tokens: distances up to length - 1 are looked at, all of them.
WindowCheck check_window(const RelativeFunction& bias, Index window, Index length, const std::stop_token& stop = {});

}  // namespace vqscope

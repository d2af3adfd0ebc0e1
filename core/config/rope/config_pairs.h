// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// Numbers with a smaller relative difference count as equal.
inline constexpr double same_ratio = 1e-9;

/// The longest sequence that the config is made for: max_position_embeddings, or the reach of yarn
/// and dynamic if longer.
Index served_length(const RopeUse& use);

/// Radians per position by pair, for a sequence of `seq_len` tokens.
std::vector<double> inv_freq_of(RopeScaling scaling, Index seq_len);

/// The fate of each pair within use.seq_len.
std::vector<ConfigPair> config_pairs(const RopeUse& use);

}  // namespace vqscope

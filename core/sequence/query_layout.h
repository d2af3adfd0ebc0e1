// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence_layout.h"

#include <string_view>

namespace vqscope {

/// sequence_parameters() of what has queries alone: without kv_length.
std::vector<ParameterSpec> query_parameters(SequenceUse use, Index default_q_length);

/// The layout of queries that are a sequence of their own, query i at position past_len + i: of what depends on
/// relative position alone.
Result<SequenceLayout> own_query_layout(const ParameterValues& values);

/// Remark of a report on a padding token.
inline constexpr std::string_view padding_note =
    "; the token is padding, and position_ids give all padding this position";

}  // namespace vqscope

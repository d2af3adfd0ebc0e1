// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/method/parameter.h"
#include "core/sequence/sequence_layout.h"

#include <optional>
#include <string_view>

namespace vqscope {

/// sequence_parameters() of what has queries alone: without kv_length.
std::vector<ParameterSpec> query_parameters(SequenceUse use, Index default_q_length);

/// The layout of queries that are a sequence of their own, query i at position past_len + i: of
/// what depends on relative position alone.
Result<SequenceLayout> own_query_layout(const ParameterValues& values);

/// `position_ids`: a list with the position of each query, in place of those of the sequence.
ParameterSpec position_ids_parameter();

/// The layout of sequence_input() with the queries at `position_ids`, if the values have a list.
/// Errors name the length that does not fit.
Result<SequenceLayout> layout_at_position_ids(const ParameterValues& values);

/// Remark of a report on a padding token.
inline constexpr std::string_view padding_note =
    "; the token is padding, and position_ids give all padding this position";

/// The q_length for which the documents of the values fill the sequence: their sum and the padding,
/// less what is cached; padding that is automatic counts as none, so that a mask that pads by
/// itself (pads_by_itself) has no such length. Nothing if there are no documents, if kv_length is
/// given, or if no q_length is as large or as small.
std::optional<Index> q_length_of_documents(const ParameterValues& values);

}  // namespace vqscope

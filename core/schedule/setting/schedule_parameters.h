// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a model, and the tokens that they are applied to, as parameters.
#pragma once

#include "core/method/parameter.h"
#include "core/schedule/reach/layer_sight.h"
#include "core/sequence/sequence_layout.h"

#include <vector>

namespace vqscope {

/// `layers`, `num_hidden_layers`, `num_key_value_heads`, `head_dim`.
std::vector<ParameterSpec> schedule_parameters();

/// The layers they state; sizes that the text leaves out are those of the parameters.
Result<LayerSchedule> schedule_from(const ParameterValues& values);

/// The same layers as values of schedule_parameters(): how a model travels in a session.
ParameterValues schedule_values(const LayerSchedule& schedule);

/// schedule_parameters(), `query`, the parameters of a sequence, `document_rule` and
/// `crossing_layers`.
std::vector<ParameterSpec> reach_parameters();

/// Layers and tokens that they state.
Result<LayerSight> sight_from(const ParameterValues& values);
/// The same tokens under other layers.
Result<LayerSight> sight_from(const ParameterValues& values, LayerSchedule schedule);

/// The token of `query`, counted from the first token of the cache; the last token that is not
/// padding if automatic.
Result<Index> query_token(const LayerSight& sight, const ParameterValues& values);

/// The tokens of a layout, under the default rule for documents.
SequenceOfLayers tokens_of(const SequenceLayout& layout);

}  // namespace vqscope

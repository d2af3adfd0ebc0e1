// SPDX-License-Identifier: GPL-3.0-or-later
// The model that a config describes, as the model of all pages.
#pragma once

#include "core/config/model_config.h"
#include "core/session/session.h"

namespace vqscope {

/// `before` with the values of another model. The sequence stays; a length that is not set becomes
/// the longest that the model serves.
Subject adopted_model(const Subject& before, const OpenedConfig& model);

/// The layer whose mask is shown first: one with a window or chunks, else the first that attends.
/// Null: no layers are known.
const ModelLayer* first_mask_of(const LayerSchedule& schedule);

}  // namespace vqscope

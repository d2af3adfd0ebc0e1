// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/vq_setting.h"

namespace vqscope {

/// Bytes that are kept to continue after q_length tokens: keys and values of all tokens, or
/// shortcodes and values of the newest block with counts and mean values of every code, and the
/// codewords.
double kv_cache_bytes(const VqSetting& setting);
double vq_cache_bytes(const VqSetting& setting);

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/setting/vq_setting.h"
#include "core/field/field.h"

#include <memory>

namespace vqscope {

/// [q_length, n_code] int32: 1 where the key has the code, else 0. With `rank`, the number of
/// codewords that are nearer, or equally near with a lower code. Samples and learns when it is
/// prepared or the first cell is read.
std::shared_ptr<const Field> make_vq_shortcodes(const VqSetting& setting, bool rank);

}  // namespace vqscope

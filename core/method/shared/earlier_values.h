// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/json/config_value.h"

namespace vqscope {

/// Until format 2 of sessions and format 1 of runs and sweeps, `normalize` "paper" subtracted the
/// mean, which is "layer_norm" now, and "paper_code" was what "paper" is now. Renames them in a file
/// of that time, wherever they are. Whether it had one.
bool rename_norms(ConfigValue& json);

}  // namespace vqscope

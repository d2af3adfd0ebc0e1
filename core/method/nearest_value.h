// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

namespace vqscope {

/// The allowed value nearest to one of another range; the default if there is none.
ParameterValue nearest_value(const ParameterSpec& spec, const ParameterValue& value);

}  // namespace vqscope

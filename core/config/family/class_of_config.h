// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/family/model_family.h"
#include "core/io/json/config_value.h"

namespace vqscope {

/// The first of a config's architectures; empty: none.
std::string_view class_of_config(const ConfigValue& root);

/// The family of the class that a config names, if that is another than the one of `model_type`, which the text model
/// has. Null where they agree, or where one of the two is not known or comes with code of its own.
const ModelFamily* contradicting_family(const ConfigValue& root, std::string_view model_type);

}  // namespace vqscope

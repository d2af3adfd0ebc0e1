// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/readers/config_reading.h"

namespace vqscope {

/// What each library would use of a config, compared with what the config means. Empty for a model without RoPE or one
/// whose RoPE the config does not determine.
ReaderMatrix read_reader_matrix(const ConfigValue& root, const ConfigReport& report);

/// The same table for given readings, of which `meant` is what each is compared with.
ReaderMatrix reader_matrix(const ConfigReading& meant, const std::vector<ConfigReading>& readings);

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/readers/config_reading.h"

namespace vqscope {

/// The values that each library uses, compared with the meaning of the config. Empty for a model
/// without RoPE or one whose RoPE the config does not determine.
ReaderMatrix read_reader_matrix(const ConfigValue& root, const ConfigReport& report);

/// The same table for given readings, of which `meant` is what each is compared with.
ReaderMatrix reader_matrix(const ConfigReading& meant, const std::vector<ConfigReading>& readings);

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/number_files.h"

namespace vqscope {

/// The same as write_numbers, but ends early where the cells of a mask take too long (Errc::too_large, is_over_budget).
Result<void> write_numbers_on_budget(const Numbers& numbers, NumberFormat format, ByteSink& sink, const Work& work);

}  // namespace vqscope

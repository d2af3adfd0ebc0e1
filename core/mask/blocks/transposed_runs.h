// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/import/imported_mask.h"

#include <optional>
#include <stop_token>

namespace vqscope {

/// The rows of each of `cols` columns. Costs the places where a row differs from the one before it.
/// Nothing where that makes more than `most` intervals, or once a stop is requested.
std::optional<ImportedRuns> transposed_runs(const ImportedRuns& rows, Index cols, std::uint64_t most,
                                            const std::stop_token& stop = {});

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/reader_matrix.h"

namespace vqscope {

/// The table in columns, differing cells marked with *, then a line for each difference. Empty for an empty table.
std::string readers_text(const ReaderMatrix& matrix);

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
// The masks in files that a command is given: --mask and --minus-mask.
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/method/method.h"
#include "widgets/import/mask_import.h"

#include <array>

namespace vqscope {

using Import = std::optional<MaskImport>;

/// The mask to show and the one to compare with, where they are named. Says on stderr how cells were read.
Result<std::array<Import, 2>> readMasks(const MethodArguments& arguments, const std::optional<QString>& minusMask,
                                        const Method& method);

/// Whether --polarity, --threshold, --batch or --head was given.
bool hasDumpOptions(const DumpOptions& options);

/// Nothing was named: the values stay.
Result<void> applyImport(const Import& import, ParameterValues& values);

/// What cells are compared to has their lengths, unless it has others of its own.
void applyShape(const Import& import, ParameterValues& values);

}  // namespace vqscope

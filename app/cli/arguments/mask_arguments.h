// SPDX-License-Identifier: GPL-3.0-or-later
// The mask files of a command: --mask and --minus-mask.
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/mask/preset/mask_import.h"
#include "core/method/method.h"

#include <array>
#include <string>

namespace vqscope {

using Import = std::optional<MaskImport>;

/// An error or a warning of the text of a mask's file, with the file in place of "mask_text".
Error errorOfText(const Error& error, const std::optional<std::string>& file);

/// The mask to show and the mask to compare with, if given. Reports on stderr how cells were read.
Result<std::array<Import, 2>> readMasks(const MethodArguments& arguments, const std::optional<std::string>& minusMask,
                                        const Method& method);

/// How cells of --mask are read: by the options, and for the number of queries of --set q_length.
ImportOptions importOptionsOf(const MethodArguments& arguments);

/// Whether --polarity, --threshold, --batch or --head was given.
bool hasImportOptions(const ImportOptions& options);

/// No file was given: the values stay.
Result<void> applyImport(const Import& import, ParameterValues& values);

/// The mask to compare imported cells with takes their lengths, unless its lengths are set.
void applyShape(const Import& import, ParameterValues& values);

}  // namespace vqscope

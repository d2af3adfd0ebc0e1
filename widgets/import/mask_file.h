// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/mask_dump.h"

#include <QString>

namespace vqscope {

/// A mask dump by its extension: .npy, .csv, .txt, .tsv or .png. Errors begin with the path.
Result<MaskDump> readMaskFile(const QString& path, const DumpOptions& options = {});

}  // namespace vqscope

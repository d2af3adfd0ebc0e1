// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/file_source.h"
#include "core/mask/mask_dump.h"

#include <QString>

namespace vqscope {

/// Files by the names that Qt has for them.
struct FileSource {
  static Result<std::shared_ptr<const ByteSource>> open(const QString& path) { return open_file(path.toStdString()); }
};

/// A mask dump by its extension: .npy, .csv, .txt, .tsv or .png. Errors begin with the path.
Result<MaskDump> readMaskFile(const QString& path, const DumpOptions& options = {});

}  // namespace vqscope

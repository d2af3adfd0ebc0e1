// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/byte_source.h"
#include "core/mask/mask_dump.h"

#include <QFile>

namespace vqscope {

/// A file on disk; read as it is asked for, so its size is no matter.
class FileSource : public ByteSource {
 public:
  /// Errors name the path and the reason.
  static Result<std::unique_ptr<FileSource>> open(const QString& path);

  std::uint64_t size() const override { return static_cast<std::uint64_t>(m_file.size()); }
  Result<void> read(std::uint64_t offset, std::span<char> out) const override;

 private:
  explicit FileSource(const QString& path) : m_file(path) {}

  mutable QFile m_file;
};

/// A mask dump by its extension: .npy, .csv, .txt, .tsv or .png. Errors begin with the path.
Result<MaskDump> readMaskFile(const QString& path, const DumpOptions& options = {});

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/byte_sink.h"

#include <QFile>
#include <QSaveFile>
#include <QString>

#include <memory>

namespace vqscope {

/// A file that appears under its name when it is committed, whole, or not at all. A device or a pipe cannot be
/// replaced by a file: it is written directly.
class WholeFile : public ByteSink {
 public:
  /// Errors name the path and the reason.
  static Result<std::unique_ptr<WholeFile>> open(const QString& path);

  Result<void> write(std::string_view bytes) override;
  /// What could fail for want of space fails here, before any of several files is committed.
  Result<void> flush();
  Result<void> commit();

 private:
  explicit WholeFile(const QString& path);
  bool isDirect() const { return m_saved == nullptr; }
  QFileDevice& device();
  Error failure(const QString& reason) const;

  QString m_path;
  std::unique_ptr<QSaveFile> m_saved;  ///< null: written directly
  QFile m_direct;
};

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/numbers.h"
#include "core/io/bytes/whole_file.h"
#include "core/session/session.h"
#include "widgets/export/figure.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace vqscope {

/// What the window and the command line ask for alike; the same request gives the same bytes.
struct ExportRequest {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<Rect> cells;  ///< of a matrix: this block alone
  WorkspaceState look;        ///< how a figure shows it
  FigureOptions figure;
  /// Of the values, less what the look subtracts, and what is remarked on them, where they are known already.
  std::shared_ptr<const Field> field = nullptr;
  std::optional<std::string> remark = std::nullopt;
  /// Called once with the curves of a curve method, before any file is written.
  std::function<void(const CurveSet&)> made = nullptr;
  /// Called with what is known of them so far, where the method tells it.
  std::function<void(const CurveSet&)> partial = nullptr;
  bool force = false;  ///< also when the file is larger than the limit
  Offload offload;     ///< where the long parts run
};

/// Larger files are written only when the request insists.
constexpr double maxExportBytes = 2147483648.0;

/// "csv", "npy", "json", "png", "svg", "pdf".
const QStringList& exportSuffixes();

/// The lower-case suffix of `path`, or a sentence that lists the six.
Result<QString> exportFormat(const QString& path);
bool isFigureFormat(const QString& format);

/// Bytes of the request's field, which is there, or of its block, as numbers: an upper estimate for CSV and JSON, exact
/// for NPY.
double exportSize(const ExportRequest& request, const QString& format);

/// The file appears whole or not at all. Figures need a QApplication and its thread; numbers any thread. `progress` is
/// called where the request's `offload` runs.
Result<void> exportFile(const ExportRequest& request, const QString& path, const std::function<void(double)>& progress,
                        std::stop_token stop);

/// All of them or none: suffixes, values, block and sizes (Errc::too_large) are checked first, and each file is
/// complete before the first appears under its name. `writeFiles` does not let them appear: that is for commit(), which
/// may take files of several requests.
Result<WholeFiles> writeFiles(const ExportRequest& request, const QStringList& paths,
                              const std::function<void(double)>& progress, std::stop_token stop);
Result<void> exportFiles(const ExportRequest& request, const QStringList& paths,
                         const std::function<void(double)>& progress, std::stop_token stop);

}  // namespace vqscope

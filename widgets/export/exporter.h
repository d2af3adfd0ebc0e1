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

/// An export, from the window or the command line. Equal requests give the same bytes.
struct ExportRequest {
  const Method* method = nullptr;
  ParameterValues values;
  std::optional<Rect> cells;  ///< of a matrix: only this block
  WorkspaceState look;        ///< how a figure shows it
  FigureOptions figure;
  /// Field of the values, minus the field that the look subtracts, and remarks on it, if they exist already.
  std::shared_ptr<const Field> field = nullptr;
  std::optional<std::string> remark = std::nullopt;
  /// Curves of the values, if they exist already: a measurement is not made again.
  std::shared_ptr<const CurveSet> curves = nullptr;
  /// Called once with the curves of a curve method, before any file is written.
  std::function<void(const CurveSet&)> made = nullptr;
  /// Called with what is known of them so far, where the method tells it.
  std::function<void(const CurveSet&)> partial = nullptr;
  /// Called for each step of a training, on the thread that trains.
  std::function<void(const TrainingNews&)> trained = nullptr;
  NpyForm npy = {};    ///< of a matrix
  bool force = false;  ///< write the file even if it is larger than the limit
  Offload offload;     ///< where the long parts run
};

/// Larger files are written only when the request insists.
constexpr double maxExportBytes = 2147483648.0;

/// "csv", "npy", "json", "png", "svg", "pdf".
const QStringList& exportSuffixes();

/// The lower-case suffix of `path`, or an error that lists the six formats.
Result<QString> exportFormat(const QString& path);
bool isFigureFormat(const QString& format);

/// Bytes of the request's field or block as numbers; the field must exist. Exact for NPY, an upper bound for CSV and
/// JSON.
double exportSize(const ExportRequest& request, const QString& format);

/// Files to write, none of which has its name yet; errors name the path.
Result<WholeFiles> openFiles(const QStringList& paths);

/// Writes the file atomically. Figures need a QApplication and its thread; numbers work on any thread. `progress` is
/// called on the thread of the request's `offload`.
Result<void> exportFile(const ExportRequest& request, const QString& path, const std::function<void(double)>& progress,
                        std::stop_token stop);

/// All of them or none: suffixes, values, block and sizes (Errc::too_large) are checked first, and each file is
/// complete before the first appears under its name. After `writeFiles`, no file has its name yet: call commit(), with
/// files of several requests if needed.
Result<WholeFiles> writeFiles(const ExportRequest& request, const QStringList& paths,
                              const std::function<void(double)>& progress, std::stop_token stop);
Result<void> exportFiles(const ExportRequest& request, const QStringList& paths,
                         const std::function<void(double)>& progress, std::stop_token stop);

}  // namespace vqscope

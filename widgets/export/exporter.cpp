// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/exporter.h"

#include "core/base/guard.h"
#include "core/base/text.h"
#include "core/export/number_files.h"
#include "widgets/export/numbers_on_budget.h"
#include "widgets/parts/file_name.h"

#include <QFileInfo>

#include <memory>
#include <vector>

namespace vqscope {
namespace {

NumberFormat numberFormat(const QString& format) {
  if (format == "npy") return NumberFormat::npy;
  return format == "json" ? NumberFormat::json : NumberFormat::csv;
}

ExportJob jobOf(const ExportRequest& request) {
  return {.method = request.method,
          .values = request.values,
          .cells = request.cells,
          .minus = subtrahend(*request.method, request.look),
          .field = request.field,
          .curves = request.curves,
          .remark = request.remark,
          .npy = request.npy};
}

/// 32-bit pixels, uncompressed: only the largest sides at the highest dpi are beyond the limit.
double figureBytes(const FigureOptions& figure) {
  const double scale = figure.dpi / figurePointsPerInch;
  return 4.0 * figure.width * figure.height * scale * scale;
}

/// Fraction of the export of curves that is computing, not writing.
constexpr double computing = 0.9;

Result<void> writeFigure(const ExportRequest& request, const Numbers& numbers, const QString& format, ByteSink& sink,
                         std::stop_token stop) {
  const FieldBlock* block = numbers.block();
  const auto figure =
      renderFigure(*request.method, request.values, request.cells, request.look, request.figure, format,
                   std::move(stop), request.offload, {block ? block->field : nullptr, numbers.curves()});
  if (!figure) return figure.error();
  return sink.write({figure->constData(), static_cast<std::size_t>(figure->size())});
}

double sizeOf(const ExportRequest& request, const Numbers& numbers, const QString& format) {
  return isFigureFormat(format) ? figureBytes(request.figure) : estimated_bytes(numbers, numberFormat(format));
}

Result<void> checkFile(const ExportRequest& request, const Numbers& numbers, const QString& path) {
  const auto format = exportFormat(path);
  if (!format) return format.error();
  const double size = sizeOf(request, numbers, *format);
  if (size <= maxExportBytes || request.force) return {};
  return Error{Errc::too_large, shownPath(path) + " would have about " + byte_count(size) +
                                    ", more than the limit of " + byte_count(maxExportBytes)};
}

Result<void> writeOne(const ExportRequest& request, const Numbers& numbers, const QString& format, WholeFile& file,
                      const Work& work) {
  if (isFigureFormat(format)) {
    auto written = writeFigure(request, numbers, format, file, work.stop);
    return written ? file.flush() : written;
  }
  Result<void> written;
  runOffloaded(request.offload, [&] {
    const auto write = request.force ? write_numbers : writeNumbersOnBudget;
    written = write(numbers, numberFormat(format), file, work);
    if (written) written = file.flush();
  });
  return written;
}

}  // namespace

Result<WholeFiles> openFiles(const QStringList& paths) {
  WholeFiles files;
  for (const auto& path : paths) {
    auto file = WholeFile::open(bytesOf(path));
    if (!file) return file.error();
    files.push_back(std::move(*file));
  }
  return files;
}

const QStringList& exportSuffixes() {
  static const QStringList all{"csv", "npy", "json", "png", "svg", "pdf"};
  return all;
}

bool isFigureFormat(const QString& format) { return format == "png" || format == "svg" || format == "pdf"; }

Result<QString> exportFormat(const QString& path) {
  const QString suffix = QFileInfo(path).suffix().toLower();
  if (exportSuffixes().contains(suffix)) return suffix;
  return invalid("cannot tell a format from " + shownPath(path) + ", must end with ." +
                 exportSuffixes().join(", .").toStdString());
}

double exportSize(const ExportRequest& request, const QString& format) {
  const Extent extent = request.field->extent();
  const Rect cells = request.cells.value_or(Rect{{0, extent.rows}, {0, extent.cols}});
  return estimated_bytes({request.method, request.values, {}, FieldBlock{request.field, cells}, {}, request.npy},
                         numberFormat(format));
}

Result<void> exportFile(const ExportRequest& request, const QString& path, const std::function<void(double)>& progress,
                        std::stop_token stop) {
  return exportFiles(request, {path}, progress, std::move(stop));
}

Result<void> exportFiles(const ExportRequest& request, const QStringList& paths,
                         const std::function<void(double)>& progress, std::stop_token stop) {
  return guarded([&]() -> Result<void> {
    const auto files = writeFiles(request, paths, progress, stop);
    return files ? commit(*files) : files.error();
  });
}

Result<WholeFiles> writeFiles(const ExportRequest& request, const QStringList& paths,
                              const std::function<void(double)>& progress, std::stop_token stop) {
  const double made_at = request.method->curves() ? computing : 0;
  const auto report = [&](double from, double share) {
    return progress ? [&progress, from, share](double part) { progress(from + part * share); }
                    : std::function<void(double)>();
  };
  std::optional<Result<Numbers>> made;
  runOffloaded(request.offload, [&] {
    made.emplace(make_numbers(jobOf(request), {report(0, made_at), stop, request.partial, request.trained}));
  });
  const Result<Numbers>& numbers = *made;
  if (!numbers) return numbers.error();
  if (request.made && numbers->curves()) request.made(*numbers->curves());
  for (const auto& path : paths)
    if (auto checked = checkFile(request, *numbers, path); !checked) return checked.error();
  auto files = openFiles(paths);
  if (!files) return files.error();
  const double share = (1 - made_at) / static_cast<double>(paths.size());
  for (qsizetype i = 0; i < paths.size(); ++i) {
    const Work work{report(made_at + static_cast<double>(i) * share, share), stop};
    WholeFile& file = *(*files)[static_cast<std::size_t>(i)];
    if (auto written = writeOne(request, *numbers, *exportFormat(paths[i]), file, work); !written)
      return written.error();
  }
  if (stop.stop_requested()) return cancelled();
  return files;
}

}  // namespace vqscope

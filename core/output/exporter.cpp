// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exporter.h"

#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/export/number_files.h"
#include "core/io/bytes/path_text.h"
#include "core/mask/map/field_on_budget.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The same as write_numbers, but ends early where the cells of a mask take too long
/// (Errc::too_large, is_over_budget).
Result<void> write_numbers_on_budget(const Numbers& numbers, NumberFormat format, ByteSink& sink, const Work& work) {
  const FieldBlock* block = numbers.block();
  if (!block) return write_numbers(numbers, format, sink, work);
  const auto field = std::make_shared<const FieldOnBudget>(block->field, block->cells, most_steps_of_a_file, work.stop);
  Numbers same = numbers;
  same.data = FieldBlock{field, block->cells};
  std::stop_source end;
  const std::stop_callback stopped(work.stop, [&end] { end.request_stop(); });
  const auto progress = [&](double part) {
    if (field->is_beyond()) end.request_stop();
    work.report(part);
  };
  auto written = write_numbers(same, format, sink, {.progress = progress, .stop = end.get_token()});
  if (work.stop.stop_requested()) return cancelled();
  return end.stop_requested() ? field->error() : written;
}

NumberFormat number_format(const std::string& format) {
  if (format == "npy") return NumberFormat::npy;
  return format == "json" ? NumberFormat::json : NumberFormat::csv;
}

ExportJob job_of(const ExportRequest& request) {
  return {.method = request.method,
          .values = request.values,
          .cells = request.cells,
          .minus = subtrahend(*request.method, request.look),
          .field = request.field,
          .curves = request.curves,
          .coming = request.coming,
          .remark = request.remark,
          .npy = request.npy};
}

/// 32-bit pixels, uncompressed: only the largest sides at the highest dpi are beyond the limit.
double figure_bytes(const FigureSpec& figure) {
  const double scale = figure.dpi / figure_points_per_inch;
  return 4.0 * figure.width * figure.height * scale * scale;
}

/// Fraction of the export of curves that is computing, not writing.
constexpr double computing = 0.9;

Result<void> write_figure(const ExportRequest& request, const Numbers& numbers, const std::string& format,
                          ByteSink& sink, std::stop_token stop) {
  const FieldBlock* block = numbers.block();
  // The figure is done before the numbers are gone.
  const std::shared_ptr<const CurveSet> curves(std::shared_ptr<void>(), numbers.curves());
  const auto figure = request.figures.make(request, {block ? block->field : nullptr, curves}, format, std::move(stop));
  return figure ? sink.write(*figure) : figure.error();
}

double size_of(const ExportRequest& request, const Numbers& numbers, const std::string& format) {
  return is_figure_format(format) ? figure_bytes(request.figure) : estimated_bytes(numbers, number_format(format));
}

Result<void> check_file(const ExportRequest& request, const Numbers& numbers, const std::string& path) {
  const auto format = export_format(path);
  if (!format) return format.error();
  const double size = size_of(request, numbers, *format);
  if (size <= most_export_bytes || request.force) return {};
  return Error{Errc::too_large, shown_path(path) + " would have about " + byte_count(size) +
                                    ", more than the limit of " + byte_count(most_export_bytes)};
}

Result<void> write_one(const ExportRequest& request, const Numbers& numbers, const std::string& format, WholeFile& file,
                       const Work& work) {
  if (is_figure_format(format)) {
    auto written = write_figure(request, numbers, format, file, work.stop);
    return written ? file.flush() : written;
  }
  Result<void> written;
  run_offloaded(request.offload, [&] {
    const auto write = request.force ? write_numbers : write_numbers_on_budget;
    written = write(numbers, number_format(format), file, work);
    if (written) written = file.flush();
  });
  return written;
}

/// A program without figures, or without memory for them, refuses before it computes.
Result<void> begin_figures(const FigureMaker& figures, const std::vector<std::string>& paths) {
  const auto is_figure = [](const std::string& path) { return is_figure_format(file_suffix(path)); };
  const auto figure = std::ranges::find_if(paths, is_figure);
  if (figure == paths.end()) return {};
  if (!figures.make)
    return invalid("this vqscope makes no figures, such as " + shown_path(*figure) +
                   "; .csv, .npy and .json hold the numbers");
  if (figures.begin) figures.begin();
  return {};
}

/// Numbers are those of one view.
Result<void> check_panels(const ExportRequest& request, const std::vector<std::string>& paths) {
  if (request.panels.empty()) return {};
  for (const auto& path : paths)
    if (!is_figure_format(file_suffix(path)))
      return invalid("{} holds one matrix or set of curves, {} panels were given; .png, .svg and .pdf hold several",
                     shown_path(path), request.panels.size() + 1);
  const auto grid = figure_grid(request.figure, request.panels.size() + 1);
  return grid ? Result<void>() : grid.error();
}

}  // namespace

Result<WholeFiles> open_whole_files(const std::vector<std::string>& paths) {
  WholeFiles files;
  for (const auto& path : paths) {
    auto file = WholeFile::open(path);
    if (!file) return file.error();
    files.push_back(std::move(*file));
  }
  return files;
}

const std::vector<std::string>& export_suffixes() {
  static const std::vector<std::string> all{"csv", "npy", "json", "png", "svg", "pdf"};
  return all;
}

bool is_figure_format(const std::string& format) { return format == "png" || format == "svg" || format == "pdf"; }

Result<std::string> export_format(const std::string& path) {
  std::string suffix = file_suffix(path);
  if (std::ranges::count(export_suffixes(), suffix) > 0) return suffix;
  return invalid("cannot tell a format from " + shown_path(path) + ": it must end with ." +
                 join(export_suffixes(), ", .") + did_you_mean(suffix, export_suffixes()));
}

double export_size(const ExportRequest& request, const std::string& format) {
  const Extent extent = request.field->extent();
  const Rect cells = request.cells.value_or(Rect{{0, extent.rows}, {0, extent.cols}});
  return estimated_bytes({request.method, request.values, {}, FieldBlock{request.field, cells}, {}, request.npy},
                         number_format(format));
}

Result<void> export_file(const ExportRequest& request, const std::string& path,
                         const std::function<void(double)>& progress, std::stop_token stop) {
  return export_files(request, {path}, progress, std::move(stop));
}

Result<void> export_files(const ExportRequest& request, const std::vector<std::string>& paths,
                          const std::function<void(double)>& progress, std::stop_token stop) {
  return guarded([&]() -> Result<void> {
    const auto files = write_files(request, paths, progress, stop);
    return files ? commit(*files) : files.error();
  });
}

Result<WholeFiles> write_files(const ExportRequest& request, const std::vector<std::string>& paths,
                               const std::function<void(double)>& progress, std::stop_token stop) {
  if (auto begun = begin_figures(request.figures, paths); !begun) return begun.error();
  if (auto fits = check_panels(request, paths); !fits) return fits.error();
  const double made_at = request.method->curves() ? computing : 0;
  const auto report = [&](double from, double fraction) {
    return progress ? [&progress, from, fraction](double part) { progress(from + part * fraction); }
                    : std::function<void(double)>();
  };
  std::optional<Result<Numbers>> made;
  run_offloaded(request.offload, [&] {
    made.emplace(
        make_numbers(job_of(request), {report(0, made_at), stop, request.partial, request.trained, request.phase}));
  });
  const Result<Numbers>& numbers = *made;
  if (!numbers) return numbers.error();
  if (request.made && numbers->curves()) request.made(*numbers->curves());
  for (const auto& path : paths)
    if (auto checked = check_file(request, *numbers, path); !checked) return checked.error();
  auto files = open_whole_files(paths);
  if (!files) return files.error();
  const double fraction = (1 - made_at) / static_cast<double>(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Work work{report(made_at + static_cast<double>(i) * fraction, fraction), stop};
    WholeFile& file = *(*files)[i];
    if (auto written = write_one(request, *numbers, *export_format(paths[i]), file, work); !written)
      return written.error();
  }
  if (stop.stop_requested()) return cancelled();
  return files;
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/matrix_picture.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

SummaryOptions optionsFor(const PictureRequest& request, Aggregate aggregate, const PictureEffort& effort,
                          std::stop_token stop) {
  SummaryOptions options;
  options.mean = aggregate == Aggregate::mean;
  options.extremes = !options.mean || request.scale.kind == ValueScale::categorical;
  options.reasons = request.scale.kind == ValueScale::visibility;
  options.max_cells = effort.maxCells;
  options.threads = effort.threads;
  options.exact_only = effort.exactOnly;
  options.stop = std::move(stop);
  return options;
}

/// Labels have no mean: a tile of several labels shows the one at its centre.
void takeLabels(const Field& field, const Lattice& lattice, Summary& summary) {
  for (Index row = 0; row < summary.rows; ++row)
    for (Index col = 0; col < summary.cols; ++col) {
      const auto at = static_cast<std::size_t>(row * summary.cols + col);
      if (summary.min[at] == summary.max[at]) continue;
      const Rect tile = lattice.tile(row, col);
      summary.mean[at] =
          static_cast<float>(field.at((tile.rows.begin + tile.rows.end) / 2, (tile.cols.begin + tile.cols.end) / 2));
    }
}

double bytesOf(const Summary& summary) {
  const std::size_t floats = summary.min.size() + summary.max.size() + summary.mean.size() + summary.coherence.size();
  return static_cast<double>(floats * sizeof(float) + summary.reason.size());
}

constexpr double smallestNumberedCell = 28;  // pixels of the plot

/// With cells this large, each tile is one cell.
std::vector<CellText> numbersOf(const PictureRequest& request, const Lattice& lattice) {
  const ViewRange& range = request.range;
  const double least = smallestNumberedCell * request.pixelRatio;
  if (request.pixels.width() < least * (range.col_last - range.col_first)) return {};
  if (request.pixels.height() < least * (range.row_last - range.row_first)) return {};
  const Field& field = *request.field;
  const bool whole = field.cell_type() != CellType::float32;
  std::vector<CellText> numbers;
  const Rect cells = lattice.bounds();
  for (Index row = cells.rows.begin; row < cells.rows.end; ++row)
    for (Index col = cells.cols.begin; col < cells.cols.end; ++col) {
      const double value = field.at(row, col);
      numbers.push_back({row, col, QString::fromStdString(whole ? to_text(value) : to_text(value, 3)),
                         request.scale.cellColour(value)});
    }
  return numbers;
}

}  // namespace

ViewRange wholeRange(const Field& field) {
  const Extent extent = field.extent();
  return {0, static_cast<double>(extent.rows), 0, static_cast<double>(extent.cols)};
}

std::shared_ptr<const MatrixPicture> renderPicture(const PictureRequest& request, const PictureEffort& effort,
                                                   std::stop_token stop) {
  const Extent extent = request.field->extent();
  const ViewRange& range = request.range;
  const PixelAxis rows = pixel_axis(range.row_first, range.row_last, request.pixels.height(), extent.rows);
  const PixelAxis cols = pixel_axis(range.col_first, range.col_last, request.pixels.width(), extent.cols);
  if (rows.edges.empty() || cols.edges.empty()) return nullptr;

  // Reuses the planes of tens of megabytes: allocating new pages for each frame would take longer than the sums.
  thread_local Summary summary;
  const Lattice lattice{rows.edges, cols.edges};
  const Aggregate aggregate = aggregateFor(request.scale, request.aggregate);
  const SummaryOptions options = optionsFor(request, aggregate, effort, stop);
  if (!request.field->summarize(lattice, options, summary)) return nullptr;
  if (aggregate == Aggregate::largest) takeLargest(summary);

  auto picture = std::make_shared<MatrixPicture>();
  picture->request = request;
  ColourScale& scale = picture->request.scale;
  if (scale.kind == ValueScale::categorical && options.mean) takeLabels(*request.field, lattice, summary);
  if (scale.fitted) scale = fittedScale(scale, summary, aggregate);
  scale = clippedScale(std::move(scale), summary, aggregate);
  picture->image = paintSummary(summary, rows, cols, aggregate, scale);
  picture->exact = summary.exact;
  const auto& shown = options.mean ? summary.mean : summary.max;
  picture->hasNotANumber = std::ranges::any_of(shown, [](float value) { return std::isnan(value); });
  picture->bytes = bytesOf(summary) + static_cast<double>(picture->image.sizeInBytes());
  picture->numbers = numbersOf(picture->request, lattice);
  picture->marks = request.field->marks();
  return picture;
}

}  // namespace vqscope

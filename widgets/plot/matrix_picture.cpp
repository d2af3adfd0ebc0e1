// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/matrix_picture.h"

#include "core/base/text.h"
#include "widgets/paint/summary_painter.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

SummaryOptions optionsFor(const PictureRequest& request, Aggregate aggregate, const PictureEffort& effort,
                          std::stop_token stop) {
  SummaryOptions options;
  options.mean = aggregate == Aggregate::mean;
  options.extremes = !options.mean;
  options.reasons = request.scale.kind == ValueScale::visibility || request.scale.isMaskDifference();
  options.max_cells = effort.maxCells;
  options.threads = effort.threads;
  options.exact_only = effort.exactOnly;
  options.stop = std::move(stop);
  return options;
}

/// Keys after all queries of a tile are muted.
void muteUnused(const TileGrid& grid, const ColourScale& scale, std::vector<QRgb>& own) {
  if (!scale.decoderPast) return;
  own.resize(static_cast<std::size_t>(grid.rows() * grid.cols()));
  for (Index row = 0; row < grid.rows(); ++row) {
    const Index lastKey = *scale.decoderPast + grid.row_edges[static_cast<std::size_t>(row) + 1] - 1;
    const auto first =
        std::ranges::upper_bound(grid.col_edges.begin(), grid.col_edges.end() - 1, lastKey) - grid.col_edges.begin();
    QRgb* line = own.data() + row * grid.cols();
    std::fill(line + first, line + grid.cols(), scale.unused);
  }
}

/// Whether a tile in use has no number.
bool hasNotANumber(const std::vector<float>& plane, const std::vector<QRgb>& own) {
  for (std::size_t tile = 0; tile < plane.size(); ++tile)
    if (std::isnan(plane[tile]) && (own.empty() || own[tile] == 0)) return true;
  return false;
}

double bytesOf(const Summary& summary) {
  const std::size_t floats = summary.min.size() + summary.max.size() + summary.mean.size() + summary.coherence.size();
  return static_cast<double>(floats * sizeof(float) + summary.reason.size());
}

constexpr double smallestNumberedCell = 28;  // pixels of the plot

/// With cells this large, each tile is one cell.
std::vector<CellText> numbersOf(const PictureRequest& request, const TileGrid& grid) {
  const ViewRange& range = request.range;
  const double least = smallestNumberedCell * request.pixelRatio;
  if (request.pixels.width() < least * (range.col_last - range.col_first)) return {};
  if (request.pixels.height() < least * (range.row_last - range.row_first)) return {};
  const Field& field = *request.field;
  const bool whole = field.cell_type() != CellType::float32;
  std::vector<CellText> numbers;
  const Rect cells = grid.bounds();
  for (Index row = cells.rows.begin; row < cells.rows.end; ++row)
    for (Index col = cells.cols.begin; col < cells.cols.end; ++col) {
      const double value = field.at(row, col);
      const bool unused = request.scale.decoderPast && col > *request.scale.decoderPast + row;
      numbers.push_back({row, col, QString::fromStdString(whole ? to_text(value) : to_text(value, 3)),
                         unused ? request.scale.unused : request.scale.cellColour(value)});
    }
  return numbers;
}

}  // namespace

ViewRange wholeRange(const Field& field) {
  const Extent extent = field.extent();
  return {0, static_cast<double>(extent.rows), 0, static_cast<double>(extent.cols)};
}

std::shared_ptr<const MatrixPicture> renderPicture(const PictureRequest& request, const PictureEffort& effort,
                                                   std::stop_token stop, std::optional<Error>* why) {
  const Extent extent = request.field->extent();
  const ViewRange& range = request.range;
  const PixelAxis rows = pixel_axis(range.row_first, range.row_last, request.pixels.height(), extent.rows);
  const PixelAxis cols = pixel_axis(range.col_first, range.col_last, request.pixels.width(), extent.cols);
  if (rows.edges.empty() || cols.edges.empty()) return nullptr;

  // Reuses the planes of tens of megabytes: allocating new pages for each frame would take longer
  // than the sums.
  thread_local Summary summary;
  const TileGrid grid{rows.edges, cols.edges};
  const Aggregate aggregate = aggregateFor(request.scale, request.aggregate);
  const SummaryOptions options = optionsFor(request, aggregate, effort, stop);
  const Field& field = request.scale.used ? *request.scale.used : *request.field;
  if (const auto done = field.summarize(grid, options, summary); !done) {
    if (why) *why = done.error();
    return nullptr;
  }
  if (aggregate == Aggregate::largest) takeLargest(summary);

  auto picture = std::make_shared<MatrixPicture>();
  picture->request = request;
  ColourScale& scale = picture->request.scale;
  scale = clippedScale(fittedScale(std::move(scale), summary, aggregate), summary, aggregate);
  scale.merged = options.mean && (request.pixels.width() < range.col_last - range.col_first ||
                                  request.pixels.height() < range.row_last - range.row_first);
  LabelMix mix;
  if (aggregate == Aggregate::automatic) {  // labels
    mix = mixLabels(field, grid, summary, scale, effort.maxCells, effort.threads, stop);
    if (stop.stop_requested()) return nullptr;
    if (!mix.exact && effort.exactOnly) return nullptr;
    summary.mean = summary.min;
    scale.mixes = mix.mixes;
    scale.mostFrequent = !mix.exact;
  }
  muteUnused(grid, scale, mix.colours);
  picture->image = paintSummary(summary, rows, cols, aggregate, scale, mix.colours);
  picture->exact = summary.exact && mix.exact;
  picture->hasNotANumber = hasNotANumber(options.mean ? summary.mean : summary.max, mix.colours);
  picture->bytes = bytesOf(summary) + static_cast<double>(picture->image.sizeInBytes());
  picture->numbers = numbersOf(picture->request, grid);
  picture->marks = request.field->marks();
  return picture;
}

}  // namespace vqscope

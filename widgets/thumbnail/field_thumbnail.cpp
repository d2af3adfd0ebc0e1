// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/thumbnail/thumbnail.h"

#include "core/method/compared.h"
#include "widgets/plot/matrix_picture.h"

#include <QPainter>

#include <algorithm>

namespace vqscope {
namespace {

/// Cells of fields without a closed form: a sample suffices for a small picture.
constexpr Index mostCells = Index{1} << 18;

QImage painted(const ThumbnailRequest& request, std::shared_ptr<const Field> field, const ColourScale& scale,
               const std::stop_token& stop) {
  PictureRequest picture;
  picture.range = wholeRange(*field);
  picture.field = std::move(field);
  picture.pixels = request.pixels;
  picture.scale = scale;
  const auto done = renderPicture(picture, {mostCells, 1, false}, stop);
  return done && !stop.stop_requested() ? done->image : QImage();
}

QImage paintedAlone(const ThumbnailRequest& request, const std::shared_ptr<const Field>& field,
                    const std::stop_token& stop) {
  const bool dark = request.theme == Theme::dark;
  return painted(request, field, colourScale(*request.method, field, request.values, {}, dark), stop);
}

/// Marks the pixels under which the two masks differ.
void markDifferences(QImage& image, const Field& difference, const ThumbnailRequest& request,
                     const std::stop_token& stop) {
  const Extent extent = difference.extent();
  const auto axis = [](Index cells, int pixels) { return pixel_axis(0, static_cast<double>(cells), pixels, cells); };
  const PixelAxis rows = axis(extent.rows, image.height()), cols = axis(extent.cols, image.width());
  SummaryOptions options;
  options.mean = false;
  options.max_cells = mostCells;
  options.stop = stop;
  Summary summary;
  if (!difference.summarize({rows.edges, cols.edges}, options, summary)) return;
  const Palette& colours = palette(request.theme);
  QPainter painter(&image);
  // A line of single cells is seen at any length.
  const int least = std::max(1, qRound(1.5 * request.pixelRatio));
  const auto dot = [&](int x, int y, const QColor& colour) { painter.fillRect(x, y, least, least, colour); };
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const std::int32_t row = rows.tiles[static_cast<std::size_t>(y)], col = cols.tiles[static_cast<std::size_t>(x)];
      if (row < 0 || col < 0) continue;
      const auto at = static_cast<std::size_t>(row * summary.cols + col);
      if (summary.max[at] > 0)
        dot(x, y, colours.error);
      else if (summary.min[at] < 0)
        dot(x, y, colours.warning);
    }
  }
}

}  // namespace

QImage fieldThumbnail(const ThumbnailRequest& request, const std::stop_token& stop) {
  const Work work{{}, stop};
  const auto field = make_field(*request.method, request.values, work);
  if (!field || stop.stop_requested()) return {};
  if (!request.other) return paintedAlone(request, *field, stop);
  const auto other = make_field(*request.method, *request.other, work);
  if (!other || stop.stop_requested()) return {};
  const auto difference = make_method_difference(*request.method, *field, *other);
  if (!difference) return {};
  if (request.method->field()->scale != ValueScale::visibility)
    return painted(request, *difference, differenceScale(*request.method, request.theme == Theme::dark), stop);
  QImage image = paintedAlone(request, *field, stop);
  if (!image.isNull()) markDifferences(image, **difference, request, stop);
  return stop.stop_requested() ? QImage() : image;
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/gallery_thumbnail.h"

#include "widgets/theme/icons.h"

#include <QFile>

namespace vqscope {
namespace {

std::string configText(const std::string& name) {
  ensureResources();
  QFile file(QStringLiteral(":/configs/%1.json").arg(QString::fromStdString(name)));
  return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

}  // namespace

ThumbnailRequest galleryThumbnail(const GalleryEntry& entry, const QSize& pixels, double pixelRatio) {
  ThumbnailRequest request;
  request.pixels = pixels;
  request.pixelRatio = pixelRatio;
  request.theme = currentTheme();
  request.kept = entry.kept;
  const GalleryPicture& shown = entry.picture.method ? entry.picture : entry.shown;
  request.method = shown.method;
  request.values = shown.complete();
  if (!shown.method)
    for (const std::string& config : entry.configs) request.configs.push_back(configText(config));
  if (shown.method == entry.shown.method && entry.compare != GalleryCompare::none) {
    request.other = entry.other_values();
    request.difference = entry.compare == GalleryCompare::difference;
  }
  return request;
}

}  // namespace vqscope

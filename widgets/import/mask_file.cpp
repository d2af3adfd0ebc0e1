// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/mask_file.h"

#include "core/base/text.h"
#include "core/io/file_source.h"

#include <QFileInfo>
#include <QImage>
#include <QImageReader>

#include <cstring>

namespace vqscope {
namespace {

/// A text is held in memory.
constexpr std::uint64_t largest_text = std::uint64_t{1} << 30;

Result<MaskDump> readCsv(const ByteSource& source, const DumpOptions& options) {
  if (source.size() > largest_text)
    return Error{Errc::too_large, "the text has " + byte_count(static_cast<double>(source.size())) + ", at most " +
                                      byte_count(static_cast<double>(largest_text)) + " are read; save it as .npy"};
  std::string text(static_cast<std::size_t>(source.size()), '\0');
  if (auto read = source.read(0, text); !read) return read.error();
  return read_csv_dump(text, options);
}

Result<MaskDump> readImage(const QString& path, const DumpOptions& options) {
  QImageReader reader(path);
  QImage image;
  if (!reader.read(&image)) return invalid("not a PNG image: " + reader.errorString().toStdString());
  image.convertTo(QImage::Format_Grayscale8);
  const Extent extent{image.height(), image.width()};
  std::vector<std::uint8_t> grey(static_cast<std::size_t>(extent.rows * extent.cols));
  for (int row = 0; row < image.height(); ++row)
    std::memcpy(grey.data() + static_cast<std::size_t>(row * extent.cols), image.constScanLine(row),
                static_cast<std::size_t>(extent.cols));
  return read_image_dump(grey, extent, options);
}

Result<MaskDump> readByExtension(const QString& path, const ByteSource& source, const DumpOptions& options) {
  const QString extension = QFileInfo(path).suffix().toLower();
  if (extension == "npy") return read_npy_dump(source, options);
  if (extension == "csv" || extension == "txt" || extension == "tsv") return readCsv(source, options);
  if (extension == "png") return readImage(path, options);
  return invalid("the extension is \"" + extension.toStdString() + "\", allowed are npy, csv, txt, tsv and png");
}

}  // namespace

Result<MaskDump> readMaskFile(const QString& path, const DumpOptions& options) {
  const auto source = open_file(path.toStdString());
  if (!source) return source.error();
  auto dump = readByExtension(path, **source, options);
  if (dump || dump.error().code == Errc::cancelled) return dump;
  return Error{dump.error().code, path.toStdString() + ": " + dump.error().message};
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/mask_file.h"

#include "core/base/text.h"
#include "core/base/within.h"
#include "core/io/bytes/file_source.h"
#include "core/io/tensor/tensor_list.h"
#include "widgets/import/png_image.h"
#include "widgets/parts/file_name.h"

#include <QFileInfo>

namespace vqscope {
namespace {

/// A text is held in memory, and so is a compressed image.
constexpr std::uint64_t largestText = std::uint64_t{1} << 30;
constexpr std::uint64_t largestPng = std::uint64_t{1} << 28;

Result<std::string> allOf(const ByteSource& source, const char* what, std::uint64_t most) {
  if (source.size() > most)
    return Error{Errc::too_large, std::string("the ") + what + " has " +
                                      byte_count(static_cast<double>(source.size())) + ", more than the limit of " +
                                      byte_count(static_cast<double>(most)) + "; save it as .npy"};
  std::string bytes(static_cast<std::size_t>(source.size()), '\0');
  if (auto read = source.read(0, bytes); !read) return read.error();
  return bytes;
}

Result<MaskDump> readCsv(const ByteSource& source, const DumpOptions& options) {
  const auto text = allOf(source, "text", largestText);
  return text ? read_csv_dump(*text, options) : text.error();
}

Result<MaskDump> readImage(const ByteSource& source, const DumpOptions& options) {
  const auto bytes = allOf(source, "image", largestPng);
  if (!bytes) return bytes.error();
  const auto image = readPng(*bytes);
  return image ? read_image_dump(image->pixels, image->extent, options) : image.error();
}

Result<MaskDump> readByExtension(const QString& path, const ByteSource& source, const DumpOptions& options) {
  const QString extension = QFileInfo(path).suffix().toLower();
  if (extension == "npy") return read_npy_dump(source, options);
  if (extension == "csv" || extension == "txt" || extension == "tsv") return readCsv(source, options);
  if (extension == "png") return readImage(source, options);
  return invalid("the extension is \"" + shownText(extension) +
                 "\", must be npy, npz, safetensors, csv, txt, tsv or png");
}

}  // namespace

std::optional<TensorName> maskTensor(const QString& path) {
  const auto name = parse_tensor_name(bytesOf(path));
  if (!name) return std::nullopt;
  const bool isPlain = tensor_extension(name->file) == ".npy" && name->name.empty() && name->leading.empty();
  return isPlain ? std::nullopt : std::optional(*name);
}

Result<MaskDump> readMaskFile(const QString& path, const DumpOptions& options) {
  if (const auto tensor = maskTensor(path)) {
    auto file = open_file(tensor->file);
    return file ? read_tensor_dump(std::move(*file), *tensor, options) : file.error();
  }
  const auto source = open_file(bytesOf(path));
  if (!source) return source.error();
  auto dump = readByExtension(path, **source, options);
  if (dump || dump.error().code == Errc::cancelled) return dump;
  return within(shownPath(path), dump.error());
}

}  // namespace vqscope

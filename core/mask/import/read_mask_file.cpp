// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/read_mask_file.h"

#include "core/base/text.h"
#include "core/base/within.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/png/png_image.h"

namespace vqscope {
namespace {

/// A text is held in memory, and so is a compressed image.
constexpr std::uint64_t largest_text = std::uint64_t{1} << 30;
constexpr std::uint64_t largest_png = std::uint64_t{1} << 28;

Result<std::string> all_of(const ByteSource& source, const char* what, std::uint64_t most) {
  if (source.size() > most)
    return Error{Errc::too_large, std::string("the ") + what + " has " +
                                      byte_count(static_cast<double>(source.size())) + ", more than the limit of " +
                                      byte_count(static_cast<double>(most)) + "; save it as .npy"};
  std::string bytes(static_cast<std::size_t>(source.size()), '\0');
  if (auto read = source.read(0, bytes); !read) return read.error();
  return bytes;
}

Result<ReadMask> read_csv(const ByteSource& source, const ImportOptions& options) {
  const auto text = all_of(source, "text", largest_text);
  return text ? read_csv_mask(*text, options) : text.error();
}

Result<ReadMask> read_image(const ByteSource& source, const ImportOptions& options) {
  const auto bytes = all_of(source, "image", largest_png);
  if (!bytes) return bytes.error();
  const auto image = read_png(*bytes);
  return image ? read_image_mask(image->pixels, image->extent, options) : image.error();
}

Result<ReadMask> read_by_extension(const std::string& path, const ByteSource& source, const ImportOptions& options) {
  const std::string extension = file_suffix(path);
  if (extension == "npy") return read_npy_mask(source, options);
  if (extension == "csv" || extension == "txt" || extension == "tsv") return read_csv(source, options);
  if (extension == "png") return read_image(source, options);
  return invalid("the extension is \"" + shortened(extension) +
                 "\", must be npy, npz, safetensors, csv, txt, tsv or png");
}

}  // namespace

std::optional<TensorName> mask_tensor(const std::string& path) {
  const auto name = parse_tensor_name(path);
  if (!name) return std::nullopt;
  const bool is_plain = tensor_extension(name->file) == ".npy" && name->name.empty() && name->leading.empty();
  return is_plain ? std::nullopt : std::optional(*name);
}

Result<ReadMask> read_mask_file(const std::string& path, const ImportOptions& options) {
  if (const auto tensor = mask_tensor(path)) {
    auto file = open_file(tensor->file);
    return file ? read_tensor_mask(std::move(*file), *tensor, options) : file.error();
  }
  const auto source = open_file(path);
  if (!source) return source.error();
  auto imported = read_by_extension(path, **source, options);
  if (imported || imported.error().code == Errc::cancelled) return imported;
  return within(shown_path(path), imported.error());
}

}  // namespace vqscope

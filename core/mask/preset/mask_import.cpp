// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/mask_import.h"

#include "core/base/text.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/npy/npy_reader.h"
#include "core/mask/import/mask_array.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr std::size_t longest_text_file = std::size_t{1} << 20;
/// Bytes read to see how a file begins.
constexpr std::uint64_t first_bytes = std::uint64_t{1} << 20;

/// numpy.savetxt writes numbers; a text of the mask language never begins with one.
bool begins_with_number(const std::string& path) {
  const auto file = open_file(path);
  if (!file) return false;
  std::string begin(static_cast<std::size_t>(std::min((*file)->size(), first_bytes)), '\0');
  if (!(*file)->read(0, begin)) return false;
  for (const auto line : split(begin, '\n')) {
    const auto text = trimmed(line);
    if (!text.empty() && !text.starts_with('#'))
      return std::string_view("0123456789+-.").find(text.front()) != std::string_view::npos;
  }
  return false;
}

bool is_imported(const std::string& path) {
  if (mask_tensor(path)) return true;
  const std::string suffix = file_suffix(path);
  if (suffix == "txt") return begins_with_number(path);
  return std::ranges::count(std::array{"npy", "csv", "tsv", "png"}, suffix) > 0;
}

Result<MaskImport> import_text(const std::string& path) {
  auto text = read_text(path, longest_text_file);
  if (text) return MaskImport{std::move(*text), "a text of the mask language", {}};
  if (text.error().code == Errc::too_large)
    return Error{Errc::too_large, shown_path(path) + " has more than 1 MiB, the limit for the text of a mask", {}};
  return Error{text.error().code, "cannot read " + shown_path(path) + ": " + text.error().message, {}};
}

/// "mask.npy [8, 8]": the name without its folders, and the shape of the whole tensor.
std::string source_of(const std::string& path, const ReadMask& imported) {
  constexpr std::size_t longest_text_file = 200;
  std::string shape;
  for (const Index size : imported.leading) shape += to_text(size) + ", ";
  const Extent extent = imported.mask->extent();
  return shortened(shown_path(file_name(path)), longest_text_file) + " [" + shape + to_text(extent.rows) + ", " +
         to_text(extent.cols) + "]";
}

MaskImport import_of(const ReadMask& imported, std::string source) {
  MaskFile file = mask_file(imported.reading, std::move(source));
  for (const Index size : imported.leading) file.masks *= size;
  const ImportedReading& reading = imported.reading;
  return {imported.mask, reading.why, reading.warnings, reading, imported.leading, std::move(file)};
}

}  // namespace

bool is_mask_file(const std::string& path) {
  if (mask_tensor(path)) return true;
  return std::ranges::count(std::array{"py", "npy", "csv", "tsv", "txt", "png"}, file_suffix(path)) > 0;
}

Result<MaskImport> import_mask(const std::string& path, const ImportOptions& options) {
  if (!is_imported(path)) return import_text(path);
  auto imported = read_mask_file(path, options);
  if (!imported) return imported.error();
  return import_of(*imported, source_of(path, *imported));
}

MaskImport read_import_as(const MaskImport& import, const ImportedReading& of_the_file, const std::string& evidence) {
  const ReadMask imported{std::get<1>(import.mask), import.reading, import.leading};
  return import_of(read_as(imported, of_the_file, evidence), import.file->source);
}

Result<ParameterValues> with_import(const ParameterValues& values, const MaskImport& import) {
  if (!import.is_text()) return with_imported_mask(values, *std::get<1>(import.mask), import.file);
  ParameterValues all = values;
  all.set("mask", std::string(text_mask_id));
  all.set("mask_text", std::get<0>(import.mask));
  return all;
}

Result<void> read_array_file(const ParameterSpec& spec, const std::string& path, ParameterValues& values) {
  const auto in_file = [&](const Error& error) {
    return Error{error.code, shown_path(path) + ": " + error.message, {}};
  };
  const auto source = open_file(path);
  if (!source) return source.error();
  const auto header = read_npy_header(**source);
  if (!header) return in_file(header.error());
  const std::string_view free = free_name_of(spec.name);
  if (free.empty() ? header->shape.size() != 1 : header->shape.empty())
    return in_file(invalid("the array has shape " + header->shape_text() + ", a list has one dimension"));
  const auto items_of = [&]<class T>(T) -> Result<void> {
    auto items = read_npy<T>(**source, *header, static_cast<std::uint64_t>(spec.most_items));
    if (!items) return in_file(items.error());
    values.set(spec.name, std::move(*items));
    return {};
  };
  if (!free.empty()) {
    const bool is_table = header->shape.size() > 1;
    const auto& sides = header->shape;
    if (is_table || values.find(array_shape_key(free)))
      values.set(array_shape_key(free),
                 is_table ? std::vector<Index>(sides.begin(), sides.end()) : std::vector<Index>());
    const bool is_bool = header->dtype.kind == NpyKind::boolean;
    if (is_bool || values.find(array_truth_key(free))) values.set(array_truth_key(free), is_bool);
  }
  return spec.kind == ParameterKind::real_list ? items_of(double{}) : items_of(Index{});
}

}  // namespace vqscope

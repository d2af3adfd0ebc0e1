// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/mask_import.h"

#include "core/base/text.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/read_text.h"
#include "core/io/npy/npy_reader.h"
#include "core/mask/preset/imported_mask.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"
#include "widgets/import/mask_file.h"
#include "widgets/parts/file_name.h"

#include <QFileInfo>

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t longestText = std::size_t{1} << 20;
/// Bytes read to see how a file begins.
constexpr std::uint64_t firstBytes = std::uint64_t{1} << 20;

/// numpy.savetxt writes numbers; a text of the mask language never begins with one.
bool beginsWithNumber(const QString& path) {
  const auto file = open_file(bytesOf(path));
  if (!file) return false;
  std::string begin(static_cast<std::size_t>(std::min((*file)->size(), firstBytes)), '\0');
  if (!(*file)->read(0, begin)) return false;
  for (const auto line : split(begin, '\n')) {
    const auto text = trimmed(line);
    if (!text.empty() && !text.starts_with('#'))
      return std::string_view("0123456789+-.").find(text.front()) != std::string_view::npos;
  }
  return false;
}

bool isDump(const QString& path) {
  if (maskTensor(path)) return true;
  const QString extension = QFileInfo(path).suffix().toLower();
  if (extension == QLatin1String("txt")) return beginsWithNumber(path);
  return QStringList{"npy", "csv", "tsv", "png"}.contains(extension);
}

Result<MaskImport> importText(const QString& path) {
  auto text = read_text(bytesOf(path), longestText);
  if (text) return MaskImport{std::move(*text), "a text of the mask language", {}};
  if (text.error().code == Errc::too_large)
    return Error{Errc::too_large, shownPath(path) + " has more than 1 MiB, the limit for the text of a mask", {}};
  return Error{text.error().code, "cannot read " + shownPath(path) + ": " + text.error().message, {}};
}

/// "mask.npy [8, 8]": the name without its folders, and the shape of the whole tensor.
std::string sourceOf(const QString& path, const MaskDump& dump) {
  constexpr std::size_t longestName = 200;
  std::string shape;
  for (const Index size : dump.leading) shape += to_text(size) + ", ";
  const Extent extent = dump.mask->extent();
  return shortened(shownPath(QFileInfo(path).fileName()), longestName) + " [" + shape + to_text(extent.rows) + ", " +
         to_text(extent.cols) + "]";
}

MaskImport importOf(const MaskDump& dump, std::string source) {
  MaskFile file = mask_file(dump.reading, std::move(source));
  for (const Index size : dump.leading) file.masks *= size;
  const DumpReading& reading = dump.reading;
  return {dump.mask, reading.why, reading.warnings, reading, dump.leading, std::move(file)};
}

}  // namespace

bool isMaskFile(const QString& path) {
  if (maskTensor(path)) return true;
  return QStringList{"py", "npy", "csv", "tsv", "txt", "png"}.contains(QFileInfo(path).suffix().toLower());
}

Result<MaskImport> importMask(const QString& path, const DumpOptions& options) {
  if (!isDump(path)) return importText(path);
  auto dump = readMaskFile(path, options);
  if (!dump) return dump.error();
  return importOf(*dump, sourceOf(path, *dump));
}

MaskImport readAs(const MaskImport& import, const DumpReading& ofTheFile, const std::string& evidence) {
  const MaskDump dump{std::get<1>(import.mask), import.reading, import.leading};
  return importOf(read_as(dump, ofTheFile, evidence), import.file->source);
}

Result<ParameterValues> withImport(const ParameterValues& values, const MaskImport& import) {
  if (!import.isText()) return with_imported_mask(values, *std::get<1>(import.mask), import.file);
  ParameterValues all = values;
  all.set("mask", std::string(text_mask_id));
  all.set("mask_text", std::get<0>(import.mask));
  return all;
}

Result<void> readArrayFile(const ParameterSpec& spec, const QString& path, ParameterValues& values) {
  const auto inFile = [&](const Error& error) { return Error{error.code, shownPath(path) + ": " + error.message, {}}; };
  const auto source = open_file(bytesOf(path));
  if (!source) return source.error();
  const auto header = read_npy_header(**source);
  if (!header) return inFile(header.error());
  const std::string_view free = free_name_of(spec.name);
  if (free.empty() ? header->shape.size() != 1 : header->shape.empty())
    return inFile(invalid("the array has shape " + header->shape_text() + ", a list has one dimension"));
  const auto itemsOf = [&]<class T>(T) -> Result<void> {
    auto items = read_npy<T>(**source, *header, static_cast<std::uint64_t>(spec.most_items));
    if (!items) return inFile(items.error());
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
  return spec.kind == ParameterKind::real_list ? itemsOf(double{}) : itemsOf(Index{});
}

}  // namespace vqscope

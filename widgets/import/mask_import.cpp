// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/mask_import.h"

#include "core/io/file_source.h"
#include "core/io/npy_reader.h"
#include "core/mask/imported_mask.h"
#include "core/mask/text_mask.h"
#include "widgets/import/mask_file.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace vqscope {
namespace {

constexpr qint64 longestText = 1 << 20;

Error unreadable(const QString& path, const QString& reason) {
  return {Errc::io, "cannot read " + path.toStdString() + ": " + reason.toStdString(), {}};
}

/// numpy.savetxt writes numbers, a text of the language begins with none.
bool beginsWithNumber(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return false;
  for (int line = 0; line < 1000 && !file.atEnd(); ++line) {
    const QByteArray text = file.readLine(4096).trimmed();
    if (text.isEmpty() || text.startsWith('#')) continue;
    return QByteArrayView("0123456789+-.").contains(text.front());
  }
  return false;
}

bool isDump(const QString& path) {
  const QString extension = QFileInfo(path).suffix().toLower();
  if (extension == QLatin1String("txt")) return beginsWithNumber(path);
  return QStringList{"npy", "csv", "tsv", "png"}.contains(extension);
}

Result<MaskImport> importText(const QString& path) {
  QFile file(path);
  const bool standardInput = path == QLatin1String("-");
  if (!standardInput && QFileInfo(path).isDir()) return unreadable(path, "it is a directory");
  if (!(standardInput ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly)))
    return unreadable(path, file.errorString());
  const QByteArray text = file.read(longestText + 1);
  if (text.size() > longestText)
    return Error{Errc::too_large, path.toStdString() + " has more than 1 MiB, which is no text of a mask", {}};
  return MaskImport{text.toStdString(), "a text of the mask language", {}};
}

}  // namespace

bool isMaskFile(const QString& path) {
  return QStringList{"py", "npy", "csv", "tsv", "txt", "png"}.contains(QFileInfo(path).suffix().toLower());
}

Result<MaskImport> importMask(const QString& path, const DumpOptions& options) {
  if (!isDump(path)) return importText(path);
  auto dump = readMaskFile(path, options);
  if (!dump) return dump.error();
  return MaskImport{dump->mask, dump->reading.why, dump->reading.warnings, dump->reading, dump->leading};
}

Result<ParameterValues> withImport(const ParameterValues& values, const MaskImport& import) {
  if (!import.isText()) return with_imported_mask(values, *std::get<1>(import.mask));
  ParameterValues all = values;
  all.set("mask", std::string(text_mask_id));
  all.set("mask_text", std::get<0>(import.mask));
  return all;
}

Result<ParameterValue> readListFile(const ParameterSpec& spec, const QString& path) {
  const auto inFile = [&](const Error& error) {
    return Error{error.code, path.toStdString() + ": " + error.message, {}};
  };
  const auto source = open_file(path.toStdString());
  if (!source) return source.error();
  const auto header = read_npy_header(**source);
  if (!header) return inFile(header.error());
  if (header->shape.size() != 1)
    return inFile(invalid("the array has shape " + header->shape_text() + ", a list has one dimension"));
  const auto itemsOf = [&]<class T>(T) -> Result<ParameterValue> {
    auto items = read_npy<T>(**source, *header, static_cast<std::uint64_t>(spec.most_items));
    if (!items) return inFile(items.error());
    return ParameterValue(std::move(*items));
  };
  return spec.kind == ParameterKind::real_list ? itemsOf(double{}) : itemsOf(Index{});
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/recent_files.h"

#include "core/io/bytes/file_source.h"
#include "core/io/bytes/user_folders.h"
#include "core/io/bytes/whole_file.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/json_value.h"
#include "widgets/parts/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t mostBytes = std::size_t{1} << 18;
constexpr qsizetype longestPath = 4096;

bool isPath(const QString& path) {
  return QDir::isAbsolutePath(path) && !path.startsWith(QLatin1Char(':')) && path.size() <= longestPath &&
         !path.contains(QChar(u'\0'));
}

/// Empty unless the value is a file with a time. A future time becomes now.
std::optional<RecentFile> readFile(const ConfigValue& json, const QDateTime& now) {
  const ConfigValue* path = json.find("path");
  const ConfigValue* when = json.find("when");
  if (!path || !path->text() || !when || !when->text()) return std::nullopt;
  RecentFile file{textOfBytes(*path->text()), QDateTime::fromString(textOfBytes(*when->text()), Qt::ISODate)};
  if (!isPath(file.path) || !file.when.isValid()) return std::nullopt;
  file.when = std::min(file.when, now);
  return file;
}

QString dayWords(const char* words) { return QCoreApplication::translate("recentFiles", words); }

}  // namespace

std::vector<RecentFile> recentFilesFromJson(std::string_view json, const QDateTime& now) {
  std::vector<RecentFile> files;
  const auto root = read_json(json);
  const ConfigValue* list = root ? root->find("recent") : nullptr;
  if (!list || !list->list()) return files;
  for (const ConfigValue& each : *list->list()) {
    if (files.size() == RecentFiles::most) break;
    const auto file = readFile(each, now);
    if (file && std::ranges::find(files, file->path, &RecentFile::path) == files.end()) files.push_back(*file);
  }
  return files;
}

RecentFiles::RecentFiles(QString storePath) : m_storePath(std::move(storePath)) { read(); }

void RecentFiles::read() {
  if (!QFileInfo(m_storePath).isFile()) return;
  if (const auto text = read_text(bytesOf(m_storePath), mostBytes))
    m_files = recentFilesFromJson(*text, QDateTime::currentDateTime());
}

Result<void> RecentFiles::add(const QString& path, const QDateTime& when) {
  if (path.startsWith(QLatin1Char(':'))) return {};
  const QString whole = QDir::cleanPath(QFileInfo(path).absoluteFilePath());
  if (!isPath(whole)) return {};
  read();  // another window may have added some
  std::erase_if(m_files, [&](const RecentFile& file) { return file.path == whole; });
  m_files.insert(m_files.begin(), {whole, when});
  if (m_files.size() > most) m_files.resize(most);
  return write();
}

Result<void> RecentFiles::clear() {
  m_files.clear();
  return write();
}

std::vector<RecentFile> RecentFiles::existing() const {
  std::vector<RecentFile> there;
  for (const RecentFile& file : m_files)
    if (QFileInfo(file.path).isFile()) there.push_back(file);
  return there;
}

Result<void> RecentFiles::write() const {
  if (auto made = make_state_folder(bytesOf(QFileInfo(m_storePath).absolutePath())); !made) return made;
  JsonArray list;
  for (const RecentFile& file : m_files)
    list.push_back(JsonObject{{"path", bytesOf(file.path)}, {"when", bytesOf(file.when.toString(Qt::ISODate))}});
  return write_whole_file(bytesOf(m_storePath), indented_json(JsonObject{{"recent", std::move(list)}}), FileUse::state);
}

QString folderText(const QString& path) {
  const QString folder = QFileInfo(path).absolutePath(), home = QDir::homePath();
  if (folder == home) return QStringLiteral("~");
  return folder.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + folder.mid(home.size()) : folder;
}

QString dayText(const QDateTime& when, const QDateTime& now) {
  const qint64 days = when.date().daysTo(now.date());
  if (days <= 0) return dayWords("today");
  if (days == 1) return dayWords("yesterday");
  if (days < 7) return QLocale::c().toString(when.date(), QStringLiteral("ddd"));
  if (days < 300) return QLocale::c().toString(when.date(), QStringLiteral("d MMM"));
  return when.date().toString(QStringLiteral("yyyy"));
}

}  // namespace vqscope

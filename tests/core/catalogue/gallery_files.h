// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/gallery.h"
#include "core/io/bytes/file_source.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QTest>

#include <set>

namespace vqscope::test {

/// Pages of the entries in the files of a folder of resources; each file is an entry of the
/// program.
inline std::set<std::string> pages_of_gallery_files(const char* path, qsizetype least) {
  std::set<std::string> pages;
  const QDir folder(sourcePath(path));
  const auto files = folder.entryList({"*.json"}, QDir::Files, QDir::Name);
  if (files.size() < least) QTest::qFail(path, __FILE__, __LINE__);
  for (const QString& file : files) {
    const auto text = read_text(folder.filePath(file).toStdString(), 1 << 16);
    const auto entry = read_gallery_entry(file.chopped(5).toStdString(), text ? *text : std::string());
    const std::string wrong = entry ? std::string() : ": " + entry.error().message;
    if (!entry || !require_gallery_entry(entry->id))
      QTest::qFail((file.toStdString() + wrong).c_str(), __FILE__, __LINE__);
    if (entry) pages.insert(entry->page);
  }
  return pages;
}

}  // namespace vqscope::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "tests/monkey/act/chance.h"

#include <QStringList>

namespace vqscope::monkey {

/// A folder with files of every kind that the program opens, good and damaged, and places to save
/// to.
class Files {
 public:
  Files(const QString& folder, Chance& chance);

  /// Mostly one that is there.
  QString toOpen(Chance& chance) const;
  const QString& folder() const { return m_folder; }
  /// Gives one of the files the content of another, or removes it; its path.
  QString rewrite(Chance& chance) const;
  /// A path in the folder, sometimes of a file that is there, sometimes where nothing can be
  /// written.
  QString toSave(Chance& chance) const;
  /// Writes a file that is like this session but for some of its values, or bytes; its path.
  QString randomSession(const Session& session, Chance& chance) const;

 private:
  void write(const QString& name, const QByteArray& bytes);

  QString m_folder;
  QStringList m_names;
};

}  // namespace vqscope::monkey

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>
#include <QStringList>

#include <string_view>
#include <vector>

namespace vqscope {

/// What was chosen in the search and how often, the last choice first: at most 60 ids, kept in a file
/// between two starts.
class CommandHistory {
 public:
  struct Used {
    QString id;
    int uses = 1;
    friend bool operator==(const Used&, const Used&) = default;
  };

  /// Reads the list from `storePath`; empty: kept in memory alone. A list that cannot be read is empty.
  explicit CommandHistory(QString storePath = {});

  /// An error of writing is that of the file system; the list in memory has the choice anyway.
  Result<void> add(const QString& id);
  int uses(const QString& id) const;
  const std::vector<Used>& all() const { return m_used; }

 private:
  void read();

  QString m_storePath;
  std::vector<Used> m_used;
};

/// The list in a file of CommandHistory; input is not trusted.
std::vector<CommandHistory::Used> commandHistoryFromJson(std::string_view json);

}  // namespace vqscope

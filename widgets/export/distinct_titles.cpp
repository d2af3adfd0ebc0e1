// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/distinct_titles.h"

#include <algorithm>
#include <vector>

namespace vqscope {
namespace {

const QString behindName = QStringLiteral("   ");
const QString betweenValues = QStringLiteral(" · ");

struct TitleParts {
  QString name;
  QStringList values;
};

TitleParts splitTitle(const QString& title) {
  const QString values = title.section(behindName, 1);
  return {title.section(behindName, 0, 0), values.isEmpty() ? QStringList() : values.split(betweenValues)};
}

/// "window" in "window · window 64".
bool isNamed(const QStringList& values, const QString& value) {
  return std::ranges::any_of(values, [&](const QString& each) { return each.startsWith(value + QLatin1Char(' ')); });
}

}  // namespace

QStringList distinctTitles(const QStringList& titles) {
  std::vector<TitleParts> all;
  for (const QString& title : titles) all.push_back(splitTitle(title));
  const auto isShared = [&](const QString& value) {
    return std::ranges::all_of(all, [&](const TitleParts& each) { return each.values.contains(value); });
  };
  const bool isOneName =
      std::ranges::all_of(all, [&](const TitleParts& each) { return each.name == all.front().name; });
  QStringList distinct;
  for (const TitleParts& each : all) {
    QStringList values = each.values;
    values.removeIf(isShared);
    const QStringList own = values;
    values.removeIf([&](const QString& value) { return isNamed(own, value); });
    const QString shown = values.join(betweenValues);
    if (shown.isEmpty())
      distinct << each.name;
    else
      distinct << (isOneName ? shown : each.name + behindName + shown);
  }
  return distinct;
}

}  // namespace vqscope

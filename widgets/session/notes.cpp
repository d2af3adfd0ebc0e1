// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/notes.h"

#include "core/base/text.h"

#include <QString>

namespace vqscope {
namespace {

constexpr qsizetype longestSummary = 300;  // a path comes before it
constexpr std::size_t longestNote = 180;
constexpr std::size_t longestValue = 40;

}  // namespace

std::string shortValue(const ParameterValue& value) {
  const std::string text = format_value(value);
  return text.empty() ? "empty" : shortened(text, longestValue);
}

std::string summary(const Notes& notes) {
  QString told;
  std::size_t count = 0;
  for (const auto& note : notes) {
    const QString next = (told.isEmpty() ? QString() : told + QStringLiteral("; ")) +
                         QString::fromStdString(shortened(note, longestNote));
    if (next.size() > longestSummary) break;
    told = next;
    ++count;
  }
  if (count < notes.size())
    told += QStringLiteral("; and %1 more").arg(QString::number(static_cast<qulonglong>(notes.size() - count)));
  return told.toStdString();
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/row/row_searches.h"

#include "widgets/parts/text.h"

#include <array>

namespace vqscope {
namespace {

constexpr int announceDelay = 200;  ///< a shorter search is not announced

/// "3 samples", "4 heads", "3 samples and 4 heads".
QString countOf(const SearchedSamples& of) {
  QStringList parts;
  if (of.samples > 1) parts << RowSearches::tr("%1 samples").arg(of.samples);
  if (of.heads > 1) parts << RowSearches::tr("%1 heads").arg(of.heads);
  return parts.join(RowSearches::tr(" and "));
}

QString capitalised(QString words) {
  words[0] = words[0].toUpper();
  return words;
}

}  // namespace

RowSearches::RowSearches(QObject* parent) : QObject(parent) {
  m_announceTimer.setSingleShot(true);
  m_announceTimer.setInterval(announceDelay);
  connect(&m_announceTimer, &QTimer::timeout, this, [this] {
    m_takesLong = m_searches.isBusy();
    emit changed();
  });
}

void RowSearches::start(RowSearchRequest request) {
  request.samples = m_samples;
  m_searches.run<Result<std::optional<FoundRow>>>(
      [request](const std::stop_token& stop) { return find_row(request, stop); },
      [this, request](const Result<std::optional<FoundRow>>& hit) {
        m_takesLong = false;
        emit changed();
        take(request, hit);
      });
  m_announceTimer.start();
}

void RowSearches::stop() {
  m_announceTimer.stop();
  m_takesLong = false;
  m_searches.stop();
}

QString RowSearches::predicate(const RowSearchRequest& request, const BrokenRow& row) {
  QStringList rules;
  for (const auto& rule : row.rules) rules << text(rule);
  switch (request.goal) {
    case RowGoal::empty: return tr("has no visible key");
    case RowGoal::differs:
      return request.second ? tr("differs from the other mask") : tr("sees other distances than the row before it");
    case RowGoal::rule: break;
  }
  return tr("breaks: %1").arg(rules.join(QStringLiteral(", ")));
}

QString RowSearches::nothingFound(const RowSearchRequest& request) {
  const std::array none{tr("Every row has a visible key"),
                        request.second ? tr("No row differs from the other mask")
                                       : tr("Every row sees the same distances as the row before it"),
                        tr("No row breaks a rule")};
  const QString sentence = none[static_cast<std::size_t>(request.goal)];
  if (request.samples.count() == 1) return sentence;
  return sentence + (request.samples.make ? tr(" (all %1)") : tr(" here; the rest of the %1 is not searched"))
                        .arg(countOf(request.samples));
}

QString RowSearches::placeText(const SearchedSamples& samples, Index place, Index row) {
  QStringList parts;
  const bool isOther = place != samples.shown();
  if (isOther && samples.samples > 1) parts << tr("sample %1").arg(place / samples.heads);
  if (isOther && samples.heads > 1) parts << tr("head %1").arg(place % samples.heads);
  parts << tr("row %1").arg(row);
  return parts.join(QStringLiteral(", "));
}

void RowSearches::take(const RowSearchRequest& request, const Result<std::optional<FoundRow>>& hit) {
  if (!hit) {
    if (hit.error().code != Errc::cancelled) emit notified(sentence(hit.error().message), true);
    return;
  }
  if (!*hit) return emit notified(nothingFound(request), false);
  const auto& [place, row, wrapped] = **hit;
  const SearchedSamples& samples = request.samples;
  const bool isHere = place == samples.shown();
  const Cell cell{row.row, row.key.value_or(isHere ? request.from.col : 0)};
  const bool isOtherRun = request.goal == RowGoal::differs && row.key && *row.key != request.from.col;
  const bool isOnly = isHere && wrapped && row.row == request.from.row && !isOtherRun;
  const QString what = predicate(request, row);
  const QString found = placeText(samples, place, row.row) + QLatin1Char(' ') + what;
  const QString whole = samples.make && samples.count() > 1 ? tr("sample") : tr("row");
  const QString from = request.forwards ? tr("Continued from the first %1: %2") : tr("Continued from the last %1: %2");
  const QString notice = isOnly    ? tr("Row %1 is the only row that %2").arg(row.row).arg(what)
                         : wrapped ? from.arg(whole, found)
                                   : capitalised(found);
  if (!isHere) return emit samplePicked(place / samples.heads, place % samples.heads, cell, notice);
  emit picked(cell);
  if (wrapped || request.goal == RowGoal::rule) emit notified(notice, false);
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/mask/row/sample_search.h"
#include "widgets/session/field_scheduler.h"

#include <QObject>
#include <QTimer>

namespace vqscope {

/// The searches of the row debugger, in the background: one at a time, with a sentence on what it
/// found.
class RowSearches : public QObject {
  Q_OBJECT
 public:
  explicit RowSearches(QObject* parent);

  /// The samples and heads of the mask's file, through which searches go on.
  void setSamples(SearchedSamples samples) { m_samples = std::move(samples); }
  /// Takes the place of the search that runs. The samples are those that were set.
  void start(RowSearchRequest request);
  void stop();
  bool isBusy() const { return m_searches.isBusy(); }
  /// Whether it takes long enough to be announced.
  bool takesLong() const { return m_takesLong; }

 signals:
  /// Of the mask that is shown.
  void picked(const vqscope::Cell& cell);
  void samplePicked(vqscope::Index sample, vqscope::Index head, const std::optional<vqscope::Cell>& cell,
                    const QString& notice);
  void notified(const QString& sentence, bool bad);
  /// takesLong() or isBusy() is another.
  void changed();

 private:
  void take(const RowSearchRequest& request, const Result<std::optional<FoundRow>>& hit);
  /// "has no visible key", of the row that was found.
  static QString predicate(const RowSearchRequest& request, const BrokenRow& row);
  static QString nothingFound(const RowSearchRequest& request);
  /// "sample 2, row 5"; in the shown mask "row 5".
  static QString placeText(const SearchedSamples& samples, Index place, Index row);

  SearchedSamples m_samples;
  FieldScheduler m_searches;
  QTimer m_announceTimer;
  bool m_takesLong = false;
};

}  // namespace vqscope

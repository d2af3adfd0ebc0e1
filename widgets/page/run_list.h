// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_chart.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTableWidget;
class QTableWidgetItem;

namespace vqscope {

class CurveTable;
class CurveView;

/// The runs that were kept: sorted by any column, searched, named and noted in place, deleted with a way back. The ones
/// that are chosen stand beside the list in one chart, with mean and spread over seeds as a table.
class RunList : public QWidget {
  Q_OBJECT
 public:
  RunList(RunStore store, QWidget* parent);

  /// Lists another folder from the next setRuns() on. `other`: not that of the kept runs, which the list says.
  void setStore(RunStore store, bool other);
  /// The run that the next setRuns() chooses; empty: all of them, where one chart can hold them.
  void choose(std::string name) { m_wanted = std::move(name); }
  /// What the folder has; `problem`: why it could not be read. The choice stays.
  void setRuns(const RunListing& listing, const QString& problem);

  QTableWidget* table() { return m_table; }
  CurveView* chart() { return m_chart; }

 signals:
  /// A run was named, noted, deleted or brought back.
  void changed();
  /// The kept runs are to be listed again.
  void keptAsked();

 private:
  QWidget* makePlace();
  QWidget* makeButtons();
  QWidget* makeChart();
  void fill();
  void filter();
  void showFirstChosen();
  std::vector<KeptRun> chosen() const;
  void showChosen();
  void onEdited(const QTableWidgetItem* item);
  void deleteChosen();
  void restoreDeleted();
  void say(const QString& sentence);

  RunStore m_store;
  std::vector<KeptRun> m_runs;
  std::vector<std::vector<std::string>> m_deleted;  ///< names, the last deletion last
  std::optional<std::string> m_wanted;
  QWidget* m_place = nullptr;  ///< says that the folder is another, and leads back
  QLabel* m_folder = nullptr;
  QLineEdit* m_search;
  QTableWidget* m_table;
  QLabel* m_words;
  QLabel* m_remark = nullptr;
  QStackedWidget* m_results = nullptr;
  CurveView* m_chart = nullptr;
  CurveTable* m_spreads = nullptr;
  QPushButton* m_delete = nullptr;
  QPushButton* m_restore = nullptr;
  bool m_filling = false;
};

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/sweep_table.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QTableView;

namespace vqscope {

class MergedModel;

/// The visible rows of a merged table, and a report on all rows.
struct MergedRows {
  static constexpr Index most = 10'000;  ///< number of rows shown at most

  struct Row {
    std::vector<std::string> words;  ///< point, the values that vary, series
    std::optional<double> x;
    double value = 0;
  };
  std::vector<std::string> columns;
  std::vector<Row> rows;
  Index count = 0;  ///< number of all rows
  MergeReport report;
};

/// The first rows of the table that merge_sweep writes.
Result<MergedRows> mergedRows(const Sweep& sweep, const std::string& folder, const std::stop_token& stop);

/// The merged table of the finished points of a folder, read in the background.
class MergedTable : public QWidget {
  Q_OBJECT
 public:
  explicit MergedTable(QWidget* parent = nullptr);

  /// Reads the runs of the folder. Null: shows nothing.
  void show(std::shared_ptr<const Sweep> sweep, const std::string& folder);
  bool isBusy() const { return m_reading.isBusy(); }

  QTableView* table() const { return m_view; }

 private:
  void take(Result<MergedRows> rows);

  MergedModel* m_model;
  QTableView* m_view;
  QLabel* m_words;
  FieldScheduler m_reading;
};

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "widgets/plot/matrix_cursor.h"
#include "widgets/session/field_scheduler.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace vqscope {

/// Reads the cell under the mouse in the background: a block is counted, an experiment computes.
class CellReading : public QObject {
  Q_OBJECT
 public:
  explicit CellReading(QObject* parent);

  /// Replaces what is being read. done() follows.
  void read(const std::shared_ptr<const Field>& field, Cell cell);
  void stop();
  bool isBusy() const { return m_reading.isBusy(); }

 signals:
  /// An error is shown in the text of the report.
  void done(const std::shared_ptr<const vqscope::Field>& field, const vqscope::Cell& cell,
            const vqscope::CellReport& report);
  /// It takes long enough to be indicated.
  void slow();

 private:
  FieldScheduler m_reading;
  QTimer m_idleTimeout;
};

}  // namespace vqscope

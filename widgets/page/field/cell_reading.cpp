// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/field/cell_reading.h"

namespace vqscope {

CellReading::CellReading(QObject* parent) : QObject(parent) {
  m_idleTimeout.setSingleShot(true);
  m_idleTimeout.setInterval(150);
  connect(&m_idleTimeout, &QTimer::timeout, this, &CellReading::slow);
}

void CellReading::read(const std::shared_ptr<const Field>& field, Cell cell) {
  if (!m_idleTimeout.isActive()) m_idleTimeout.start();
  m_reading.run<Result<CellReport>>(
      [field, cell](const std::stop_token&) -> Result<CellReport> { return field->report(cell.row, cell.col); },
      [this, field, cell](Result<CellReport> report) {
        if (!m_reading.isBusy()) m_idleTimeout.stop();
        emit done(field, cell, report ? std::move(*report) : CellReport{{}, report.error().message});
      });
}

void CellReading::stop() {
  m_reading.stop();
  m_idleTimeout.stop();
}

}  // namespace vqscope

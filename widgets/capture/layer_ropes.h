// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/capture/store/capture.h"
#include "core/config/report/config_report.h"
#include "core/method/parameter.h"
#include "widgets/session/field_scheduler.h"

#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QTableWidget;

namespace vqscope {

/// Which rotation the tensors of each layer show, and where it differs from the capture's config.
class LayerRopes : public QWidget {
  Q_OBJECT
 public:
  explicit LayerRopes(std::shared_ptr<const Capture> capture, QWidget* parent = nullptr);

  /// Looks for the rotations, layer by layer, once.
  void read();
  void showLayer(Index layer);
  bool isBusy() const { return m_work.isBusy(); }

 signals:
  /// The page of positions is to turn as the current layer does.
  void positionsRequested(const vqscope::ParameterValues& values);
  /// Python that turns as the current layer does is to be copied.
  void codeRequested(const vqscope::ParameterValues& values);

 private:
  /// What is told of a layer.
  struct Told {
    QString sentence = {};
    QStringList differences = {};
    QString open = {};                           ///< what the tensors do not fix
    QString parameters = {};                     ///< empty: no rotation was found
    std::optional<ParameterValues> values = {};  ///< of a method that turns alike
    QString noValues = {};                       ///< why there are none
  };
  static Told toldOf(const Capture& capture, Index layer);
  void readFrom(int row);
  void fill(int row, const Told& told);
  void showCurrent();
  void copyConfig();
  QPushButton* addButton(const QString& title);
  Told current() const;

  std::shared_ptr<const Capture> m_capture;
  std::vector<Index> m_layers;
  std::vector<Told> m_told;
  bool m_isRequested = false;
  QTableWidget* m_table;
  QLabel* m_current;
  QPushButton* m_copy;
  QPushButton* m_show;
  QPushButton* m_code;
  FieldScheduler m_work;
};

}  // namespace vqscope

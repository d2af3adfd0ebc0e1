// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <QWidget>

#include <functional>

class QCheckBox;
class QComboBox;
class QVBoxLayout;

namespace vqscope {

/// How the maps of a page look: what a pixel shows, colours, square cells.
class ViewOptions : public QWidget {
  Q_OBJECT
 public:
  explicit ViewOptions(QWidget* parent);

  void setPage(const ShownPage& page);

 signals:
  /// A change of the page; `what`: for the undo step.
  void chosen(const QString& what, const std::function<void(vqscope::ShownPage&)>& change);

 private:
  void addRow(const QString& title, QComboBox* field);
  void offerAggregates(const ShownPage& page);

  QVBoxLayout* m_layout;
  QComboBox* m_aggregate;
  QComboBox* m_colourMap;
  QCheckBox* m_keepAspect;
};

}  // namespace vqscope

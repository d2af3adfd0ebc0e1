// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/method.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <memory>

class QFormLayout;
class QLabel;

namespace vqscope {

class BlockSummary;
class BlockView;
class MaskInsight;
class Veil;

/// Says of one cell what it is and why: facts, a sentence with the numbers in it, and where the formula comes from.
class InspectorPanel : public QWidget {
  Q_OBJECT
 public:
  explicit InspectorPanel(QWidget* parent = nullptr);

  /// `values`: those that are shown, of the page's methods; the method carries its own.
  void setMethod(const Method* method, const ParameterValues& values = {});
  void showCell(const CellReport& report);
  /// The blocks that are shown, to be counted; nothing: none are.
  void setBlocks(std::shared_ptr<const BlockView> blocks);
  /// Of all that stands here, against the values in the form.
  void setFreshness(const Freshness& freshness);
  /// The next cell takes its time.
  void awaitCell();
  /// Nothing is being counted or compared.
  bool isBusy() const;
  /// No cell: says how to get one.
  void showNothing();
  /// What a mask as a whole is, beneath the cell.
  MaskInsight* insight() const { return m_insight; }

 private:
  using Facts = decltype(CellReport::facts);

  void askRemark(const Method* method, const ParameterValues& values);
  void showRemark(const std::string& remark);
  void showFreshness();
  void showFacts(const Facts& facts);

  BlockSummary* m_blocks;
  QFormLayout* m_facts;
  QLabel* m_empty;
  QLabel* m_whyHeading;
  QLabel* m_why;
  MaskInsight* m_insight;
  QLabel* m_about;
  QLabel* m_remark;
  QLabel* m_source;
  const Method* m_remarked = nullptr;  ///< whose remark is there
  ParameterValues m_remarkedValues;
  FieldScheduler m_remarking;
  Freshness m_given;
  bool m_awaited = false;
  Veil* m_veil;
};

}  // namespace vqscope

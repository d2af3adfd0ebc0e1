// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/method.h"
#include "widgets/parts/freshness.h"
#include "widgets/session/field_scheduler.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QFormLayout;
class QLabel;

namespace vqscope {

class BlockSummary;
class BlockView;
class MaskInsight;
class NotesList;
class Overlay;

/// Explains one cell: facts, a sentence with its numbers, and the source of the formula.
class InspectorPanel : public QWidget {
  Q_OBJECT
 public:
  explicit InspectorPanel(QWidget* parent = nullptr);

  /// `values`: the shown values of the page, from which the method takes its own.
  /// `other`: those of the second side where two are compared; each then has a remark of its own.
  void setMethod(const Method* method, const ParameterValues& values = {},
                 const std::optional<ParameterValues>& other = {});
  void showCell(const CellReport& report);
  /// The shown blocks, to count them; null: no blocks are shown.
  void setBlocks(std::shared_ptr<const BlockView> blocks);
  /// Freshness of the whole panel against the values in the form.
  void setFreshness(const Freshness& freshness);
  /// The next cell is still being computed.
  void awaitCell();
  /// Whether nothing is being counted or compared.
  bool isBusy() const;
  /// Without a cell, explains how to pick one.
  void showNothing();
  /// Description of the whole mask, above the cell.
  MaskInsight* insight() const { return m_insight; }
  /// Notes on cells of the page.
  NotesList* notes() const { return m_notes; }

 private:
  using Facts = decltype(CellReport::facts);

  void requestRemark(const Method* method, std::vector<ParameterValues> sides);
  void showRemark(const QString& remark);
  void showFreshness();
  void showFacts(const Facts& facts);

  BlockSummary* m_blocks;
  QFormLayout* m_facts;
  QLabel* m_empty;
  QLabel* m_whyHeading;
  QLabel* m_why;
  MaskInsight* m_insight;
  NotesList* m_notes;
  QLabel* m_about;
  QLabel* m_remark;
  QLabel* m_source;
  const Method* m_remarked = nullptr;  ///< the method of the current remark
  std::vector<ParameterValues> m_remarkedSides;
  FieldScheduler m_remarking;
  QTimer m_awaiting;  ///< before a line says that a remark comes
  Freshness m_given;
  bool m_awaited = false;
  Overlay* m_overlay;
};

}  // namespace vqscope

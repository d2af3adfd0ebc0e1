// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/page_widget.h"

class QTableWidget;
class QTimer;

namespace vqscope {

class StartView;
struct SurveyRow;

/// The first page of the window, which has no method.
class StartPage : public PageWidget {
  Q_OBJECT
 public:
  StartPage(Workbench& workbench, const PageInfo& info, QWidget* parent);

  StartView* view() const { return m_view; }

  void sync() override {}
  void fit() override {}
  void zoom(double) override {}
  Result<void> goTo(Cell) override { return invalid("the start page has no matrix with cells"); }
  std::optional<Extent> extent() const override { return std::nullopt; }
  std::vector<ExportTarget> exportTargets() const override { return {}; }
  const Method* mainMethod() const override { return nullptr; }
  bool isBusy() const override { return false; }
  void announce() override { emit readoutShown(std::nullopt); }
  bool hasSides() const override { return false; }

 private:
  StartView* m_view;
};

/// A table of position encodings and scalings, one for each row of the survey. The inspector
/// explains the selected row; Enter or a double click opens it.
class SurveyPage : public PageWidget {
  Q_OBJECT
 public:
  SurveyPage(Workbench& workbench, const PageInfo& info, QWidget* parent);

  void sync() override {}
  void fit() override {}
  void zoom(double) override {}
  Result<void> goTo(Cell) override { return invalid("this page has a table of encodings, no matrix with cells"); }
  std::optional<Extent> extent() const override { return std::nullopt; }
  std::vector<ExportTarget> exportTargets() const override { return {}; }
  const Method* mainMethod() const override;
  bool isBusy() const override { return false; }
  void announce() override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fill();
  const SurveyRow& row() const;

  QTableWidget* m_table;
  QTimer* m_wrapping;  ///< the texts wrap at any width
};

}  // namespace vqscope

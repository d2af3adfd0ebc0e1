// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/page_widget.h"

class QSplitter;
class QTabBar;

namespace vqscope {

class CurveView;

/// A page of curve methods: the chosen one large, related curves stacked beside it. In a narrow page
/// one is in front, with tabs for the others.
class CurvePage : public PageWidget {
  Q_OBJECT
 public:
  CurvePage(Workbench& workbench, const PageInfo& info, QWidget* parent);

  void sync() override;
  void forget() override;
  void fit() override;
  void zoom(double) override {}
  Result<void> goTo(Cell) override { return invalid("this page has curves, no matrix with cells"); }
  std::optional<Extent> extent() const override { return std::nullopt; }
  std::vector<ExportTarget> exportTargets() const override;
  const Method* mainMethod() const override;
  bool isBusy() const override;
  void announce() override { emit readoutShown(std::nullopt); }

 protected:
  void showFreshness() override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  /// Gives a view the curves of the session; here, computes them at once.
  virtual void showIn(CurveView& view, const Method& method, const ParameterValues& values);
  /// Whether a related method of the chosen one gets a view.
  virtual bool showsBeside(const Method&) const { return true; }
  /// Called for each new view.
  virtual void prepare(CurveView&) {}
  /// Whether work continues while the page is hidden.
  virtual bool runsWhenHidden() const { return false; }
  /// The large view first; views beyond methods() are hidden.
  const std::vector<CurveView*>& views() const { return m_views; }
  const std::vector<const Method*>& methods() const { return m_methods; }

 private:
  CurveView* addView();
  void fillTabs();
  /// Shows the views that have a place.
  void arrange();
  /// The method of a view; null for a hidden view, which may still emit signals.
  const Method* methodOf(const CurveView* view) const;
  ExportTarget targetOf(const Method* method) const;

  QTabBar* m_tabs;
  QSplitter* m_across;
  QSplitter* m_stacked;
  QWidget* m_beside;                     ///< scrolls m_stacked
  std::vector<CurveView*> m_views;       ///< the large one first; views are kept for reuse
  std::vector<const Method*> m_methods;  ///< methods of the visible views
  std::optional<ShownPage> m_shown;
};

}  // namespace vqscope

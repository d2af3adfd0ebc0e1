// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/workspace_page.h"

class QSplitter;

namespace vqscope {

class CurveView;

/// A page of curve methods: the one that is chosen large, its companions stacked beside it.
class CurvePage : public WorkspacePage {
  Q_OBJECT
 public:
  CurvePage(Workbench& workbench, const WorkspaceInfo& info, QWidget* parent);

  void sync() override;
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
  /// Gives a view what the session asks of it: computes it at once.
  virtual void showIn(CurveView& view, const Method& method, const ParameterValues& values);
  /// Whether a companion of the chosen method has a view.
  virtual bool showsBeside(const Method&) const { return true; }
  /// A view has been made.
  virtual void prepare(CurveView&) {}
  /// Whether work goes on while another page is looked at.
  virtual bool goesOn() const { return false; }
  /// The large one first; those beyond methods() are hidden.
  const std::vector<CurveView*>& views() const { return m_views; }
  const std::vector<const Method*>& methods() const { return m_methods; }

 private:
  CurveView* addView();
  /// Nothing of a view that is hidden, which may still be heard from.
  const Method* methodOf(const CurveView* view) const;
  ExportTarget targetOf(const Method* method) const;

  QSplitter* m_across;
  QSplitter* m_stacked;
  std::vector<CurveView*> m_views;       ///< the large one first; as many as were ever needed
  std::vector<const Method*> m_methods;  ///< of the first views, which are shown
  std::optional<WorkspaceState> m_shown;
};

}  // namespace vqscope

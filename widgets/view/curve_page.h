// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/view/workspace_page.h"

namespace vqscope {

class CurveView;

/// A page of curve methods: the first one large, the others stacked beside it.
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
  const Method* mainMethod() const override { return m_methods.front(); }
  bool isBusy() const override;
  void showProblem(const QString& sentence) override;
  void announce() override { emit readoutShown(std::nullopt); }

 private:
  std::vector<const Method*> m_methods;
  std::vector<CurveView*> m_views;
  std::optional<WorkspaceState> m_shown;
};

}  // namespace vqscope

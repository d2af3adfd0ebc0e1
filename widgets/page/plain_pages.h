// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/page_widget.h"

namespace vqscope {

class StartView;

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

}  // namespace vqscope

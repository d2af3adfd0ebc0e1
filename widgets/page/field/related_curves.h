// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/page/page_widget.h"

#include <vector>

namespace vqscope {

class CurveView;
class LookMenus;
class ProfileColumn;

/// The curves beside the maps of a page: those that explain the method on screen, and those that
/// are pinned.
class RelatedCurves : public QObject {
  Q_OBJECT
 public:
  /// The views stand in `column`.
  RelatedCurves(Workbench& workbench, const PageInfo& info, ProfileColumn& column, QObject* parent);

  /// Shows the curves that belong to the page as it was made, with the values of the session.
  void show(const ShownPage& made);
  /// Offers the others to be pinned.
  static void offer(const ShownPage& made, LookMenus& menus);
  /// A pinned curve has the values of its own page, and over them those of this page.
  ParameterValues valuesOf(const Method& curves) const;

  /// Stops the work. Returns whether curves are unfinished, which show() begins again.
  bool stop();
  bool isBusy() const;

 signals:
  void readoutChanged(const vqscope::Method* method, const std::optional<vqscope::CellReport>& report);
  void exportRequested(const vqscope::ExportTarget& target);
  void pinRequested(const vqscope::ExportTarget& target);

 private:
  struct RelatedCurve {
    const Method* method;
    CurveView* view;
  };
  void add(const Method* method);
  bool has(const std::string& id) const;
  const ShownPage& state() const { return m_workbench.page(m_info.id); }

  Workbench& m_workbench;
  const PageInfo& m_info;
  ProfileColumn& m_column;
  std::vector<RelatedCurve> m_related;
};

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/view/view_cases.h"
#include "widgets/page/field/field_page.h"
#include "widgets/view/curve_view.h"
#include "widgets/view/profile_column.h"
#include "widgets/view/view_header.h"

#include <QLabel>
#include <QTest>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope::test {

/// A page on screen; as in the window it follows the workbench.
struct ShownField {
  Workbench bench;
  FieldPage page;
  std::string id;
  std::optional<CellReport> report;
  std::string method;  ///< whose the report is
  std::vector<FrameReport> frames;

  explicit ShownField(const char* name = "buckets") : page(bench, *find_page_info(name), nullptr), id(name) {
    QObject::connect(&bench, &Workbench::changed, &page, &FieldPage::sync);
    QObject::connect(&page, &PageWidget::readoutShown, &page, [this](const auto& readout) {
      report = readout ? std::optional(readout->report) : std::nullopt;
      method = readout ? readout->method->id : std::string();
    });
    QObject::connect(&page, &PageWidget::frameShown, &page, [this](const auto& frame) { frames.push_back(frame); });
    page.resize(1100, 600);
    page.sync();
    page.show();
    settle();
  }

  ShownPage state() const { return bench.page(id); }
  void change(const std::function<void(ShownPage&)>& change) {
    ShownPage next = state();
    change(next);
    const auto done = bench.edit("change", next);
    QVERIFY2(done, done ? "" : done.error().message.c_str());
    settle();
  }
  std::vector<MatrixView*> maps() const {
    std::vector<MatrixView*> shown;
    for (auto* view : page.findChildren<MatrixView*>())
      if (view->isVisible()) shown.push_back(view);
    return shown;
  }
  /// Until what the mouse is on has been read.
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 120000);
    for (auto* view : maps())
      QTRY_VERIFY(view->picture() && view->picture()->request.field == view->content().field &&
                  view->picture()->request.range == view->visibleRange());
  }
  /// The sentence on the first map, if it is not up to date.
  QString problem() const {
    const QLabel* label = problemLabel();
    return label ? label->text() : QString();
  }
  const QLabel* problemLabel() const {
    for (const auto* label : maps()[0]->findChildren<QLabel*>())
      if (label->property("class") == "problem" && !label->text().isEmpty()) return label;
    return nullptr;
  }
  QString badge() const {
    for (const auto* label : maps()[0]->findChildren<QLabel*>())
      if (label->property("class") == "badge") return label->text();
    return {};
  }
  std::string fact(std::string_view name) const {
    if (report)
      for (const auto& [each, value] : report->facts)
        if (each == name) return value;
    return {};
  }
};

}  // namespace vqscope::test

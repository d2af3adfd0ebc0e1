// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/panel/parameter_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <string>

namespace vqscope::test {

/// A page's panel on screen; as in the window it follows the workbench.
struct ShownPanel {
  Workbench bench;
  ParameterPanel panel;
  std::string page;

  void compare(CompareMode mode) {
    ShownPage next = state();
    if (next.compare == CompareMode::none) next.other = next.values;
    next.compare = mode;
    QVERIFY(bench.edit("compare", next));
    panel.sync();
  }
  explicit ShownPanel(const char* id = "buckets") : panel(bench, *find_page_info(id)), page(id) {
    QObject::connect(&bench, &Workbench::changed, &panel, &ParameterPanel::sync);
    panel.resize(300, 1200);
    panel.show();
    panel.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&panel);
  }

  const ShownPage& state() const { return bench.page(page); }
  template <class Widget>
  Widget* part(const char* name) {
    return panel.findChild<Widget*>(name);
  }
  void type(const char* name, const char* text) {
    auto* box = part<QLineEdit>(name);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Return);
  }
  QString sentence(const char* name) {
    auto* label = part<QLabel>((std::string(name) + ".error").c_str());
    return label && label->isVisible() ? label->text() : QString();
  }
  /// The choice with this text among its items, taken as a person takes it.
  void choose(const QString& text) {
    for (auto* box : panel.findChildren<QComboBox*>())
      if (const int index = box->findText(text); index >= 0) {
        box->setCurrentIndex(index);
        emit box->activated(index);
        return;
      }
    QFAIL(qPrintable("no choice " + text));
  }
  /// The list of the page's methods, where they do not fit beside each other.
  QComboBox* methodList() {
    for (auto* each : panel.findChildren<QComboBox*>())
      if (each->accessibleName() == "Show") return each;
    return nullptr;
  }
  QPushButton* button(const QString& text) {
    for (auto* each : panel.findChildren<QPushButton*>())
      if (each->text() == text) return each;
    return nullptr;
  }
};

}  // namespace vqscope::test

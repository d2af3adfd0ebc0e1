// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/invariants.h"

#include "core/session/session_json.h"
#include "tests/monkey/act/hands.h"
#include "widgets/mask/checks/lint_panel.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/panel/inspector_panel.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/message_bar.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QLabel>
#include <QMessageBox>

namespace vqscope::monkey {
namespace {

constexpr qsizetype longestMessage = 400;

void checkLength(const QString& message, const QString& place, QStringList& broken) {
  if (message.size() > longestMessage)
    broken << QStringLiteral("%1 characters in %2: %3").arg(message.size()).arg(place, shown(message));
}

void checkMessages(const MainWindow& window, QStringList& broken) {
  checkLength(window.findChild<MessageBar*>()->sentence(), QStringLiteral("the message bar"), broken);
  for (const auto* label : window.findChildren<QLabel*>()) {
    const QString look = label->property("class").toString();
    if (label->isVisible() && (look == QLatin1String("problem") || look == QLatin1String("error")))
      checkLength(label->text(), describe(label->parentWidget()), broken);
  }
  const auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
  if (box && !Qt::mightBeRichText(box->text())) checkLength(box->text(), QStringLiteral("a message box"), broken);
}

void checkSession(MainWindow& window, QStringList& broken) {
  const Session session = window.workbench().session();
  const auto again = parse_session(session_text(session));
  if (!again) {
    broken << QStringLiteral("the session cannot be opened again: %1").arg(text(again.error().message));
  } else if (!again->notes.empty()) {
    broken << QStringLiteral("the session is not opened as it was saved: %1").arg(text(summary(again->notes)));
  } else if (!(again->session == session)) {
    broken << QStringLiteral("the session is another after save and load: %1")
                  .arg(differing(session, again->session).join(','));
  }
}

void checkUndo(MainWindow& window, QStringList& broken) {
  auto& stack = window.workbench().undoStack();
  if (stack.index() < 0 || stack.index() > stack.count()) broken << QStringLiteral("undo stack out of its range");
  const int steps = std::min(stack.index(), 3);
  const Session before = window.workbench().session();
  for (int i = 0; i < steps; ++i) stack.undo();
  for (int i = 0; i < steps; ++i) stack.redo();
  const Session& after = window.workbench().session();
  if (before.subject != after.subject) broken << QStringLiteral("the subject is another after undo and redo");
  for (const auto& each : before.pages)
    if (const auto* other = find_page(after, each.id);
        other && !(each.own == other->own && each.other == other->other && each.method == other->method))
      broken << QStringLiteral("%1 is another after %2 x undo and redo").arg(text(each.id)).arg(steps);
}

}  // namespace

QStringList differing(const Session& a, const Session& b) {
  QStringList parts;
  for (const auto& each : a.pages)
    if (const auto* other = find_page(b, each.id); !other || !(*other == each)) parts << text(each.id);
  if (!(a.subject == b.subject)) parts << QStringLiteral("subject");
  if (a.current != b.current) parts << QStringLiteral("page on top");
  return parts;
}

QStringList brokenNow(MainWindow& window) {
  QStringList broken;
  checkMessages(window, broken);
  return broken;
}

QStringList busyParts(MainWindow& window) {
  QStringList parts;
  if (window.currentPage()->isBusy()) parts << QStringLiteral("page");
  if (window.currentPanel()->isBusy()) parts << QStringLiteral("form");
  if (window.rowDebugger()->isBusy()) parts << QStringLiteral("row debugger");
  if (window.findChild<InspectorPanel*>()->isBusy()) parts << QStringLiteral("inspector");
  if (window.findChild<LintPanel*>()->isBusy()) parts << QStringLiteral("checks");
  return parts;
}

QStringList brokenAtRest(MainWindow& window) {
  QStringList broken = brokenNow(window);
  const QString current = text(window.workbench().session().current);
  if (text(window.currentPage()->info().id) != current || !window.currentPage()->isVisible())
    broken << QStringLiteral("page %1 is current and not shown").arg(current);
  if (!window.currentPanel()->isVisibleTo(window.currentPanel()->parentWidget()))
    broken << QStringLiteral("panel of page %1 is hidden").arg(current);
  const QWidget* focus = QApplication::focusWidget();
  if (focus && !focus->isVisible()) broken << QStringLiteral("hidden %1 has the focus").arg(describe(focus));
  checkSession(window, broken);
  checkUndo(window, broken);
  return broken;
}

}  // namespace vqscope::monkey

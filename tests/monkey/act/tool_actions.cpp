// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/tool_actions.h"

#include "app/window/room/folder_watch.h"
#include "tests/monkey/act/texts.h"
#include "widgets/mask/editor/mask_editor.h"

#include <QAbstractButton>
#include <QPlainTextEdit>

#include <array>

namespace vqscope::monkey {

void searchSomething(Hands& hands) {
  static constexpr std::array words{"T 4096",  "rope 2M", "factor 8", "copy",   "export", "window 128", "alibi",
                                    "compare", "theme",   "survey",   "report", "open",   "undo",       "q_length=77"};
  const QString typed = hands.chance.in(80) ? QString::fromLatin1(hands.chance.of(words)) : anyText(hands.chance);
  hands.log(QStringLiteral("search %1").arg(shown(typed)));
  hands.input.keys(QKeySequence(QStringLiteral("Ctrl+Shift+P")));
  if (hands.chance.in(80)) hands.input.type(typed.left(40));
  for (int i = hands.chance.below(6); i > 0; --i) hands.input.key(Qt::Key_Down);
  hands.input.key(hands.chance.in(80) ? Qt::Key_Return : Qt::Key_Escape);
}

void reportSomething(Hands& hands) {
  const bool prints = hands.chance.in(20);
  hands.log(prints ? QStringLiteral("print") : QStringLiteral("report"));
  hands.input.keys(QKeySequence(prints ? QStringLiteral("Ctrl+P") : QStringLiteral("Ctrl+Shift+R")));
}

void typeInDock(Hands& hands) {
  auto* editor = hands.window.findChild<MaskEditor*>();
  auto* code = editor ? editor->findChild<QPlainTextEdit*>() : nullptr;
  if (!code || !code->isVisible() || hands.chance.in(30)) {
    hands.log(QStringLiteral("editor dock"));
    if (hands.chance.in(70)) hands.window.workbench().showPage("masks");
    return hands.input.keys(QKeySequence(QStringLiteral("Ctrl+M")));
  }
  static constexpr std::array keys{Qt::Key_Tab, Qt::Key_Return, Qt::Key_Backspace, Qt::Key_Up, Qt::Key_End, Qt::Key_F7};
  clickOn(hands, centreOf(code));
  const QString typed = maskText(hands.chance).left(60);
  hands.log(QStringLiteral("type %1 in the dock").arg(shown(typed)));
  if (hands.chance.in(30)) hands.input.keys(QKeySequence(QKeySequence::SelectAll));
  hands.input.type(typed);
  hands.input.key(hands.chance.of(keys));
}

void watchFolder(Hands& hands) {
  auto* watch = hands.window.findChild<FolderWatch*>();
  if (!watch) return;
  const auto buttons = watch->isVisible() ? watch->findChildren<QAbstractButton*>() : QList<QAbstractButton*>();
  if (!buttons.isEmpty() && hands.chance.in(60)) {
    hands.log(QStringLiteral("button of the watched folder"));
    return hands.chance.of(buttons)->click();
  }
  hands.log(QStringLiteral("watch"));
  hands.window.workbench().showPage("masks");
  watch->start(hands.files.folder());
}

void rewriteFile(Hands& hands) { hands.log(QStringLiteral("rewrite %1").arg(hands.files.rewrite(hands.chance))); }

}  // namespace vqscope::monkey

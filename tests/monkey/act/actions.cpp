// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/actions.h"

#include "tests/monkey/act/document_actions.h"
#include "tests/monkey/act/input_actions.h"
#include "tests/monkey/act/room_actions.h"
#include "tests/monkey/act/tool_actions.h"
#include "tests/monkey/act/window_actions.h"

#include <QApplication>

#include <array>

namespace vqscope::monkey {
namespace {

struct Action {
  const char* name;
  int weight;
  bool inDialogs;
  void (*act)(Hands&);
};

constexpr std::array actions{
    Action{"move", 14, true, moveMouse},         Action{"click", 26, true, clickSomewhere},
    Action{"right", 2, true, rightClick},        Action{"double", 3, true, doubleClick},
    Action{"drag", 6, true, dragMouse},          Action{"hold", 2, true, holdMouse},
    Action{"wheel", 7, true, turnWheel},         Action{"key", 12, true, pressKey},
    Action{"shortcut", 8, true, useShortcut},    Action{"type", 6, true, typeSomething},
    Action{"fill", 9, true, fillEditor},         Action{"paste", 1, true, pasteText},
    Action{"resize", 2, true, resizeWindow},     Action{"theme", 1, true, switchTheme},
    Action{"leave", 1, true, leaveWindow},       Action{"help", 2, true, requestHelp},
    Action{"compose", 1, true, composeText},     Action{"interrupt", 1, true, interrupt},
    Action{"dock", 2, false, toggleDock},        Action{"edge", 2, false, dragDock},
    Action{"export", 2, false, exportSomething}, Action{"typist", 1, false, typeAndTurn},
    Action{"page", 5, false, turnPage},          Action{"menu", 5, false, useMenu},
    Action{"undo", 4, false, undoSome},          Action{"value", 6, false, setValue},
    Action{"mask", 4, false, setMaskText},       Action{"compare", 3, false, setCompare},
    Action{"look", 1, false, setLook},           Action{"session", 2, false, openRandomSession},
    Action{"open", 3, false, openSomeFile},      Action{"drop", 1, false, dropFile},
    Action{"config", 1, false, pasteConfig},     Action{"close", 1, false, closeWindow},
    Action{"views", 4, false, turnViews},        Action{"sessions", 2, false, turnSessions},
    Action{"work", 1, false, dropOnWork},        Action{"second", 1, false, startAgain},
    Action{"search", 3, false, searchSomething}, Action{"report", 2, false, reportSomething},
    Action{"text", 2, false, typeInDock},        Action{"watch", 1, false, watchFolder},
    Action{"rewrite", 2, false, rewriteFile},
};

}  // namespace

void actOnce(Hands& hands, const QSet<QString>& without) {
  const bool dialog = QApplication::activeModalWidget() || QApplication::activePopupWidget();
  int total = 0;
  const auto fits = [&](const Action& each) {
    return (each.inDialogs || !dialog) && !without.contains(QString::fromLatin1(each.name));
  };
  for (const auto& each : actions) total += fits(each) ? each.weight : 0;
  if (total == 0) return;
  int chosen = hands.chance.below(total);
  for (const auto& each : actions) {
    if (!fits(each)) continue;
    if (chosen < each.weight) return each.act(hands);
    chosen -= each.weight;
  }
}

QStringList actionNames() {
  QStringList names;
  for (const auto& each : actions) names << QString::fromLatin1(each.name);
  names << QStringLiteral("windows");  // between the actions, by the user itself
  return names;
}

}  // namespace vqscope::monkey

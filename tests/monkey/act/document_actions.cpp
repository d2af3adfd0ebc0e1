// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/document_actions.h"

#include "tests/monkey/act/texts.h"
#include "widgets/parts/text.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QUrl>

namespace vqscope::monkey {
namespace {

ShownPage currentState(Hands& hands) { return hands.window.workbench().current(); }

void edit(Hands& hands, const ShownPage& next) {
  const auto done = hands.window.workbench().edit(QStringLiteral("Random edit"), next);
  if (!done) hands.window.showMessage(text(done.error().message), true);
}

std::optional<ParameterValue> someValue(const ParameterSpec& spec, Chance& chance) {
  if (spec.kind == ParameterKind::boolean) return ParameterValue(chance.in(50));
  if (spec.kind == ParameterKind::choice && !spec.choices.empty()) return ParameterValue(chance.of(spec.choices).id);
  if (spec.kind == ParameterKind::choice_set) {
    std::vector<std::string> chosen;
    for (const auto& each : spec.choices)
      if (chance.in(30)) chosen.push_back(each.id);
    return ParameterValue(chosen);
  }
  if (spec.kind == ParameterKind::text) return ParameterValue(maskText(chance).toStdString());
  const auto value = parse_value(spec, numberText(chance).toStdString());
  if (!value) return std::nullopt;
  return *value;
}

QStringList someFiles(Hands& hands) {
  QStringList paths;
  for (int i = hands.chance.in(70) ? 1 : hands.chance.between(2, 4); i > 0; --i)
    paths << hands.files.toOpen(hands.chance);
  return paths;
}

}  // namespace

void turnPage(Hands& hands) {
  const auto infos = page_infos();
  const auto& info = hands.chance.of(infos);
  hands.log(QStringLiteral("page %1").arg(text(info.id)));
  hands.window.workbench().showPage(info.id);
}

void useMenu(Hands& hands) {
  QList<QAction*> all;
  for (const auto* menu : hands.window.menuBar()->findChildren<QMenu*>())
    for (QAction* action : menu->actions())
      if (!action->isSeparator() && !action->menu() && action->isEnabled()) all << action;
  if (all.isEmpty()) return;
  QAction* action = hands.chance.of(all);
  hands.log(QStringLiteral("menu %1").arg(shown(action->text())));
  action->trigger();
}

void undoSome(Hands& hands) {
  auto& stack = hands.window.workbench().undoStack();
  const bool back = hands.chance.in(60);
  const int times = hands.chance.in(80) ? 1 : hands.chance.between(2, 20);
  hands.log(QStringLiteral("%1 x %2").arg(back ? QStringLiteral("undo") : QStringLiteral("redo")).arg(times));
  for (int i = 0; i < times; ++i) back ? stack.undo() : stack.redo();
}

void setValue(Hands& hands) {
  ShownPage next = currentState(hands);
  const PageInfo& info = *find_page_info(next.id);
  if (hands.chance.in(25) && !info.choices().empty()) {
    next.method = hands.chance.of(info.choices());
    hands.log(QStringLiteral("method %1").arg(text(next.method)));
    return edit(hands, next);
  }
  const auto specs =
      hands.chance.in(70) ? shown_parameters(next.method, next.values) : specs_of_page(info, next.values);
  if (specs.empty()) return;
  const ParameterSpec& spec = hands.chance.of(specs);
  const auto value = someValue(spec, hands.chance);
  if (!value) return;
  ParameterValues& side = next.compare != CompareMode::none && hands.chance.in(30) ? next.other : next.values;
  side.set(spec.name, *value);
  hands.log(QStringLiteral("set %1=%2").arg(text(spec.name), shown(text(format_value(*value)))));
  edit(hands, next);
}

void setMaskText(Hands& hands) {
  hands.window.workbench().showPage("masks");
  ShownPage next = currentState(hands);
  const QString mask = maskText(hands.chance);
  next.values.set("mask", std::string("custom"));
  next.values.set("mask_text", mask.toStdString());
  hands.log(QStringLiteral("mask %1").arg(shown(mask)));
  edit(hands, next);
}

void setCompare(Hands& hands) {
  ShownPage next = currentState(hands);
  next.compare = static_cast<CompareMode>(hands.chance.below(3));
  hands.log(QStringLiteral("compare %1").arg(static_cast<int>(next.compare)));
  edit(hands, next);
}

void setLook(Hands& hands) {
  ShownPage next = currentState(hands);
  next.aggregate = static_cast<Aggregate>(hands.chance.below(3));
  next.keep_aspect = hands.chance.in(50);
  hands.log(QStringLiteral("look %1 %2").arg(static_cast<int>(next.aggregate)).arg(next.keep_aspect));
  edit(hands, next);
  const double first = hands.chance.below(3000);
  const double size = hands.chance.between(1, 500);
  hands.window.workbench().setView(next.id, ViewRange{first, first + size, first / 2, first / 2 + size});
}

void openRandomSession(Hands& hands) {
  const QString path = hands.files.randomSession(hands.window.workbench().session(), hands.chance);
  hands.log(QStringLiteral("session %1").arg(path));
  hands.window.openFile(path);
}

void openSomeFile(Hands& hands) {
  const QString path = hands.files.toOpen(hands.chance);
  hands.log(QStringLiteral("open %1").arg(path));
  hands.window.openFile(path);
}

/// As another start of the program hands its files over.
void startAgain(Hands& hands) {
  const QStringList paths = someFiles(hands);
  hands.log(QStringLiteral("second start %1").arg(paths.join(QLatin1Char(' '))));
  hands.window.takeFiles(paths, hands.chance.in(50) ? QByteArray() : anyText(hands.chance).toUtf8());
}

/// Over some place: boxes of text take what is dropped for themselves.
void dropFile(Hands& hands) {
  QMimeData data;
  const QStringList paths = someFiles(hands);
  QList<QUrl> urls;
  for (const auto& path : paths) urls << QUrl::fromLocalFile(path);
  if (hands.chance.in(85)) data.setUrls(urls);
  if (hands.chance.in(20)) data.setText(anyText(hands.chance));
  const Spot spot = somewhere(&hands.window, hands.chance);
  if (!spot.window) return;
  hands.log(QStringLiteral("drop %1 on %2").arg(paths.join(QLatin1Char(' ')), spot.what));
  QDragEnterEvent enter(spot.at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(spot.window, &enter);
  QDragMoveEvent move(spot.at, Qt::CopyAction, &data, Qt::LeftButton, {});
  if (enter.isAccepted()) QCoreApplication::sendEvent(spot.window, &move);
  // A drag that entered ends in one of two ways, as Qt remembers where it is.
  if (enter.isAccepted() && move.isAccepted() && hands.chance.in(90)) {
    QDropEvent drop(spot.at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(spot.window, &drop);
  } else {
    QDragLeaveEvent leave;
    QCoreApplication::sendEvent(spot.window, &leave);
  }
}

void exportSomething(Hands& hands) {
  QList<QToolButton*> buttons;
  for (auto* each : hands.window.findChildren<QToolButton*>())
    if (each->isVisible() && each->toolTip().startsWith(QLatin1String("Export"))) buttons << each;
  if (!buttons.isEmpty() && hands.chance.in(60)) {
    QToolButton* button = hands.chance.of(buttons);
    hands.log(QStringLiteral("export by %1").arg(describe(button)));
    return button->click();
  }
  hands.log(QStringLiteral("export"));
  hands.input.keys(QKeySequence(QStringLiteral("Ctrl+E")));
}

void typeAndTurn(Hands& hands) {
  QWidget* editor = someWidget(&hands.window, hands.chance, [](const QWidget* each) {
    return each->isEnabled() && (qobject_cast<const QLineEdit*>(each) || qobject_cast<const QPlainTextEdit*>(each));
  });
  if (!editor) return;
  const QString typed = qobject_cast<QPlainTextEdit*>(editor) ? maskText(hands.chance) : numberText(hands.chance);
  clickOn(hands, centreOf(editor));
  hands.log(QStringLiteral("type %1 and go on").arg(shown(typed)));
  hands.input.keys(QKeySequence(QKeySequence::SelectAll));
  hands.input.type(typed.left(80));
  switch (hands.chance.below(5)) {
    case 0: return turnPage(hands);
    case 1: return undoSome(hands);
    case 2: return openRandomSession(hands);
    case 3: return setCompare(hands);
    default: return hands.input.keys(QKeySequence(QKeySequence::Save));
  }
}

void pasteConfig(Hands& hands) {
  QFile file(hands.chance.in(70) ? QStringLiteral(":/configs/llama-3.1-8b.json") : hands.files.toOpen(hands.chance));
  const QByteArray content = file.open(QIODevice::ReadOnly) ? file.read(1 << 16) : QByteArray();
  QGuiApplication::clipboard()->setText(QString::fromUtf8(content));
  hands.log(QStringLiteral("paste config %1").arg(file.fileName()));
  for (const auto* menu : hands.window.menuBar()->findChildren<QMenu*>())
    for (QAction* action : menu->actions())
      if (QString(action->text()).remove('&') == QLatin1String("Paste model config")) return action->trigger();
}

void closeWindow(Hands& hands) {
  hands.log(QStringLiteral("close"));
  hands.window.close();
}

}  // namespace vqscope::monkey

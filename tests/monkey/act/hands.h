// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/main_window.h"
#include "tests/monkey/act/chance.h"
#include "tests/monkey/act/files.h"
#include "tests/monkey/act/input.h"

#include <functional>

namespace vqscope::monkey {

/// Tools of an action. Every step is logged first, so that the log has the step in progress.
struct Hands {
  Chance& chance;
  Input& input;
  Files& files;
  MainWindow& window;
  std::function<void(const QString&)> log;
};

/// A place in a window.
struct Spot {
  QWindow* window = nullptr;
  QPoint at;
  QString what;  ///< class and text of the widget there
};

/// The top-level widget that a person would go to: the menu or dialog in front, else one of the
/// windows.
QWidget* frontWidget(Chance& chance);
/// Some place in it, or the centre of one of its widgets; no window where none is shown.
Spot somewhere(QWidget* top, Chance& chance);
Spot centreOf(QWidget* widget);
/// A widget that is shown, of those for which `wanted` holds, or nothing.
QWidget* someWidget(QWidget* top, Chance& chance, const std::function<bool(QWidget*)>& wanted);

/// Mouse there and a click.
void clickOn(Hands& hands, const Spot& spot, Qt::MouseButton button = Qt::LeftButton);
/// Gives the keyboard to the dialog or window in front when the one that had it, a menu for one, is
/// gone: what a window manager does, and the platform without a display leaves out.
void keepActive(QWidget& window);

QString describe(const QWidget* widget);
/// Short enough for a log, control characters shown.
QString shown(const QString& text);

}  // namespace vqscope::monkey

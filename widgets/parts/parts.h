// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

class QButtonGroup;
class QFrame;
class QLabel;
class QMenu;
class QTableWidget;
class QTableWidgetItem;
class QToolButton;
class QWidget;

namespace vqscope {

/// Small shared parts of panels.
QLabel* heading(const QString& title, QWidget* parent);

/// A wrapped, selectable plain text; `look` is its class in the style sheet.
QLabel* paragraph(QWidget* parent, const char* look = "secondary");

/// A value in a table of facts, right-aligned in a fixed-width font.
QLabel* factValue(QWidget* parent);

/// A scroll area that scrolls vertically only, and is at least as wide as its content needs.
QWidget* scrolled(QWidget* content);

/// Opens the menu by a press of the button. When it closes, the button is as it is without the mouse,
/// which has left it unnoticed.
void setPopup(QToolButton* button, QMenu* menu);

/// The wanted size of a dialog, or what the screen has within a frame.
QSize onScreen(const QWidget& dialog, QSize wanted);

/// Exclusive buttons side by side.
struct Segments {
  QFrame* frame;
  QButtonGroup* group;
};
Segments segmented(const QStringList& titles, QWidget* parent);

/// A read-only table with selectable rows; the last column takes the remaining width.
QTableWidget* plainTable(const QStringList& titles, QWidget* parent);
QTableWidgetItem* tableItem(const QString& words, Qt::Alignment alignment = Qt::AlignLeft);
/// Fits columns to their contents, with the last ones wrapped and some space between rows.
void fitRows(QTableWidget& table);
/// Fits the rows alone, after the width of a column has changed.
void fitRowHeights(QTableWidget& table);

/// Shows a dialog for a path to save to; empty: cancelled. The suffix is added before the dialog
/// asks whether to replace a file of that name.
QString chooseSavePath(QWidget* parent, const QString& title, const QString& suggested, const QString& filter,
                       const QString& suffix);

}  // namespace vqscope

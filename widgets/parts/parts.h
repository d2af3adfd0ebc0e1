// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QButtonGroup;
class QFrame;
class QLabel;
class QTableWidget;
class QTableWidgetItem;
class QWidget;

namespace vqscope {

/// The small parts that panels are made of, alike in all of them.
QLabel* heading(const QString& title, QWidget* parent);

/// A wrapped plain text that can be selected; `look` is its class in the style sheet.
QLabel* paragraph(QWidget* parent, const char* look = "secondary");

/// A number or word of a table of facts, at the right in a face of fixed width.
QLabel* factValue(QWidget* parent);

/// The content scrolls up and down alone.
QWidget* scrolled(QWidget* content);

/// Buttons side by side of which one is down.
struct Segments {
  QFrame* frame;
  QButtonGroup* group;
};
Segments segmented(const QStringList& titles, QWidget* parent);

/// A table to read, whose lines can be chosen; the last column takes what is left.
QTableWidget* plainTable(const QStringList& titles, QWidget* parent);
QTableWidgetItem* tableItem(const QString& words, Qt::Alignment alignment = Qt::AlignLeft);
/// Columns as wide as they need, the last ones wrapped; some air between lines.
void fitRows(QTableWidget& table);

}  // namespace vqscope

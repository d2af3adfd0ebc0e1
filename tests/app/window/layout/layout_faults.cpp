// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/window/layout/layout_faults.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace vqscope::test {
namespace {

constexpr int tolerance = 1;  // pixels, for rounded widths of text
constexpr int margin = 2;     // pixels of a part that show nothing

/// A card wraps its texts.
bool hasText(const QAbstractButton& button) {
  if (button.inherits("vqscope::Card")) return false;
  const auto* tool = qobject_cast<const QToolButton*>(&button);
  const bool icon = tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull();
  return !button.text().isEmpty() && !icon;
}

/// Classes that cut their text and have it whole as tooltip.
bool cutsItsText(const QWidget& widget) {
  return widget.inherits("vqscope::ElidingLabel") || widget.inherits("vqscope::ElidedLabel");
}

QString cutLabel(const QLabel& label) {
  if (label.text().isEmpty() || !label.pixmap(Qt::ReturnByValue).isNull() || cutsItsText(label)) return {};
  const QSize inside = label.contentsRect().size();
  const int needed = label.hasHeightForWidth() ? label.heightForWidth(label.width()) : label.sizeHint().height();
  if (!label.wordWrap() && label.sizeHint().width() > label.width() + tolerance)
    return QStringLiteral("%1 of %2 pixels wide").arg(label.width()).arg(label.sizeHint().width());
  if (needed > label.height() + tolerance && inside.height() < label.fontMetrics().height() * 100)
    return QStringLiteral("%1 of %2 pixels high").arg(label.height()).arg(needed);
  return {};
}

QString cutButton(const QAbstractButton& button) {
  if (!hasText(button)) return {};
  if (button.hasHeightForWidth()) {  // it goes on in further lines
    const int needed = button.heightForWidth(button.width());
    const QString low = QStringLiteral("%1 of %2 pixels high").arg(button.height()).arg(needed);
    return needed > button.height() + tolerance ? low : QString();
  }
  const int text = button.fontMetrics().size(Qt::TextShowMnemonic, button.text()).width();
  const int around = button.sizeHint().width() - text;
  if (text > button.width() - std::min(around, 8) + tolerance)
    return QStringLiteral("%1 of %2 pixels wide").arg(button.width()).arg(button.sizeHint().width());
  if (button.fontMetrics().height() > button.height() + tolerance) return QStringLiteral("too low");
  return {};
}

QString cutBox(const QComboBox& box) {
  QStyleOptionComboBox option;
  option.initFrom(&box);
  option.editable = box.isEditable();
  const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
  const int text = box.fontMetrics().horizontalAdvance(box.currentText());
  if (text <= field.width() + tolerance || box.toolTip().contains(box.currentText())) return {};
  return QStringLiteral("\"%1\" needs %2 of %3 pixels").arg(box.currentText()).arg(text).arg(field.width());
}

/// A field scrolls while it is edited; a number or a hint that is only shown must be seen whole.
QString cutField(const QLineEdit& field) {
  if (field.hasFocus()) return {};
  const bool empty = field.text().isEmpty();
  const QString shown = empty ? field.placeholderText() : field.displayText();
  bool number = false;
  QString(shown).remove(QChar(0x202f)).remove(QLatin1Char(' ')).toDouble(&number);
  if (!empty && !number) return {};
  const int room = field.contentsRect().width() - field.textMargins().left() - field.textMargins().right() - 2;
  const int text = field.fontMetrics().horizontalAdvance(shown);
  if (text <= room || field.toolTip().contains(shown)) return {};
  return QStringLiteral("\"%1\" needs %2 of %3 pixels").arg(shown).arg(text).arg(room);
}

QString cutText(const QWidget& widget) {
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) return cutLabel(*label);
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) return cutButton(*button);
  if (const auto* box = qobject_cast<const QComboBox*>(&widget)) return cutBox(*box);
  if (const auto* field = qobject_cast<const QLineEdit*>(&widget)) return cutField(*field);
  return {};
}

/// QMainWindow moves docks behind others, and tabs that it does not use, out of sight, and makes the
/// lines between docks easy to hit.
bool isPutAway(const QWidget& widget) {
  const QWidget* parent = widget.parentWidget();
  const auto* tabs = qobject_cast<const QTabBar*>(&widget);
  if (tabs && tabs->count() == 0) return true;
  if (!parent || !parent->inherits("QMainWindow")) return false;
  return !parent->rect().intersects(widget.geometry()) ||
         widget.objectName() == QLatin1String("qt_qmainwindow_extended_splitter");
}

/// Parts that are meant to lie over their siblings.
bool floats(const QWidget& widget) {
  return widget.testAttribute(Qt::WA_TransparentForMouseEvents) || widget.property("floats").toBool() ||
         widget.isWindow() || widget.inherits("QSplitterHandle") || widget.inherits("QRubberBand") || isPutAway(widget);
}

/// A scroll area places its own parts and shows a part of its contents.
bool placesItsParts(const QWidget& parent) {
  return qobject_cast<const QAbstractScrollArea*>(&parent) || parent.inherits("QTabBar") ||
         parent.inherits("QLineEdit") || parent.inherits("QComboBox") || parent.inherits("QTextEdit");
}

/// Only contents that scroll up and down may be higher than what shows them.
bool isOutside(const QWidget& widget) {
  const QWidget* parent = widget.parentWidget();
  const QRect place = widget.geometry();
  const auto* area = qobject_cast<const QAbstractScrollArea*>(parent ? parent->parentWidget() : nullptr);
  const bool viewport = area && area->viewport() == parent;
  if (place.isEmpty() || !parent) return false;
  if (viewport)
    return qobject_cast<const QScrollArea*>(area) && area->horizontalScrollBar()->maximum() == 0 &&
           (place.left() < -tolerance || place.right() > parent->width() - 1 + tolerance);
  return !parent->rect().adjusted(-tolerance, -tolerance, tolerance, tolerance).contains(place);
}

void checkSiblings(const QWidget& parent, QStringList& faults) {
  QList<const QWidget*> shown;
  for (const QObject* child : parent.children()) {
    const auto* widget = qobject_cast<const QWidget*>(child);
    if (widget && widget->isVisible() && !widget->size().isEmpty() && !floats(*widget)) shown << widget;
  }
  for (const QWidget* widget : shown)
    if (isOutside(*widget))
      faults << QStringLiteral("%1 is outside its parent: %2,%3 %4x%5 in %6x%7")
                    .arg(wayTo(*widget))
                    .arg(widget->x())
                    .arg(widget->y())
                    .arg(widget->width())
                    .arg(widget->height())
                    .arg(parent.width())
                    .arg(parent.height());
  if (placesItsParts(parent)) return;
  for (qsizetype i = 0; i < shown.size(); ++i)
    for (qsizetype j = i + 1; j < shown.size(); ++j) {
      const QRect common = shown[i]->geometry() & shown[j]->geometry();
      if (common.width() > margin && common.height() > margin)
        faults << QStringLiteral("%1 lies over %2, %3x%4 at %5,%6, in %7")
                      .arg(wayTo(*shown[j]), wayTo(*shown[i]))
                      .arg(common.width())
                      .arg(common.height())
                      .arg(common.x())
                      .arg(common.y())
                      .arg(parent.height());
    }
}

void check(const QWidget& widget, QStringList& faults) {
  if (widget.size().isEmpty()) return;
  if (const QString cut = cutText(widget); !cut.isEmpty()) faults << wayTo(widget) + QStringLiteral(": ") + cut;
  checkSiblings(widget, faults);
  for (const QObject* child : widget.children())
    if (const auto* below = qobject_cast<const QWidget*>(child); below && below->isVisible() && !below->isWindow())
      check(*below, faults);
}

QString titleOfPart(const QWidget& widget) {
  if (!widget.objectName().isEmpty() && !widget.objectName().startsWith(QLatin1String("qt_")))
    return widget.objectName();
  QString name = QString::fromLatin1(widget.metaObject()->className()).section(QStringLiteral("::"), -1);
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) name += QStringLiteral(" '%1'").arg(label->text());
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
    name += QStringLiteral(" '%1'").arg(button->text());
  return name;
}

}  // namespace

QString wayTo(const QWidget& widget) {
  QStringList names;
  for (const QWidget* each = &widget; each && names.size() < 4;
       each = each->isWindow() ? nullptr : each->parentWidget())
    names.prepend(titleOfPart(*each));
  return names.join(QLatin1Char('/'));
}

QStringList layoutFaults(const QWidget& root) {
  QStringList faults;
  check(root, faults);
  return faults;
}

}  // namespace vqscope::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/freshness.h"
#include "widgets/parts/menu/overflow_row.h"
#include "widgets/theme/palette.h"

class QAction;
class QLabel;
class QToolButton;

namespace vqscope {

class ElidedLabel;

/// Of the entry in the context menu of a view; the key is that of the window's menu.
QString pinActionText();

/// The one title line of a view: name in bold, its parameters in grey, a badge, then buttons, which
/// move into a menu where they do not fit.
class ViewHeader : public OverflowRow {
  Q_OBJECT
 public:
  explicit ViewHeader(QWidget* parent = nullptr);

  void setTitle(const QString& title, const QString& subtitle);
  QString title() const;
  QString subtitle() const;
  enum class Look { good, warning, quiet };
  /// "exact" or "sampled"; empty hides it.
  void setBadge(const QString& text, Look look, const QString& tip);
  /// Shows the badge of a result that does not belong to the values in the form.
  void setBadge(const Freshness& freshness);
  QToolButton* addButton(const char* iconName, const QString& tip);
  /// A button with text, which moves into the menu before the others.
  void addAction(QAction* action);

  /// Narrower than what the buttons leave to the title.
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  int fixedWidth() const override;
  void onArranged() override { fitBadge(); }

 private:
  void fitBadge();
  int leastTitle() const;

  ElidedLabel* m_title;
  ElidedLabel* m_subtitle;
  QLabel* m_badge;
  QString m_badgeText;
  QString m_badgeTip;
  Look m_look = Look::good;
  bool m_sized = false;  ///< the width is that of the laid-out header
};

/// A label that cuts its text if it does not fit, with the whole text as tooltip.
class ElidedLabel : public QWidget {
  Q_OBJECT
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  void setText(const QString& text);
  const QString& text() const { return m_text; }
  /// The text, or as much of it as fits into `room` pixels.
  QString shownText(int room) const;
  /// Takes the remaining width instead of the width of its text; shows nothing where it has no
  /// width for a word.
  void setGreedy();
  /// Cuts a title between words if what is left is a name: "Wavelength" of "Wavelength by pair".
  void setTitle() { m_isTitle = true; }
  void setColour(QColor Palette::*colour) { m_colour = colour; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_text;
  QColor Palette::*m_colour = &Palette::text;
  bool m_greedy = false;
  bool m_isTitle = false;
};

}  // namespace vqscope

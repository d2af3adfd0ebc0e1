// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QImage>

namespace vqscope {

/// A button with a title and a text below it, in a rounded frame. A gallery card has a picture
/// above them, and a last line in a smaller type.
class Card : public QAbstractButton {
  Q_OBJECT
 public:
  Card(const QString& title, const QString& words, QWidget* parent);

  /// The picture takes the upper part of the card; without an image its place is empty.
  void setPicture(const QImage& image);
  bool hasPicture() const { return m_hasPicture; }
  /// Reserves the picture's place before there is one.
  void reservePicture() { m_hasPicture = true; }
  /// In pixels of the device; empty before the first layout.
  QSize picturePixels() const;
  void setFooter(const QString& footer);
  /// A text in the main colour above the footer, at most three lines; empty: none.
  void setResult(const QString& result);
  /// The place at the right end of the footer that a child has; the footer is at least as high.
  void setFooterInset(const QSize& size);
  /// The text ends with "…" after so many lines; 0: it is whole.
  void setMostLines(int lines) { m_mostLines = lines; }
  /// Whether the text ends with "…" at that width.
  bool isCut(int width) const;

  QSize sizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 signals:
  /// Qt::Key_Left and so on.
  void arrowPressed(int key);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QFont titleFont() const;
  QFont smallFont() const;
  int pictureHeight(int width) const;
  /// Height of the text at that width, cut at the most lines.
  int wordsHeight(int width) const;
  int resultHeight(int width) const;
  int footerHeight(int width) const;
  void paintPicture(QPainter& painter) const;
  void paintWords(QPainter& painter) const;

  QString m_words;
  QString m_footer;
  QString m_result;
  QSize m_inset{0, 0};
  QImage m_picture;
  bool m_hasPicture = false;
  int m_mostLines = 0;
  bool m_isByKeyboard = false;  ///< the focus came by a key: a ring shows it
};

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QWidget>

namespace vqscope {

/// Shows a figure as it will be on paper, as large as there is room for, but at most twice its size,
/// and names the scale. The last one stays until the next is there.
class PreviewArea : public QWidget {
  Q_OBJECT
 public:
  explicit PreviewArea(QWidget* parent = nullptr);

  /// `pixels`: those of the file; its size in CSS pixels.
  void setFigure(const QImage& pixels, const QSizeF& size);
  /// In place of a figure: what keeps it from being made.
  void setProblem(const QString& sentence);
  /// In place of a figure that could be made, but not for a preview.
  void setNote(const QString& sentence);
  /// The pixels of the figure's file.
  QSize pixels() const { return m_image.size(); }
  /// Pixels of the window for each CSS pixel of the figure: as many as fit, at most 2.
  double scale() const;

 signals:
  /// A figure was painted for the first time.
  void painted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  QSize sizeHint() const override { return {560, 460}; }

 private:
  QImage m_image;
  QSizeF m_size;
  QString m_problem;
  QString m_note;
  bool m_isNew = false;
};

}  // namespace vqscope

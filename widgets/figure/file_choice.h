// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include <map>

class QCheckBox;
class QGridLayout;
class QLabel;

namespace vqscope {

/// The files of an export, one of each format, with their sizes.
class FileChoice : public QWidget {
  Q_OBJECT
 public:
  explicit FileChoice(QWidget* parent = nullptr);

  void setFormats(const QStringList& formats);
  /// In the order of the formats.
  QStringList formats() const;
  /// Numbers are those of one view.
  void allowNumbers(bool allowed);
  /// "34 kB"; empty: not known.
  void setSize(const QString& format, const QString& size);
  /// That of two formats a row: sizes that become known do not make the dialog grow.
  QSize minimumSizeHint() const override;

 signals:
  void changed();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Line {
    QString format;
    QCheckBox* box;
    QLabel* size;
  };
  /// Of a format with the longest size.
  int cellWidth() const;
  void arrange(int perRow);

  QGridLayout* m_grid;
  std::vector<Line> m_lines;
  int m_perRow = 0;
};

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/export/figure.h"
#include "widgets/session/field_scheduler.h"

#include <QByteArray>
#include <QImage>
#include <QObject>
#include <QStringList>

#include <map>
#include <vector>

namespace vqscope {

/// Makes the files of a figure in the background, by the same code as an export: first the pixels of
/// the PNG, then its file and the others. A new request takes the place of the last one.
class PreviewMaker : public QObject {
  Q_OBJECT
 public:
  struct Wish {
    std::vector<FigurePanel> panels;  ///< without results if these are not made yet: resultMade() has them
    std::vector<std::size_t> views;   ///< of each panel, for resultMade()
    FigureSpec spec;
    QStringList formats;  ///< figures that are made besides PNG
    QImage pixels = {};   ///< of the PNG, once they are made
  };

  using QObject::QObject;

  void request(const Wish& wish);
  void stop();
  bool isBusy() const { return m_first.isBusy() || m_others.isBusy(); }
  /// The bytes of the last request's file; empty: not made yet.
  QByteArray bytes(const QString& format) const;

 signals:
  void resultMade(std::size_t view, const vqscope::MadeBefore& made);
  /// A picture of the last request, or of one before while requests follow each other fast.
  void pictureMade(const QImage& pixels, const vqscope::FigureSpec& spec);
  /// bytes() has another file.
  void fileMade(const QString& format);
  void failed(const QString& sentence);

 private:
  struct Outcome {
    Wish wish;
    Result<QImage> pixels = QImage();
  };
  void take(const Outcome& outcome, std::size_t serial);
  void makeFiles(Wish wish);

  FieldScheduler m_first;
  FieldScheduler m_others;
  std::map<QString, QByteArray> m_files;
  std::size_t m_serial = 0;  ///< of the last request
};

}  // namespace vqscope

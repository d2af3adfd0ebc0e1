// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/field_scheduler.h"

#include <QStringList>

#include <utility>

namespace vqscope {

/// Reads files that a person opened off the GUI thread. The newest request wins, whether the reader
/// of the former stops or not. What lasts is announced, so that it can be stopped.
class FileReading : public QObject {
  Q_OBJECT
 public:
  explicit FileReading(QObject* parent = nullptr);

  /// `paths` are named while they are read.
  template <class T>
  void run(const QStringList& paths, std::function<T(std::stop_token)> work, std::function<void(T)> done) {
    announce(paths);
    m_work.run<T>(std::move(work), [this, done = std::move(done)](T result) {
      if (!m_work.isBusy()) end();
      done(std::move(result));
    });
  }
  /// Nothing is delivered; a reader that does not stop is left alone.
  void stop();
  bool isBusy() const { return m_work.isBusy(); }

 signals:
  /// The files take long: "Reading model.gguf".
  void lasting(const QString& sentence);
  /// After lasting(): they are read, or the reading was stopped.
  void ended();

 private:
  void announce(const QStringList& paths);
  void end();

  FieldScheduler m_work;
  QTimer m_delay;
  QString m_sentence;
  bool m_isAnnounced = false;
};

}  // namespace vqscope

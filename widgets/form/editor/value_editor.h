// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QObject>

class QWidget;

namespace vqscope {

/// What edits one value, in up to three places of a row. The widgets belong to the row.
class ValueEditor : public QObject {
  Q_OBJECT
 public:
  static constexpr int box_width = 104;

  /// Emits nothing.
  virtual void setValue(const ParameterValue& value) = 0;

  /// What is used while the value is automatic; empty: it is not known.
  virtual void setInForce(const QString&) {}

  /// Ends what changes the value by itself.
  virtual void stop() {}

  /// What takes the focus.
  virtual QWidget* field() const = 0;
  virtual QWidget* inLabelsPlace() const { return nullptr; }
  virtual QWidget* beside() const { return nullptr; }
  virtual QWidget* beneath() const { return nullptr; }

 signals:
  /// Always an allowed value. Not finished: a slider is still being dragged or a play goes on, and a finished one will
  /// follow.
  void edited(const vqscope::ParameterValue& value, bool finished);
  /// Its value and those of others that came with it, such as the sides of an array from a file.
  void editedTogether(const vqscope::ParameterValues& values);
  /// Why what is typed is not allowed; empty: it is.
  void refused(const QString& sentence);

 protected:
  using QObject::QObject;
};

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QObject>

#include <functional>

class QWidget;

namespace vqscope {

/// Edits one value with up to three widgets, which belong to the row.
class ValueEditor : public QObject {
  Q_OBJECT
 public:
  static constexpr int box_width = 104;

  /// Emits nothing.
  virtual void setValue(const ParameterValue& value) = 0;

  /// The value that is used while the parameter is automatic; empty: unknown.
  virtual void setInForce(const QString&) {}

  /// What the other values allow. Sliders and steps ask after an edit was refused, and go back to
  /// the last value that is allowed.
  struct Limits {
    std::function<bool()> is_refused;                      ///< the last edit
    std::function<QString(const ParameterValue&)> reason;  ///< why a value is refused; empty: it is allowed
  };
  virtual void setLimits(const Limits&) {}

  /// Stops playing.
  virtual void stop() {}

  /// The widget that takes the focus.
  virtual QWidget* field() const = 0;
  virtual QWidget* inLabelsPlace() const { return nullptr; }
  virtual QWidget* beside() const { return nullptr; }
  virtual QWidget* beneath() const { return nullptr; }

 signals:
  /// Always a valid value. Not finished: a slider is being dragged or playing continues, and a
  /// finished edit will follow.
  void edited(const vqscope::ParameterValue& value, bool finished);
  /// Its value and values of other parameters, such as the sizes of an array from a file.
  void editedTogether(const vqscope::ParameterValues& values);
  /// Why the typed text is invalid; empty: it is valid.
  void refused(const QString& sentence);

 protected:
  using QObject::QObject;
};

/// Makes the editor for the kind of the parameter. `row` owns the editor and its widgets.
ValueEditor* makeValueEditor(const ParameterSpec& spec, QWidget* row);

}  // namespace vqscope

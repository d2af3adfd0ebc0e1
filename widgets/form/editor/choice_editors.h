// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/editor/value_editor.h"

#include <QLayout>
#include <QList>

class QAbstractButton;
class QComboBox;
class QFrame;

namespace vqscope {

/// Places items side by side and breaks lines like words.
class FlowLayout : public QLayout {
 public:
  static constexpr int gap = 5;

  ~FlowLayout() override { qDeleteAll(m_items); }

  void addItem(QLayoutItem* item) override { m_items.append(item); }
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool move) const;

  QList<QLayoutItem*> m_items;
};

/// Chooses one of many.
class ComboEditor : public ValueEditor {
  Q_OBJECT
 public:
  ComboEditor(const ParameterSpec& spec, QWidget* row);

  void setValue(const ParameterValue& value) override;
  QWidget* field() const override;
  QWidget* beside() const override { return m_wide ? nullptr : field(); }
  QWidget* beneath() const override { return m_wide ? field() : nullptr; }

 private:
  QComboBox* m_box;
  bool m_wide;  ///< the longest choice does not fit beside the label
};

/// Chooses one of two or three short choices, side by side.
class SegmentEditor : public ValueEditor {
  Q_OBJECT
 public:
  static bool fits(const ParameterSpec& spec, const QWidget* row);
  SegmentEditor(const ParameterSpec& spec, QWidget* row);

  void setValue(const ParameterValue& value) override;
  QWidget* field() const override;
  QWidget* beside() const override;

 private:
  QFrame* m_frame;
  QList<QAbstractButton*> m_buttons;
};

/// Chooses any number of them.
class ChipEditor : public ValueEditor {
  Q_OBJECT
 public:
  ChipEditor(const ParameterSpec& spec, QWidget* row);

  void setValue(const ParameterValue& value) override;
  QWidget* field() const override { return m_chips; }
  QWidget* beneath() const override { return m_chips; }

 private:
  std::vector<std::string> checked() const;

  QWidget* m_chips;
  std::vector<std::string> m_ids;  ///< of the buttons, whose texts may be cut
  QList<QAbstractButton*> m_buttons;
};

}  // namespace vqscope

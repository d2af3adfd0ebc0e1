// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/choice_editors.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QWheelEvent>
#include <QWidget>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int widest_beside = 150;
constexpr int widest_chip = 190;
constexpr int segment_padding = 22;  // padding and border of both sides, as in the style sheet
constexpr int combo_padding = 38;    // with the arrow

/// Without the focus, the wheel scrolls the panel.
class QuietComboBox : public QComboBox {
 public:
  explicit QuietComboBox(QWidget* parent) : QComboBox(parent) { setFocusPolicy(Qt::StrongFocus); }

 protected:
  void wheelEvent(QWheelEvent* event) override {
    if (hasFocus())
      QComboBox::wheelEvent(event);
    else
      event->ignore();
  }
};

int widestChoice(const ParameterSpec& spec, const QWidget* row) {
  int widest = 0;
  for (const auto& choice : spec.choices)
    widest = std::max(widest, row->fontMetrics().horizontalAdvance(QString::fromStdString(choice.shown())));
  return widest;
}

QAbstractButton* makeButton(const Choice& choice, const char* look, QWidget* parent) {
  auto* button = new QPushButton(QString::fromStdString(choice.id), parent);
  button->setCheckable(true);
  button->setProperty("class", look);
  button->setToolTip(QString::fromStdString(choice.help));
  button->setAccessibleDescription(button->toolTip());
  return button;
}

void setCheckedQuietly(QAbstractButton* button, bool checked) {
  const QSignalBlocker blocker(button);
  button->setChecked(checked);
}

}  // namespace

QLayoutItem* FlowLayout::takeAt(int index) { return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr; }

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const QLayoutItem* item : m_items) size = size.expandedTo(item->minimumSize());
  return size;
}

void FlowLayout::setGeometry(const QRect& rect) {
  QLayout::setGeometry(rect);
  arrange(rect, true);
}

int FlowLayout::arrange(const QRect& rect, bool move) const {
  int x = rect.x();
  int y = rect.y();
  int line = 0;
  for (QLayoutItem* item : m_items) {
    const QSize size = item->sizeHint();
    if (x > rect.x() && x + size.width() > rect.right() + 1) {
      x = rect.x();
      y += line + gap;
      line = 0;
    }
    if (move) item->setGeometry({{x, y}, size});
    x += size.width() + gap;
    line = std::max(line, size.height());
  }
  return y + line - rect.y();
}

ComboEditor::ComboEditor(const ParameterSpec& spec, QWidget* row)
    : ValueEditor(row), m_box(new QuietComboBox(row)), m_wide(widestChoice(spec, row) + combo_padding > widest_beside) {
  for (const auto& choice : spec.choices) {
    m_box->addItem(QString::fromStdString(choice.shown()), QString::fromStdString(choice.id));
    m_box->setItemData(m_box->count() - 1, QString::fromStdString(choice.help), Qt::ToolTipRole);
  }
  m_box->setMinimumWidth(box_width);
  m_box->setSizePolicy(m_wide ? QSizePolicy::Expanding : QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(m_box, &QComboBox::currentIndexChanged, this,
          [this](int at) { emit edited(m_box->itemData(at).toString().toStdString(), true); });
}

void ComboEditor::setValue(const ParameterValue& value) {
  const QSignalBlocker blocker(m_box);
  m_box->setCurrentIndex(std::max(0, m_box->findData(QString::fromStdString(std::get<std::string>(value)))));
}

QWidget* ComboEditor::field() const { return m_box; }

bool SegmentEditor::fits(const ParameterSpec& spec, const QWidget* row) {
  const int count = static_cast<int>(spec.choices.size());
  return count >= 2 && count <= 3 && count * (widestChoice(spec, row) + segment_padding) <= widest_beside;
}

SegmentEditor::SegmentEditor(const ParameterSpec& spec, QWidget* row) : ValueEditor(row), m_frame(new QFrame(row)) {
  m_frame->setProperty("class", "segments");
  auto* layout = new QHBoxLayout(m_frame);
  layout->setContentsMargins(1, 1, 1, 1);
  layout->setSpacing(1);
  auto* group = new QButtonGroup(m_frame);
  for (const auto& choice : spec.choices) {
    auto* button = makeButton(choice, "segmented", m_frame);
    layout->addWidget(button);
    group->addButton(button);
    m_buttons.append(button);
    connect(button, &QAbstractButton::toggled, this, [this, id = choice.id](bool on) {
      if (on) emit edited(id, true);
    });
  }
}

void SegmentEditor::setValue(const ParameterValue& value) {
  const QString id = QString::fromStdString(std::get<std::string>(value));
  for (auto* button : m_buttons)
    if (button->text() == id) setCheckedQuietly(button, true);
}

QWidget* SegmentEditor::field() const { return m_buttons.front(); }
QWidget* SegmentEditor::beside() const { return m_frame; }

ChipEditor::ChipEditor(const ParameterSpec& spec, QWidget* row) : ValueEditor(row), m_chips(new QWidget(row)) {
  auto* layout = new FlowLayout;
  layout->setContentsMargins(0, 0, 0, 0);
  m_chips->setLayout(layout);
  for (const auto& choice : spec.choices) {
    auto* button = makeButton(choice, "chip", m_chips);
    // A term's name may be a whole expression; the form does not widen for it.
    button->setText(button->fontMetrics().elidedText(button->text(), Qt::ElideMiddle, widest_chip));
    if (button->text() != QString::fromStdString(choice.id))
      button->setToolTip(QString::fromStdString(choice.id + ": " + choice.help));
    layout->addWidget(button);
    m_ids.push_back(choice.id);
    m_buttons.append(button);
    connect(button, &QAbstractButton::toggled, this, [this] { emit edited(checked(), true); });
  }
  if (!m_buttons.isEmpty()) m_chips->setFocusProxy(m_buttons.front());
}

void ChipEditor::setValue(const ParameterValue& value) {
  const auto& ids = std::get<std::vector<std::string>>(value);
  for (qsizetype i = 0; i < m_buttons.size(); ++i)
    setCheckedQuietly(m_buttons[i], std::ranges::count(ids, m_ids[static_cast<std::size_t>(i)]) > 0);
}

std::vector<std::string> ChipEditor::checked() const {
  std::vector<std::string> ids;
  for (qsizetype i = 0; i < m_buttons.size(); ++i)
    if (m_buttons[i]->isChecked()) ids.push_back(m_ids[static_cast<std::size_t>(i)]);
  return ids;
}

}  // namespace vqscope

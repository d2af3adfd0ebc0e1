// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/room/mask_text_dock.h"

#include "app/window/page_stack.h"
#include "app/window/side_docks.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "widgets/form/control/mask_text_edit.h"
#include "widgets/mask/row/row_debugger.h"
#include "widgets/mask/source/mask_source.h"
#include "widgets/panel/parameter_panel.h"
#include "widgets/parts/text.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QTimer>

#include <algorithm>
#include <cstdlib>

namespace vqscope {
namespace {

/// A narrower window has no room for parameters and text beside each other.
constexpr int roomForBoth = 1800;  // pixels
constexpr int roomForText = 1300;  ///< at its usual width
constexpr int leastWidth = 260;
constexpr int usualWidth = 460;
constexpr int rounding = 2;  ///< of a width that the window has given

/// The text in the form of the page in front; null: it has none now.
MaskTextEdit* textOf(const PageStack& pages) {
  auto* edit = pages.panel()->findChild<MaskTextEdit*>(QStringLiteral("mask_text"));
  return edit && edit->isVisibleTo(pages.panel()) ? edit : nullptr;
}

/// The text that the preset of the page in front has; empty: its mask is that of a file.
QString presetTextOf(const PageStack& pages) {
  const ParameterValues& values = pages.panel()->shownValues();
  const bool isPreset = !has_imported_mask(values) && values.choice("mask") != text_mask_id;
  return isPreset ? text(preset_text(values)) : QString();
}

}  // namespace

MaskTextDock::MaskTextDock(QMainWindow& window, PageStack& pages, SideDocks& docks)
    : QObject(&window),
      m_window(window),
      m_pages(pages),
      m_rows(*docks.rowDebugger()),
      m_editor(new MaskEditor),
      m_dock(new QDockWidget(tr("Text"), &window)),
      m_beside(window.findChild<QDockWidget*>(QStringLiteral("parameters"))),
      m_toggle(new QAction(tr("Mask &text"), this)) {
  m_dock->setObjectName(QStringLiteral("maskText"));
  m_dock->setWidget(m_editor);
  m_dock->setMinimumWidth(leastWidth);
  m_dock->setTitleBarWidget(new QWidget(m_dock));  // the heading inside names the dock
  window.addDockWidget(Qt::LeftDockWidgetArea, m_dock);
  m_dock->hide();
  m_toggle->setCheckable(true);
  m_toggle->setShortcut(QKeySequence(QStringLiteral("Ctrl+M")));
  connect(m_toggle, &QAction::toggled, this, &MaskTextDock::sync);
  connect(m_toggle, &QAction::triggered, this, [this] {
    if (m_dock->isHidden()) return;
    m_dock->raise();
    m_editor->code()->setFocus();
  });
  connect(&pages, &PageStack::cellPicked, m_editor, &MaskEditor::setCell);
  connect(&pages, &PageStack::sideTurned, this, &MaskTextDock::sync);
  connect(m_editor, &MaskEditor::termPointed, this, [this](const std::optional<std::size_t>& term) {
    m_pages.page()->lightTerm(term, m_pages.panel()->showsOther());
  });
  connect(&docks, &SideDocks::fixFound, m_editor, &MaskEditor::setFix);
  connect(m_editor, &MaskEditor::fixChosen, &docks, &SideDocks::applyFix);
  connect(m_editor, &MaskEditor::textRequested, this, [this] {
    if (auto* source = m_pages.panel()->maskSource()) source->editAsText();
  });
  window.installEventFilter(this);
}

bool MaskTextDock::eventFilter(QObject* watched, QEvent* event) {
  // After the event, because QMainWindow lays out its docks in it.
  if (watched == &m_window && event->type() == QEvent::Resize && (m_window.width() < roomForBoth) != m_isTab)
    QTimer::singleShot(0, this, &MaskTextDock::place);
  return QObject::eventFilter(watched, event);
}

void MaskTextDock::place() {
  m_isTab = m_window.width() < roomForBoth;
  if (!m_beside || m_dock->isHidden()) return;
  m_window.setTabPosition(Qt::LeftDockWidgetArea, QTabWidget::North);
  if (m_isTab)
    m_window.tabifyDockWidget(m_beside, m_dock);
  else
    m_window.splitDockWidget(m_beside, m_dock, Qt::Horizontal);
  if (m_window.width() < roomForText) return;
  m_widthGiven = std::max(m_dock->width(), usualWidth);
  m_window.resizeDocks({m_dock}, {m_widthGiven}, Qt::Horizontal);
}

void MaskTextDock::showDock() {
  const bool shown = m_toggle->isChecked() && m_pages.page()->hasMasks();
  if (shown == !m_dock->isHidden()) return;
  if (shown && m_beside) m_widthBefore = m_beside->width();
  const bool widened = m_isTab && std::abs(m_dock->width() - m_widthGiven) <= rounding;
  m_dock->setVisible(shown);
  if (shown) return place();
  // The text has widened the column; other pages have its former width back.
  if (widened && m_beside && m_widthBefore > 0) m_window.resizeDocks({m_beside}, {m_widthBefore}, Qt::Horizontal);
}

void MaskTextDock::sync() {
  showDock();
  if (m_dock->isHidden()) return m_editor->follow(nullptr, {});
  const bool compares = m_pages.page()->secondMask() != nullptr;
  MaskTextEdit* edit = textOf(m_pages);
  const QString title = !compares ? QString() : m_pages.panel()->showsOther() ? tr("Text of B") : tr("Text of A");
  m_editor->follow(edit, title, edit ? QString() : presetTextOf(m_pages));
  showMask();
}

void MaskTextDock::showMask() {
  if (m_dock->isHidden()) return m_editor->setMask(nullptr);
  const PageWidget& page = *m_pages.page();
  m_editor->setCell(m_rows.cell());
  m_editor->setMask(m_pages.panel()->showsOther() ? page.secondMask() : page.mask(), page.freshness().isCurrent());
}

void MaskTextDock::storeIn(WindowLayout& layout) const {
  layout.docks[m_dock->objectName()] = {m_toggle->isChecked(), m_dock->isVisible() ? m_dock->width() : 0};
}

void MaskTextDock::apply(const WindowLayout& layout) {
  const auto found = layout.docks.find(m_dock->objectName());
  if (found != layout.docks.end()) m_toggle->setChecked(found->second.visible);
}

}  // namespace vqscope

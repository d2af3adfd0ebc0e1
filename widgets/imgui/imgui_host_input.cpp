// SPDX-License-Identifier: GPL-3.0-or-later
// Forwards mouse and keyboard events of Qt to Dear ImGui.
#include "widgets/imgui/current_context.h"
#include "widgets/imgui/imgui_host.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cfloat>

namespace vqscope {
namespace {

constexpr float wheelNotch = 120;

int buttonOf(Qt::MouseButton button) {
  if (button == Qt::LeftButton) return ImGuiMouseButton_Left;
  if (button == Qt::RightButton) return ImGuiMouseButton_Right;
  return button == Qt::MiddleButton ? ImGuiMouseButton_Middle : -1;
}

/// -1: a button that ImGui does not use.
int keyOf(int key) {
  static constexpr std::pair<int, ImGuiKey> keys[] = {{Qt::Key_Tab, ImGuiKey_Tab},
                                                      {Qt::Key_Left, ImGuiKey_LeftArrow},
                                                      {Qt::Key_Right, ImGuiKey_RightArrow},
                                                      {Qt::Key_Up, ImGuiKey_UpArrow},
                                                      {Qt::Key_Down, ImGuiKey_DownArrow},
                                                      {Qt::Key_PageUp, ImGuiKey_PageUp},
                                                      {Qt::Key_PageDown, ImGuiKey_PageDown},
                                                      {Qt::Key_Home, ImGuiKey_Home},
                                                      {Qt::Key_End, ImGuiKey_End},
                                                      {Qt::Key_Insert, ImGuiKey_Insert},
                                                      {Qt::Key_Delete, ImGuiKey_Delete},
                                                      {Qt::Key_Backspace, ImGuiKey_Backspace},
                                                      {Qt::Key_Space, ImGuiKey_Space},
                                                      {Qt::Key_Return, ImGuiKey_Enter},
                                                      {Qt::Key_Enter, ImGuiKey_KeyPadEnter},
                                                      {Qt::Key_Escape, ImGuiKey_Escape},
                                                      {Qt::Key_A, ImGuiKey_A},
                                                      {Qt::Key_C, ImGuiKey_C},
                                                      {Qt::Key_V, ImGuiKey_V},
                                                      {Qt::Key_X, ImGuiKey_X},
                                                      {Qt::Key_Y, ImGuiKey_Y},
                                                      {Qt::Key_Z, ImGuiKey_Z}};
  for (const auto& [qt, imGui] : keys)
    if (qt == key) return imGui;
  return -1;
}

/// The text that the key types; nothing for commands and cursor keys. AltGr comes as Ctrl and Alt.
QString writtenBy(const QKeyEvent& event) {
  const bool control = event.modifiers().testFlag(Qt::ControlModifier);
  const bool alt = event.modifiers().testFlag(Qt::AltModifier);
  const QString text = event.text();
  const bool printable = std::ranges::all_of(text, [](QChar c) { return c.isPrint() || c.isSurrogate(); });
  return printable && control == alt ? text : QString();
}

/// Keys that a text box uses, so that shortcuts must not take them.
bool isForText(const QKeyEvent& event) {
  if (!writtenBy(event).isEmpty()) return true;
  const bool letter = event.key() >= Qt::Key_A && event.key() <= Qt::Key_Z;
  return keyOf(event.key()) >= 0 && (!letter || event.modifiers() == Qt::ControlModifier);
}

void setModifiers(ImGuiIO& io, Qt::KeyboardModifiers modifiers) {
  io.KeyCtrl = modifiers.testFlag(Qt::ControlModifier);
  io.KeyShift = modifiers.testFlag(Qt::ShiftModifier);
  io.KeyAlt = modifiers.testFlag(Qt::AltModifier);
  io.KeySuper = modifiers.testFlag(Qt::MetaModifier);
}

ImVec2 pointVector(const QPointF& point) { return {static_cast<float>(point.x()), static_cast<float>(point.y())}; }

}  // namespace

void ImGuiHost::pressOrRelease(QMouseEvent* event, bool down) {
  const int button = buttonOf(event->button());
  if (button < 0) return event->ignore();
  {
    const CurrentContext current(m_context.get());
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = pointVector(event->position());
    setModifiers(io, event->modifiers());
  }
  if (!down) runFrame();  // the dragged item reaches this place before its release
  {
    const CurrentContext current(m_context.get());
    ImGui::GetIO().MouseDown[button] = down;
  }
  runFrame();
  update();
}

void ImGuiHost::mousePressEvent(QMouseEvent* event) { pressOrRelease(event, true); }
void ImGuiHost::mouseDoubleClickEvent(QMouseEvent* event) { pressOrRelease(event, true); }
void ImGuiHost::mouseReleaseEvent(QMouseEvent* event) { pressOrRelease(event, false); }

void ImGuiHost::mouseMoveEvent(QMouseEvent* event) {
  const CurrentContext current(m_context.get());
  ImGui::GetIO().MousePos = pointVector(event->position());
  update();
}

void ImGuiHost::forgetMouse() {
  const CurrentContext current(m_context.get());
  ImGui::GetIO().MousePos = {-FLT_MAX, -FLT_MAX};
  update();
}

void ImGuiHost::leaveEvent(QEvent* event) {
  forgetMouse();
  QWidget::leaveEvent(event);
}

void ImGuiHost::wheelEvent(QWheelEvent* event) {
  const CurrentContext current(m_context.get());
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = pointVector(event->position());
  setModifiers(io, event->modifiers());
  // Wheel movement since the last frame.
  io.MouseWheel += static_cast<float>(event->angleDelta().y()) / wheelNotch;
  io.MouseWheelH += static_cast<float>(event->angleDelta().x()) / wheelNotch;
  update();
}

void ImGuiHost::keyPressEvent(QKeyEvent* event) {
  const int key = keyOf(event->key());
  const QString written = writtenBy(*event);
  if (m_popup && !m_editing && key == ImGuiKey_Escape) {
    m_dropFocus = true;  // popups close without focus
    return update();
  }
  if (!m_editing || (key < 0 && written.isEmpty())) return QWidget::keyPressEvent(event);
  {
    const CurrentContext current(m_context.get());
    ImGuiIO& io = ImGui::GetIO();
    setModifiers(io, event->modifiers());
    if (!written.isEmpty()) io.AddInputCharactersUTF8(written.toUtf8().constData());
    if (key >= 0) io.KeysDown[key] = true;
  }
  runFrame();
  {
    // Release the key at once: the desktop repeats a held key.
    const CurrentContext current(m_context.get());
    if (key >= 0) ImGui::GetIO().KeysDown[key] = false;
  }
  runFrame();
  update();
}

void ImGuiHost::keyReleaseEvent(QKeyEvent* event) {
  {
    const CurrentContext current(m_context.get());
    setModifiers(ImGui::GetIO(), event->modifiers());
  }
  QWidget::keyReleaseEvent(event);
}

void ImGuiHost::focusInEvent(QFocusEvent* event) {
  const CurrentContext current(m_context.get());
  ImGui::GetIO().AddFocusEvent(true);
  update();
  QWidget::focusInEvent(event);
}

void ImGuiHost::focusOutEvent(QFocusEvent* event) {
  releaseAll();
  QWidget::focusOutEvent(event);
}

void ImGuiHost::releaseAll() {
  const CurrentContext current(m_context.get());
  ImGuiIO& io = ImGui::GetIO();
  io.AddFocusEvent(false);
  std::ranges::fill(io.KeysDown, false);
  std::ranges::fill(io.MouseDown, false);
  setModifiers(io, {});
  m_dropFocus = true;
  m_caret.stop();
  update();
}

bool ImGuiHost::focusNextPrevChild(bool next) { return !m_editing && QWidget::focusNextPrevChild(next); }

bool ImGuiHost::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && m_editing && isForText(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  // A dialog or another window takes the mouse without an event that it has left: a tooltip would stay.
  const auto type = event->type();
  if (type == QEvent::WindowBlocked || type == QEvent::WindowDeactivate || type == QEvent::Hide) forgetMouse();
  return QWidget::event(event);
}

void ImGuiHost::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange) m_glyphRatio = 0;
  update();
}

}  // namespace vqscope

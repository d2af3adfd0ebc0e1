// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/imgui/imgui_host.h"

#include "widgets/imgui/current_context.h"
#include "widgets/imgui/draw_list_rasterizer.h"
#include "widgets/imgui/imgui_style.h"
#include "widgets/theme/fonts.h"

#include <QApplication>
#include <QClipboard>
#include <QFontInfo>
#include <QPainter>

#include <algorithm>
#include <cfloat>

namespace vqscope {
namespace {

/// ImGui sizes a popup in one frame, places it in the next, and shows it in the third.
constexpr int framesToSettle = 3;
constexpr int caretMilliseconds = 100;
constexpr ImGuiWindowFlags panelFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                        ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav;

Qt::CursorShape shapeOf(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_TextInput: return Qt::IBeamCursor;
    case ImGuiMouseCursor_ResizeAll: return Qt::SizeAllCursor;
    case ImGuiMouseCursor_ResizeNS: return Qt::SizeVerCursor;
    case ImGuiMouseCursor_ResizeEW: return Qt::SizeHorCursor;
    case ImGuiMouseCursor_ResizeNESW: return Qt::SizeBDiagCursor;
    case ImGuiMouseCursor_ResizeNWSE: return Qt::SizeFDiagCursor;
    case ImGuiMouseCursor_Hand: return Qt::PointingHandCursor;
    case ImGuiMouseCursor_NotAllowed: return Qt::ForbiddenCursor;
    default: return Qt::ArrowCursor;
  }
}

}  // namespace

void ImGuiHost::ContextDeleter::operator()(ImGuiContext* context) const { ImGui::DestroyContext(context); }

ImGuiHost::ImGuiHost(QWidget* parent) : QWidget(parent) {
  // The first context makes itself current.
  ImGuiContext* before = ImGui::GetCurrentContext();
  m_context.reset(ImGui::CreateContext());
  ImGui::SetCurrentContext(before);
  setUpContext();
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  m_caret.setSingleShot(true);
  m_caret.setInterval(caretMilliseconds);
  connect(&m_caret, &QTimer::timeout, this, qOverload<>(&QWidget::update));
  m_clock.start();
}

ImGuiHost::~ImGuiHost() = default;

void ImGuiHost::setUpContext() {
  const CurrentContext current(m_context.get());
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors | ImGuiBackendFlags_RendererHasVtxOffset;
  io.KeyRepeatDelay = FLT_MAX;  // the desktop repeats keys
  for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
  io.ClipboardUserData = this;
  io.SetClipboardTextFn = [](void*, const char* text) { QApplication::clipboard()->setText(QString::fromUtf8(text)); };
  io.GetClipboardTextFn = [](void* host) -> const char* {
    auto& kept = static_cast<ImGuiHost*>(host)->m_clipboard;
    kept = QApplication::clipboard()->text().toUtf8();
    return kept.constData();
  };
}

void ImGuiHost::prepareFonts() {
  const double ratio = devicePixelRatioF();
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width()), static_cast<float>(height())};
  io.DisplayFramebufferScale = {static_cast<float>(ratio), static_cast<float>(ratio)};
  if (m_glyphRatio == ratio) return;
  QFont bold = font();
  bold.setBold(true);
  m_glyphs.build(
      *io.Fonts,
      {font(), bold, scaledFont(monospaceFont(), QFontInfo(font()).pointSizeF() / QFontInfo(uiFont()).pointSizeF())},
      ratio);
  io.FontGlobalScale = static_cast<float>(1 / ratio);
  m_glyphRatio = ratio;
}

ImFont* ImGuiHost::fontOf(Face face) const { return ImGui::GetIO().Fonts->Fonts[static_cast<int>(face)]; }

void ImGuiHost::runFrame() {
  if (m_running || width() <= 0 || height() <= 0) return;
  {
    const CurrentContext current(m_context.get());
    m_running = true;
    prepareFonts();
    applyPalette(currentPalette(), ImGui::GetStyle());
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = std::max(1e-4F, static_cast<float>(static_cast<double>(m_clock.nsecsElapsed()) / 1e9));
    m_clock.start();
    ImGui::NewFrame();
    if (std::exchange(m_dropFocus, false)) ImGui::SetWindowFocus(nullptr);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("panel", nullptr, panelFlags);
    drawPanel();
    ImGui::End();
    ImGui::Render();
    m_editing = io.WantTextInput;
    m_popup = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    m_running = false;
  }
  frameDone();
}

void ImGuiHost::paintEvent(QPaintEvent*) {
  for (int i = 0; i < framesToSettle; ++i) runFrame();
  const CurrentContext current(m_context.get());
  const QSize pixels = (QSizeF(size()) * m_glyphRatio).toSize();
  if (m_image.size() != pixels) m_image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
  m_image.setDevicePixelRatio(m_glyphRatio);
  m_image.fill(currentPalette().panel);
  if (const ImDrawData* drawn = ImGui::GetDrawData()) paintDrawData(*drawn, m_image);
  QPainter(this).drawImage(0, 0, m_image);
  ++m_painted;
  showCursor();
  if (m_editing) m_caret.start();
}

void ImGuiHost::showCursor() {
  const Qt::CursorShape shape = shapeOf(ImGui::GetMouseCursor());
  if (cursor().shape() != shape) setCursor(shape);
}

}  // namespace vqscope

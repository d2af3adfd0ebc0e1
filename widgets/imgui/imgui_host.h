// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/imgui/glyph_atlas.h"

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <QWidget>

#include <memory>

struct ImFont;
struct ImGuiContext;

namespace vqscope {

/// A widget whose inside is a Dear ImGui panel, rasterised on the CPU: it needs no GL and works on
/// every platform.
///
/// Each has a context of its own, so there can be any number of them. Frames run on events only:
/// each press, release and key is a frame of its own, so none is lost; then the widget is painted
/// once.
class ImGuiHost : public QWidget {
  Q_OBJECT
 public:
  explicit ImGuiHost(QWidget* parent = nullptr);
  ~ImGuiHost() override;

  /// Number of times the widget was painted.
  int paintedFrames() const { return m_painted; }
  /// Whether a text box of the panel has the keyboard.
  bool isEditing() const { return m_editing; }
  /// Whether a popup, such as a list, is open; Escape closes it.
  bool hasPopup() const { return m_popup; }

 protected:
  enum class Face { ui, bold, mono };

  /// Submits the contents of the panel. The context is current, and a window as large as the widget
  /// is open.
  virtual void drawPanel() = 0;
  /// Called after a frame, when signals may be emitted and receivers may call back.
  virtual void frameDone() {}

  /// Font of the current frame.
  ImFont* fontOf(Face face) const;
  /// Runs a frame now, unless one is running.
  void runFrame();

  /// As if the mouse were elsewhere.
  void forgetMouse();
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  struct ContextDeleter {
    void operator()(ImGuiContext* context) const;
  };

  void setUpContext();
  void prepareFonts();
  void showCursor();
  void pressOrRelease(QMouseEvent* event, bool down);
  void releaseAll();

  std::unique_ptr<ImGuiContext, ContextDeleter> m_context;
  GlyphAtlas m_glyphs;
  double m_glyphRatio = 0;  ///< pixel ratio of m_glyphs; 0: to be made
  QByteArray m_clipboard;   ///< the text last given to ImGui, which does not copy it
  QElapsedTimer m_clock;
  QTimer m_caret{this};
  QImage m_image;
  int m_painted = 0;
  bool m_running = false;
  bool m_editing = false;
  bool m_popup = false;
  bool m_dropFocus = false;
};

}  // namespace vqscope

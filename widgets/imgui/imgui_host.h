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

/// A widget whose inside is a Dear ImGui panel, rasterised on the CPU: it needs no GL and works on every platform.
///
/// Each has a context of its own, so any number of them may be shown. It sleeps until an event comes: presses, releases
/// and keys are a frame of their own at once, so none is lost however many come together; then it is painted once.
class ImGuiHost : public QWidget {
  Q_OBJECT
 public:
  explicit ImGuiHost(QWidget* parent = nullptr);
  ~ImGuiHost() override;

  /// Pictures painted so far.
  int paintedFrames() const { return m_painted; }
  /// A box of the panel has the keyboard.
  bool isEditing() const { return m_editing; }
  /// A list that was opened, or the like, is open; Escape closes it.
  bool hasPopup() const { return m_popup; }

 protected:
  enum class Face { ui, bold, mono };

  /// Says what the panel shows; the context is current and a window as large as the widget is open.
  virtual void drawPanel() = 0;
  /// After a frame: what came of it may be told to others, who may call back.
  virtual void frameDone() {}

  /// Of the current frame.
  ImFont* fontOf(Face face) const;
  /// Runs the panel now, unless that is what it is doing.
  void runFrame();

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
  QByteArray m_clipboard;   ///< what ImGui was given last, which it does not keep
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/imgui/glyph_atlas.h"

#include "tests/support/test_main.h"
#include "widgets/imgui/current_context.h"
#include "widgets/imgui/draw_list_rasterizer.h"
#include "widgets/theme/fonts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QTest>

using namespace vqscope;

namespace {

constexpr int width = 160;
constexpr int height = 48;

/// White on black by Dear ImGui, with the top left of its line at (8, 8).
QImage byImGui(const QFont& font, double ratio, const char* text, float* advance = nullptr) {
  ImGuiContext* context = ImGui::CreateContext();
  QImage image((QSizeF(width, height) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::black);
  {
    const CurrentContext current(context);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {width, height};
    io.DisplayFramebufferScale = {static_cast<float>(ratio), static_cast<float>(ratio)};
    io.FontGlobalScale = static_cast<float>(1 / ratio);
    GlyphAtlas glyphs;
    glyphs.build(*io.Fonts, {font}, ratio);
    ImGui::NewFrame();
    ImGui::GetForegroundDrawList()->AddText({8, 8}, IM_COL32_WHITE, text);
    if (advance) *advance = ImGui::CalcTextSize(text).x;
    ImGui::Render();
    paintDrawData(*ImGui::GetDrawData(), image);
  }
  ImGui::DestroyContext(context);
  return image;
}

/// The same by Qt.
QImage byQt(const QFont& font, double ratio, const QString& text) {
  QImage image((QSizeF(width, height) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  image.fill(Qt::black);
  QFont plain = font;
  plain.setStyleStrategy(QFont::StyleStrategy(font.styleStrategy() | QFont::NoSubpixelAntialias));
  QPainter painter(&image);
  painter.setFont(plain);
  painter.setPen(Qt::white);
  const double baseline = 8 * ratio + qRound(QFontMetricsF(font).ascent() * ratio);
  painter.drawText(QPointF(8, baseline / ratio), text);
  return image;
}

/// Pixels that differ by more than rounding.
int difference(const QImage& a, const QImage& b) {
  int different = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) different += std::abs(qRed(a.pixel(x, y)) - qRed(b.pixel(x, y))) > 2;
  return different;
}

int lit(const QImage& image) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += qRed(image.pixel(x, y)) > 64;
  return count;
}

}  // namespace

class GlyphAtlasTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void glyphsAreQtsOwn_data() {
    QTest::addColumn<double>("ratio");
    for (const double ratio : {1.0, 1.5, 2.0}) QTest::newRow(qPrintable(QString::number(ratio))) << ratio;
  }

  void glyphsAreQtsOwn() {
    QFETCH(double, ratio);
    for (const QFont& font : {uiFont(), monospaceFont()})
      for (const char* text : {"W", "g", "λ", "✓", "→", "…", "ß", "7"}) {
        const QImage painted = byImGui(font, ratio, text);
        QVERIFY2(lit(painted) > 0, text);
        QCOMPARE(difference(painted, byQt(font, ratio, QString::fromUtf8(text))), 0);
      }
  }

  void digitsAreEquallyWide() {
    float ones = 0;
    float eights = 0;
    byImGui(monospaceFont(), 1.5, "1111", &ones);
    byImGui(monospaceFont(), 1.5, "8888", &eights);
    QVERIFY(ones > 0);
    QCOMPARE(ones, eights);
  }

  /// A character outside of the atlas shows a mark.
  void aCharacterThatIsMissing() { QVERIFY(lit(byImGui(uiFont(), 1, "字")) > 0); }
};

VQSCOPE_TEST(GlyphAtlasTest)
#include "glyph_atlas_test.moc"

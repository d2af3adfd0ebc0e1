// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "widgets/imgui/draw_list_rasterizer.h"
#include "widgets/imgui/pixel_painter.h"

#include <imgui.h>

#include <QTest>

#include <memory>
#include <random>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr ImU32 opaqueRed = IM_COL32(255, 0, 0, 255);

/// A draw list made by hand, and the image it is painted on.
struct Canvas {
  QImage image;
  ImDrawList list{nullptr};
  ImVec2 scale{1, 1};
  ImVec2 origin{0, 0};

  explicit Canvas(int width, int height, QRgb background = 0xff000000U)
      : image(width, height, QImage::Format_ARGB32_Premultiplied) {
    image.fill(background);
  }

  void command(ImVec4 clip, const AlphaTexture* texture = nullptr) {
    ImDrawCmd made;
    made.ClipRect = clip;
    made.TextureId = const_cast<AlphaTexture*>(texture);
    made.IdxOffset = static_cast<unsigned>(list.IdxBuffer.Size);
    list.CmdBuffer.push_back(made);
  }
  void vertex(ImVec2 at, ImU32 colour, ImVec2 uv = {0, 0}) { list.VtxBuffer.push_back({at, uv, colour}); }
  void triangle(ImVec2 a, ImVec2 b, ImVec2 c, ImU32 colour) {
    for (const ImVec2& corner : {a, b, c}) {
      index(list.VtxBuffer.Size);
      vertex(corner, colour);
    }
  }
  void quad(ImVec2 a, ImVec2 c, ImU32 colour, ImVec2 uvA = {0, 0}, ImVec2 uvC = {0, 0}) {
    const int first = list.VtxBuffer.Size;
    vertex(a, colour, uvA);
    vertex({c.x, a.y}, colour, {uvC.x, uvA.y});
    vertex(c, colour, uvC);
    vertex({a.x, c.y}, colour, {uvA.x, uvC.y});
    for (const int corner : {0, 1, 2, 0, 2, 3}) index(first + corner);
  }
  void index(int vertexIndex) {
    if (list.CmdBuffer.empty()) command({-1000, -1000, 1000, 1000});
    list.IdxBuffer.push_back(static_cast<ImDrawIdx>(vertexIndex));
    ++list.CmdBuffer.back().ElemCount;
  }

  const QImage& painted() {
    ImDrawList* lists[] = {&list};
    ImDrawData data;
    data.CmdLists = lists;
    data.CmdListsCount = 1;
    data.DisplayPos = origin;
    data.FramebufferScale = scale;
    paintDrawData(data, image);
    return image;
  }
  int count(QRgb colour) const {
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) found += pixel(x, y) == colour;
    return found;
  }
  /// As it is stored, premultiplied.
  QRgb pixel(int x, int y) const { return reinterpret_cast<const QRgb*>(image.constScanLine(y))[x]; }
};

}  // namespace

class RasterizerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aRectangleHasItsPixels() {
    Canvas canvas(20, 20);
    canvas.quad({3, 4}, {9, 7}, opaqueRed);
    canvas.painted();
    QCOMPARE(canvas.count(0xffff0000U), 6 * 3);
    QCOMPARE(canvas.pixel(3, 4), 0xffff0000U);
    QCOMPARE(canvas.pixel(8, 6), 0xffff0000U);
    QCOMPARE(canvas.pixel(9, 6), 0xff000000U);
    QCOMPARE(canvas.pixel(2, 4), 0xff000000U);
  }

  /// A pixel belongs to the shape that has its middle.
  void edgesBetweenPixels() {
    Canvas canvas(20, 20);
    canvas.quad({2.4F, 2.6F}, {4.5F, 5.4F}, opaqueRed);
    canvas.painted();
    QCOMPARE(canvas.count(0xffff0000U), 2 * 2);  // columns 2, 3; rows 3, 4
    QCOMPARE(canvas.pixel(2, 3), 0xffff0000U);
    QCOMPARE(canvas.pixel(3, 4), 0xffff0000U);
  }

  void scaleAndOrigin() {
    Canvas canvas(40, 40);
    canvas.scale = {1.5F, 1.5F};
    canvas.origin = {100, 50};
    canvas.command({100, 50, 200, 200});
    canvas.quad({104, 54}, {108, 60}, opaqueRed);
    canvas.painted();
    QCOMPARE(canvas.count(0xffff0000U), 6 * 9);
    QCOMPARE(canvas.pixel(6, 6), 0xffff0000U);
  }

  void blending() {
    Canvas canvas(3, 1, 0xff000000U);
    canvas.quad({0, 0}, {1, 1}, IM_COL32(200, 100, 50, 128));
    canvas.painted();
    // 200, 100, 50 times 128 / 255, rounded, over black.
    QCOMPARE(canvas.pixel(0, 0), qRgba(100, 50, 25, 255));
    Canvas white(1, 1, 0xffffffffU);
    white.quad({0, 0}, {1, 1}, IM_COL32(0, 0, 0, 51));
    white.painted();
    QCOMPARE(white.pixel(0, 0), qRgba(204, 204, 204, 255));
    Canvas clear(1, 1, 0);
    clear.quad({0, 0}, {1, 1}, IM_COL32(255, 255, 255, 64));
    clear.painted();
    QCOMPARE(clear.pixel(0, 0), qRgba(64, 64, 64, 64));
  }

  void clipping() {
    Canvas canvas(20, 20);
    canvas.command({5, 6, 8, 8});
    canvas.quad({0, 0}, {20, 20}, opaqueRed);
    canvas.triangle({0, 0}, {40, 0}, {0, 40}, opaqueRed);
    canvas.command({30, 30, 10, 10});
    canvas.quad({0, 0}, {20, 20}, opaqueRed);
    canvas.painted();
    QCOMPARE(canvas.count(0xffff0000U), 3 * 2);
    QCOMPARE(canvas.pixel(5, 6), 0xffff0000U);
    QCOMPARE(canvas.pixel(7, 7), 0xffff0000U);
  }

  void outsideOfTheImage() {
    Canvas canvas(8, 8);
    canvas.command({-1e9F, -1e9F, 1e9F, 1e9F});
    canvas.quad({-1e9F, -1e9F}, {1e9F, 1e9F}, opaqueRed);
    canvas.triangle({-1e9F, 0}, {1e9F, 0}, {0, 1e9F}, opaqueRed);
    canvas.triangle({NAN, 0}, {1, 0}, {0, 1}, opaqueRed);
    canvas.painted();
    QCOMPARE(canvas.count(0xffff0000U), 64);
  }

  void aGlyphKeepsItsTexels() {
    const uchar alpha[] = {0, 255, 128, 64, 0, 255};
    const AlphaTexture texture{alpha, 3, 2};
    Canvas canvas(10, 10, 0xffffffffU);
    canvas.command({0, 0, 10, 10}, &texture);
    canvas.quad({4.3F, 5.4F}, {7.3F, 7.4F}, IM_COL32(0, 0, 0, 255), {0, 0}, {1, 1});  // moved to (4, 5)
    canvas.painted();
    const int wanted[2][3] = {{255, 0, 127}, {191, 255, 0}};
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x) QCOMPARE(qRed(canvas.pixel(4 + x, 5 + y)), wanted[y][x]);
    QCOMPARE(canvas.count(0xffffffffU), 100 - 4);
  }

  void aStretchedTexture() {
    const uchar alpha[] = {255, 0};
    const AlphaTexture texture{alpha, 2, 1};
    Canvas canvas(8, 4);
    canvas.command({0, 0, 8, 4}, &texture);
    canvas.quad({0, 0}, {8, 4}, opaqueRed, {0, 0}, {1, 1});
    canvas.painted();
    QCOMPARE(canvas.count(0xffff0000U), 4 * 4);
    QCOMPARE(canvas.pixel(3, 2), 0xffff0000U);
    QCOMPARE(canvas.pixel(4, 2), 0xff000000U);
  }

  /// Half-transparent triangles around a common point: each pixel is painted exactly once.
  void trianglesThatShareEdges() {
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
      Canvas canvas(24, 24);
      const auto place = [&] { return static_cast<float>(random() % (24 * 16 + 1)) / 16; };
      const ImVec2 middle{place(), place()};
      const ImVec2 corners[] = {{0, 0}, {24, 0}, {24, 24}, {0, 24}};
      for (int i = 0; i < 4; ++i) {
        const ImVec2 a = corners[i];
        const ImVec2 b = corners[(i + 1) % 4];
        if (random() % 2 == 0)
          canvas.triangle(a, b, middle, IM_COL32(255, 255, 255, 128));
        else
          canvas.triangle(b, a, middle, IM_COL32(255, 255, 255, 128));
      }
      canvas.painted();
      QCOMPARE(canvas.count(qRgba(128, 128, 128, 255)), 24 * 24);
    }
  }

  /// From a corner with colour to corners that are clear, as the soft edges of lines are.
  void coloursAreMixed() {
    Canvas canvas(100, 1, 0xff000000U);
    const int first = canvas.list.VtxBuffer.Size;
    canvas.vertex({0, -50}, IM_COL32(255, 255, 255, 255));
    canvas.vertex({0, 50}, IM_COL32(255, 255, 255, 255));
    canvas.vertex({100, 0.5F}, IM_COL32(0, 0, 0, 0));
    for (int i = 0; i < 3; ++i) canvas.index(first + i);
    canvas.painted();
    for (const int x : {0, 30, 60, 99}) {
      const double wanted = 255 * (1 - (x + 0.5) / 100);
      QVERIFY2(std::abs(qRed(canvas.pixel(x, 0)) - wanted) < 1.5, qPrintable(QString::number(x)));
    }
  }

  void callbacks() {
    Canvas canvas(4, 4);
    canvas.command({0, 0, 4, 4});
    int called = 0;
    canvas.list.CmdBuffer.back().UserCallbackData = &called;
    canvas.list.CmdBuffer.back().UserCallback = [](const ImDrawList*, const ImDrawCmd* command) {
      ++*static_cast<int*>(command->UserCallbackData);
    };
    canvas.painted();
    QCOMPARE(called, 1);
    QCOMPARE(canvas.count(0xff000000U), 16);
  }
};

VQSCOPE_TEST(RasterizerTest)
#include "rasterizer_test.moc"

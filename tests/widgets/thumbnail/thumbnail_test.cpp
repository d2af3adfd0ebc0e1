// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/thumbnail/thumbnail.h"

#include "core/curve/methods.h"
#include "core/encoding/methods.h"
#include "core/mask/methods.h"
#include "core/method/method_list.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace vqscope;

namespace {

ThumbnailRequest requestOf(const Method* method, const ParameterValues& set = {}) {
  ThumbnailRequest request;
  request.method = method;
  if (method) request.values = completed_values(parameters_of(*method, set), set);
  request.pixels = QSize(60, 30);
  return request;
}

ParameterValues maskOf(const std::string& text, Index length) {
  ParameterValues values;
  values.set("mask", std::string("custom"));
  values.set("mask_text", text);
  values.set("q_length", length);
  return values;
}

std::size_t coloursOf(const QImage& image) {
  std::set<QRgb> colours;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
  return colours.size();
}

int countOf(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == colour.rgb() ? 1 : 0;
  return count;
}

const Method* visibility() { return find_method(mask_methods(), "visibility"); }

}  // namespace

class ThumbnailTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aMatrixFillsThePicture() {
    const QImage image = renderThumbnail(requestOf(visibility()), {});
    QCOMPARE(image.size(), QSize(60, 30));
    QVERIFY(image.pixelColor(0, 29) != image.pixelColor(59, 0));  // causal
    QCOMPARE(image.pixelColor(30, 29).alpha(), 255);
  }

  void pictureDoesNotDependOnTheLength() {
    ParameterValues values;
    values.set("q_length", Index{2097152});
    const QImage image = renderThumbnail(requestOf(visibility(), values), {});
    QVERIFY(!image.isNull());
    QCOMPARE(image.pixel(0, 29), renderThumbnail(requestOf(visibility()), {}).pixel(0, 29));
  }

  /// A picture of 3 × 3 cells, 20 × 10 pixels each; marks are up to a pixel larger than their
  /// cells.
  void theDifferenceOfMasksMarksCells() {
    auto request = requestOf(visibility(), maskOf("def m(b, h, q_idx, kv_idx):\n    return kv_idx <= q_idx\n", 3));
    const auto other = maskOf("def m(b, h, q_idx, kv_idx):\n    return (kv_idx < q_idx) | (kv_idx == 2)\n", 3);
    request.other = completed_values(parameters_of(*visibility(), other), other);
    request.difference = true;
    const QImage image = renderThumbnail(request, {});
    const Palette& colours = palette(Theme::light);
    QCOMPARE(image.pixelColor(10, 5), colours.error);              // (0, 0): A alone
    QCOMPARE(image.pixelColor(30, 15), colours.error);             // (1, 1)
    QCOMPARE(image.pixelColor(50, 5), colours.warning);            // (0, 2): B alone
    QCOMPARE(image.pixelColor(50, 25), image.pixelColor(10, 25));  // (2, 2) and (2, 0): both
    QVERIFY(countOf(image, colours.error) >= 2 * 20 * 10 && countOf(image, colours.error) < 2 * 21 * 11);
  }

  void sideBySide() {
    auto request = requestOf(visibility());
    request.other = request.values;
    const QImage image = renderThumbnail(request, {});
    QCOMPARE(image.size(), QSize(60, 30));
    QCOMPARE(image.pixel(2, 28), image.pixel(33, 28));
    QCOMPARE(image.pixelColor(29, 10), palette(Theme::light).line);
  }

  void everyEncodingHasAPicture() {
    for (const Method& method : encoding_methods()) {
      if (!method.field()) continue;
      const QImage image = renderThumbnail(requestOf(&method), {});
      QVERIFY2(!image.isNull(), method.id.c_str());
      if (method.id != "nope") QVERIFY2(coloursOf(image) > 1, method.id.c_str());
    }
  }

  void curvesAreLines() {
    for (const Method& method : curve_methods()) {
      const QImage image = renderThumbnail(requestOf(&method), {});
      QVERIFY2(!image.isNull() && coloursOf(image) > 2, method.id.c_str());
    }
  }

  void keptCurves() {
    ThumbnailRequest request;
    request.pixels = QSize(100, 60);
    CurveSet set;
    set.x = {1, 2, 4};
    set.log_x = true;
    set.curves = {{"a", {0, 1, 2}}, {"b", {2, no_value, 0}}};
    request.kept = set;
    QVERIFY(coloursOf(renderThumbnail(request, {})) > 3);
    request.kept->x = {-1, 0, 0};  // not on a log axis
    QVERIFY(!renderThumbnail(request, {}).isNull());
    request.kept->curves.clear();
    QVERIFY(!renderThumbnail(request, {}).isNull());
  }

  void emptyRequestsHaveNoThumbnail() {
    QVERIFY(renderThumbnail({}, {}).isNull());
    auto request = requestOf(visibility());
    request.pixels = {};
    QVERIFY(renderThumbnail(request, {}).isNull());
    request = requestOf(visibility(), maskOf("this is no mask", 8));
    QVERIFY(renderThumbnail(request, {}).isNull());
    ThumbnailRequest config;
    config.pixels = QSize(60, 30);
    config.configs = {"{\"model_type\": 3", ""};
    QVERIFY(renderThumbnail(config, {}).isNull());
  }

  void aStopEndsIt() {
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(renderThumbnail(requestOf(visibility()), stop.get_token()).isNull());
  }
};

VQSCOPE_TEST(ThumbnailTest)
#include "thumbnail_test.moc"

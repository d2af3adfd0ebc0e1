// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/matrix_picture.h"

#include "tests/support/needs_lab.h"
#include "tests/support/test_main.h"
#include "tests/widgets/plot/matrix_cases.h"

#include "widgets/paint/summary_painter.h"

#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index unlimited = std::numeric_limits<Index>::max();

/// Cells far out, where a picture of NaN alone must still be one.
class NotANumber : public Field {
 public:
  Extent extent() const override { return {4, 4}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index row, Index) const override { return row == 2 ? std::numeric_limits<double>::quiet_NaN() : 1; }
  std::pair<double, double> value_range() const override { return {0, 1}; }
};

ColourScale ramp() {
  auto scale = differenceScale(*find_method("t5_bucket"), false);
  scale.kind = ValueScale::sequential;
  scale.fitted = false;
  return scale;
}

std::shared_ptr<const MatrixPicture> render(const PictureRequest& request, Index budget = unlimited) {
  return renderPicture(request, {budget, 2}, {});
}

}  // namespace

class MatrixPictureTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void theWholeRange() {
    const auto request = requestOf("t5_bucket", {{"q_length", Index{3}}, {"kv_length", Index{5}}}, {50, 30});
    QCOMPARE(request.range, (ViewRange{0, 3, 0, 5}));
    const auto picture = render(request);
    QVERIFY(picture);
    QCOMPARE(picture->image.size(), QSize(50, 30));
    QVERIFY(picture->exact && !picture->hasNotANumber);
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < 50; ++x)
        QCOMPARE(picture->image.pixel(x, y), request.scale.colourOf(request.field->at(y / 10, x / 10)));
  }

  /// A mean of the buckets 0 and 16 is 8, which is far away: colours are mixed instead.
  void labelsAreNoMeans() {
    const auto request = requestOf("t5_bucket", {{"q_length", Index{8192}}}, {64, 64});
    const auto picture = render(request);
    QVERIFY(picture && picture->exact && picture->request.scale.mixes);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        LabelCounts counts;
        QVERIFY(request.field->count_labels({{y * 128, y * 128 + 128}, {x * 128, x * 128 + 128}}, counts));
        QCOMPARE(picture->image.pixel(x, y), mixedColour(counts, request.scale));
      }
  }

  void unusedKeysAreMuted() {
    const auto request = requestOf("alibi", {{"q_length", Index{600}}}, {60, 60});
    const auto picture = render(request);
    QVERIFY(picture && picture->exact && !picture->hasNotANumber);
    const ColourScale& scale = picture->request.scale;
    for (int y = 0; y < 60; ++y)
      for (int x = 0; x < 60; ++x) QCOMPARE(picture->image.pixel(x, y) == scale.unused, x > y);
    // The pixels on the diagonal show the mean of their past keys alone.
    double sum = 0;
    for (int row = 0; row < 10; ++row)
      for (int col = 0; col <= row; ++col) sum += request.field->at(row, col);
    QCOMPARE(picture->image.pixel(0, 0), scale.colourOf(sum / 55));
  }

  void aPartOfTheMatrix() {
    auto request = requestOf("t5_bucket", {{"q_length", Index{1000}}}, {40, 40});
    request.range = {500, 504, 490, 494};
    const auto picture = render(request);
    QVERIFY(picture);
    QCOMPARE(picture->image.pixel(0, 0), request.scale.colourOf(request.field->at(500, 490)));
    QCOMPARE(picture->image.pixel(39, 39), request.scale.colourOf(request.field->at(503, 493)));
  }

  void pixelsBeyondTheMatrixAreTransparent() {
    auto request = requestOf("t5_bucket", {{"q_length", Index{4}}}, {40, 40});
    request.range = {-4, 4, 0, 4};
    const auto picture = render(request);
    QVERIFY(picture);
    QCOMPARE(qAlpha(picture->image.pixel(20, 0)), 0);
    QCOMPARE(qAlpha(picture->image.pixel(20, 39)), 255);
    request.range = {10, 14, 0, 4};
    QVERIFY2(!render(request), "a picture of nothing of the matrix");
  }

  void everyCellOfALongMatrixCounts() {
    for (const QSize pixels : {QSize(609, 609), QSize(317, 800), QSize(1024, 64)}) {
      const auto request = identity(2097152, pixels);
      const auto picture = render(request);
      QVERIFY(picture && picture->exact);
      const auto seen = [&](int x, int y) {
        const QRgb pixel = picture->image.pixel(x, y);
        return std::ranges::count(request.scale.reasonColours, pixel) == 0 && pixel != request.scale.masked;
      };
      for (int y = 0; y < pixels.height(); ++y) {
        bool found = false;
        for (int x = 0; x < pixels.width(); ++x) found = found || seen(x, y);
        QVERIFY2(found, qPrintable(QString("row %1 of %2 has no diagonal").arg(y).arg(pixels.height())));
      }
    }
  }

  void aBudgetMakesASample() {
    const auto field = std::make_shared<CountedField>(Extent{2000, 2000});
    const PictureRequest request{field, wholeRange(*field), {20, 20}, Aggregate::mean, ramp()};
    const auto sampled = render(request, 4000);
    QVERIFY(sampled);
    QVERIFY2(!sampled->exact, "a sample is said to be exact");
    QVERIFY2(field->visited <= 8000, qPrintable(QString("%1 cells visited").arg(field->visited)));
    field->visited = 0;
    QVERIFY2(!renderPicture(request, {.maxCells = 4000, .threads = 2, .exactOnly = true}, {}), "a sample all the same");
    QCOMPARE(field->visited.load(), Index{0});
    const auto whole = render(request, 4'000'000);
    QVERIFY(whole);
    QVERIFY(whole->exact);
  }

  void stoppedWorkGivesNoPicture() {
    std::stop_source stop;
    stop.request_stop();
    for (const char* id : {"t5_bucket", "visibility", "rope_phase"})
      QVERIFY2(!renderPicture(requestOf(id, {{"q_length", Index{4096}}}, {100, 100}), {unlimited, 2}, stop.get_token()),
               id);
  }

  void planesFollowTheAggregate() {
    auto request = requestOf("t5_bucket", {{"q_length", Index{512}}}, {1, 1});
    const auto colour = [&](Aggregate aggregate) {
      request.aggregate = aggregate;
      return render(request)->image.pixel(0, 0);
    };
    QCOMPARE(colour(Aggregate::min), request.scale.colourOf(0));
    QCOMPARE(colour(Aggregate::max), request.scale.colourOf(31));
    QVERIFY(colour(Aggregate::mean) != colour(Aggregate::max));
  }

  /// Weights of a query are 1 together, with codewords and without: whole rows of the differences
  /// sum to 0.
  void differencesDoNotCancelInAPixel() {
    NEEDS_LAB();
    auto request = requestOf("vq_weight_error", {{"q_length", Index{256}}, {"n_code", Index{4}}}, {1, 1});
    const auto colour = [&](Aggregate aggregate) {
      request.aggregate = aggregate;
      return render(request)->image.pixel(0, 0);
    };
    const QRgb nothing = request.scale.colourOf(0);
    QCOMPARE(colour(Aggregate::mean), nothing);
    QVERIFY(colour(Aggregate::automatic) != nothing);
    QCOMPARE(colour(Aggregate::automatic), colour(Aggregate::largest));
  }

  void nanIsReported() {
    const auto field = std::make_shared<NotANumber>();
    PictureRequest request{field, wholeRange(*field), {4, 4}, Aggregate::mean, ramp()};
    for (const Aggregate aggregate : {Aggregate::mean, Aggregate::min, Aggregate::max}) {
      request.aggregate = aggregate;
      const auto picture = render(request);
      QVERIFY(picture && picture->hasNotANumber);
      QCOMPARE(picture->image.pixel(1, 2), request.scale.notANumber);
      QVERIFY(picture->image.pixel(1, 1) != request.scale.notANumber);
    }
  }

  /// 28 pixels of the plot, however many dots a pixel has.
  void largeCellsHaveNumbers() {
    auto request = requestOf("t5_bucket", {{"q_length", Index{10}}, {"kv_length", Index{8}}}, {8 * 30, 10 * 30});
    const auto picture = render(request);
    QCOMPARE(picture->numbers.size(), std::size_t{80});
    for (const CellText& cell : picture->numbers) QCOMPARE(cell.text.toDouble(), request.field->at(cell.row, cell.col));
    request.pixelRatio = 2;
    QVERIFY2(render(request)->numbers.empty(), "cells of 15 pixels have numbers");
    request.pixels *= 2;
    QCOMPARE(render(request)->numbers.size(), std::size_t{80});
  }

  /// The planes' memory is kept from frame to frame: nothing of the last method may be left in it.
  void oneMethodAfterAnotherOnTheSameThread() {
    const std::vector<PictureRequest> requests{requestOf("rope_phase", {{"q_length", Index{5000}}}, {64, 64}),
                                               identity(5000, {64, 64}),
                                               requestOf("t5_bucket", {{"q_length", Index{5000}}}, {64, 64}),
                                               requestOf("rope_cos", {{"q_length", Index{5000}}}, {64, 64})};
    std::vector<QImage> first;
    for (const auto& request : requests) first.push_back(render(request)->image);
    for (std::size_t i = requests.size(); i-- > 0;) QCOMPARE(render(requests[i])->image, first[i]);
  }

  void threadsDoNotChangeThePicture() {
    for (const char* id : {"t5_bucket", "visibility", "rope_phase"}) {
      const auto request = requestOf(id, {{"q_length", Index{100'003}}}, {300, 200});
      QCOMPARE(renderPicture(request, {unlimited, 1}, {})->image, renderPicture(request, {unlimited, 4}, {})->image);
    }
  }
};

VQSCOPE_TEST(MatrixPictureTest)
#include "matrix_picture_test.moc"

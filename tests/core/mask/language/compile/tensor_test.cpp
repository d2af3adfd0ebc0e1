// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes and places of the arrays that a mask text makes: the arithmetic of rows and columns.
#include "core/mask/language/compile/tensor/tensor.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

using Shape = std::vector<Index>;

/// Where an element stands in an array, side by side.
Shape position(const Shape& shape, Index place) {
  Shape at(shape.size());
  for (std::size_t i = shape.size(); i-- > 0; place /= shape[i]) at[i] = place % shape[i];
  return at;
}

Shape random_shape(Random& random, std::size_t sides) {
  Shape shape;
  for (std::size_t i = 0; i < sides; ++i) shape.push_back(pick(random, 1, 4));
  return shape;
}

}  // namespace

class TensorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void counts_by_hand() {
    QCOMPARE(element_count(Shape{}), std::optional<Index>(1));
    QCOMPARE(element_count(Shape{3, 4}), std::optional<Index>(12));
    QCOMPARE(element_count(Shape{3, 0}), std::optional<Index>(0));
    QVERIFY(!element_count(Shape{-1}));
    QVERIFY(!element_count(Shape{1 << 13, 1 << 13}));
    QVERIFY(!element_count(Shape{Index{1} << 62, Index{1} << 62}));
    QCOMPARE(strides_of(Shape{2, 3, 4}), (Shape{12, 4, 1}));
  }

  void shapes_are_written_as_torch_does() {
    COMPARE_TEXT(shape_text(Shape{}), "()");
    COMPARE_TEXT(shape_text(Shape{4}), "(4,)");
    COMPARE_TEXT(shape_text(Shape{4, 16}), "(4, 16)");
  }

  void sides_count_from_the_end() {
    QCOMPARE(side_of(-1, 3), std::optional<std::size_t>(2));
    QCOMPARE(side_of(0, 3), std::optional<std::size_t>(0));
    QVERIFY(!side_of(3, 3) && !side_of(-4, 3) && !side_of(0, 0));
  }

  void broadcasts_by_hand() {
    QCOMPARE(broadcast(Shape{3, 1}, Shape{1, 4}), std::optional(Shape{3, 4}));
    QCOMPARE(broadcast(Shape{4}, Shape{2, 3, 4}), std::optional(Shape{2, 3, 4}));
    QCOMPARE(broadcast(Shape{}, Shape{5}), std::optional(Shape{5}));
    QVERIFY(!broadcast(Shape{3}, Shape{4}));
    QCOMPARE(broadcast_places(Shape{3, 1}, Shape{3, 2}), (Shape{0, 0, 1, 1, 2, 2}));
    QCOMPARE(broadcast_places(Shape{2}, Shape{3, 2}), (Shape{0, 1, 0, 1, 0, 1}));
  }

  /// Each element repeats the one at its own position, 0 along sides of one.
  void places_follow_the_definition() {
    Random random(13);
    for (int i = 0; i < 200; ++i) {
      const Shape to = random_shape(random, static_cast<std::size_t>(pick(random, 0, 4)));
      Shape from(to.end() - pick(random, 0, static_cast<Index>(to.size())), to.end());
      for (Index& side : from)
        if (pick(random, 0, 1) == 0) side = 1;
      QCOMPARE(broadcast(from, to), std::optional(to));
      const auto places = broadcast_places(from, to);
      QCOMPARE(static_cast<Index>(places.size()), *element_count(to));
      const auto strides = strides_of(from);
      for (std::size_t k = 0; k < places.size(); ++k) {
        const Shape at = position(to, static_cast<Index>(k));
        Index place = 0;
        for (std::size_t side = 0; side < from.size(); ++side)
          place += (from[side] == 1 ? 0 : at[to.size() - from.size() + side]) * strides[side];
        QCOMPARE(places[k], place);
      }
    }
  }

  void rearranged_elements_share_the_memory() {
    Tensor of{.shape = {2, 2}, .is_bool = true, .numbers = {1, 0, 0, 1}};
    const Tensor turned = rearranged(of, {2}, Shape{3, 1});
    QCOMPARE(turned.numbers, (Shape{1, 0}));
    QCOMPARE(turned.shape, Shape{2});
    QVERIFY(turned.is_bool && turned.memory == of.memory);
    QVERIFY(Tensor().memory != of.memory);
  }
};

VQSCOPE_TEST(TensorTest)
#include "tensor_test.moc"

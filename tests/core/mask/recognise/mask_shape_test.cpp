// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/mask_shape.h"

#include "core/mask/language/language_mask.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string drawn_shape(const MaskShape& shape) {
  std::string text;
  for (Index q = 0; q < shape.extent.rows; ++q) {
    for (Index kv = 0; kv < shape.extent.cols; ++kv) text += shape.visible(q, kv) ? 'x' : '.';
    text += ' ';
  }
  return text;
}

std::optional<Index> maybe(Random& random, Index first, Index last) {
  return pick(random, 0, 1) ? std::optional(pick(random, first, last)) : std::nullopt;
}

MaskShape any_shape(Random& random) {
  MaskShape shape{.extent = {pick(random, 1, 16), pick(random, 1, 20)}, .past_len = maybe(random, 1, 6).value_or(0)};
  shape.right = maybe(random, -3, 6);
  shape.left = maybe(random, 0, 8);
  shape.prefix = maybe(random, 1, 4).value_or(0);
  shape.sinks = maybe(random, 1, 4).value_or(0);
  shape.dilation = maybe(random, 2, 3).value_or(1);
  shape.pad_left = maybe(random, 1, 4).value_or(0);
  shape.pad_right = maybe(random, 1, 4).value_or(0);
  if (pick(random, 0, 3) == 0) {
    shape.hidden.begin = pick(random, 1, shape.extent.cols);
    shape.hidden.end = pick(random, shape.hidden.begin, shape.extent.cols);
  }
  shape.blind_first = maybe(random, 1, 3).value_or(0);
  shape.blind_last = maybe(random, 1, 3).value_or(0);
  for (Index start = pick(random, 1, 30); start < shape.extent.cols; start += pick(random, 1, 9))
    shape.document_starts.push_back(start);
  return shape;
}

/// The mask of the shape's text, with the arrays that it indexes.
Result<std::shared_ptr<const Mask>> mask_of_shape(const MaskShape& shape) {
  MaskBindings bindings;
  for (auto& array : shape.arrays()) bindings.arrays[array.name] = array.values;
  const auto layout = SequenceLayout::make(
      {.q_length = shape.extent.rows, .kv_length = shape.extent.cols, .query_source = QuerySource::own});
  return make_language_mask(MaskProgram::parse(shape.text()).program, bindings, *layout);
}

}  // namespace

class MaskShapeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const MaskShape window{.extent = {4, 5}, .past_len = 1, .right = 0, .left = 1, .sinks = 1};
    COMPARE_TEXT(drawn_shape(window), "xx... xxx.. x.xx. x..xx ");
    COMPARE_TEXT(join(window.terms(), " ∧ "), "causal behind 1 key of cache ∧ window 2 ∧ sinks 1");
    COMPARE_TEXT(window.text(), "return (kv_idx <= q_idx + 1) & ((q_idx + 1 - kv_idx < 2) | (kv_idx < 1))");
    const MaskShape documents{.extent = {4, 4}, .right = 0, .prefix = 2, .pad_left = 1, .document_starts = {3}};
    COMPARE_TEXT(drawn_shape(documents), ".xx. .xx. .xx. ...x ");
    COMPARE_TEXT(documents.text(),
                 "return ((kv_idx <= q_idx) | (kv_idx - document_start[kv_idx] < 2)) & (document_id[q_idx] == "
                 "document_id[kv_idx]) & (kv_idx >= 1)");
    const MaskShape everything{.extent = {2, 2}};
    COMPARE_TEXT(everything.text(), "return kv_idx >= 0");
  }

  void rows_and_text_agree_with_the_definition() {
    Random random(1);
    std::vector<Range> row;
    for (int i = 0; i < 2000; ++i) {
      const MaskShape shape = any_shape(random);
      const auto mask = mask_of_shape(shape);
      QVERIFY2(mask, shape.text().c_str());
      for (Index q = 0; q < shape.extent.rows; ++q) {
        shape.row(q, row);
        for (std::size_t k = 0; k < row.size(); ++k)
          QVERIFY2(row[k].size() > 0 && (k == 0 || row[k - 1].end < row[k].begin), shape.text().c_str());
        for (Index kv = 0; kv < shape.extent.cols; ++kv) {
          const bool in_row = std::ranges::any_of(row, [&](const Range& keys) { return keys.contains(kv); });
          QVERIFY2(in_row == shape.visible(q, kv), (cell_name(q, kv) + " of " + shape.text()).c_str());
          QVERIFY2((*mask)->visible(q, kv) == in_row, (cell_name(q, kv) + " of " + shape.text()).c_str());
        }
      }
    }
  }

  void long_lists_of_documents_are_cut() {
    MaskShape shape{.extent = {30, 30}};
    for (Index start = 2; start < 30; start += 2) shape.document_starts.push_back(start);
    COMPARE_TEXT(join(shape.terms(), " ∧ "), "documents [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, …] (15 of them)");
  }
};

VQSCOPE_TEST(MaskShapeTest)
#include "mask_shape_test.moc"

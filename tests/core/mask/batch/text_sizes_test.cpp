// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/text_sizes.h"

#include "core/base/text.h"
#include "core/mask/preset/presets.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;

namespace {

/// "q 8, kv 8, B 1": what the text gives.
std::string written_sizes(const TextSizes& sizes) {
  std::vector<std::string> parts;
  const auto add = [&](const char* name, const std::optional<NamedCount>& size) {
    if (size) parts.push_back(std::string(name) + " " + to_text(size->count));
  };
  add("q", sizes.queries);
  add("kv", sizes.keys);
  add("B", sizes.batch);
  add("H", sizes.heads);
  return join(parts, ", ");
}

std::string sizes_of(const std::string& text, const std::map<std::string, Index>& integers = {}) {
  return written_sizes(text_sizes(text, integers));
}

}  // namespace

class TextSizesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void sizes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sizes");
    const auto add = [](const char* text, const char* sizes) { QTest::newRow(text) << text << sizes; };
    add("block_mask = create_block_mask(mask_mod, B=None, H=None, Q_LEN=8, KV_LEN=8)", "q 8, kv 8, B 1, H 1");
    add("block_mask = create_block_mask(mask_mod, None, None, 8, 16)", "q 8, kv 16, B 1, H 1");
    add("m = create_block_mask(mask_mod, B=4, H=1, Q_LEN=8, KV_LEN=8)", "q 8, kv 8, B 4, H 1");
    add("S = 1024\nm = create_block_mask(mask_mod, BATCH, None, S, 2 * S)", "q 1024, kv 2048, H 1");
    add("m = create_block_mask(mask_mod, H = None, B = 2)", "B 2, H 1");
    add("m = create_block_mask(f(1, 2), None, 1, 8)", "q 8, B 1, H 1");
    add("m = create_block_mask(mask_mod)", "");
    add("m = create_block_mask()", "");
    add("m = create_block_mask(mask_mod, None", "");
    add("# create_block_mask(f, B=None, H=None)", "");
    add("m = create_block_mask(\n    mask_mod,\n    B=None,\n    H=1,\n)", "B 1, H 1");
    add("a = create_block_mask(f, None, 2)\nb = create_block_mask(g, 2, None)", "B 1, H 2");
    add("Q_LEN, KV_LEN = 512, 1024\nkv_idx <= q_idx", "q 512, kv 1024");
    add("Q_LEN = 4 * 128\nkv_idx <= q_idx", "q 512");
    add("SEQ_LEN = 64\nkv_idx <= q_idx", "q 64");
    add("mask = torch.tril(torch.ones(16, 16, dtype=torch.bool))", "q 16, kv 16");
    add("mask = torch.full((4, 8), True)", "q 4, kv 8");
    add("mask = torch.ones(1, 1, 16, 16)", "q 16, kv 16");
    add("a = torch.ones(16, 16)\nb = torch.zeros(4, 16)", "");
    add("q = torch.randn(2, 4, 36, 16)\nm = create_block_mask(f, None, None, q.shape[2], q.shape[-2])",
        "q 36, kv 36, B 1, H 1");
    add("k = q = torch.rand((2, 4, 36, 16))\nm = create_block_mask(f, q.size(0), None, len(q), k.size(-2))",
        "q 2, kv 36, B 2, H 1");
    add("q = torch.zeros(size=(2, 36, 16))\nB, S, D = q.shape\nm = create_block_mask(f, B, None, S, S)",
        "q 36, kv 36, B 2, H 1");
    add("q = torch.randn(n, 36)\nm = create_block_mask(f, None, None, q.shape[1], q.shape[0])", "q 36, B 1, H 1");
    add("q = torch.randint(0, 9, (4, 36))\nm = create_block_mask(f, None, None, q.shape[1], q.shape[2])",
        "q 36, B 1, H 1");
    add("q = torch.randint(0, 9)\nm = create_block_mask(f, None, None, q.shape[1], q.shape[-3])", "B 1, H 1");
    add("docs = [0, 0, 1, 1]\ndocs[q_idx] == docs[kv_idx]", "q 4, kv 4");
    add("docs = torch.tensor([[0, 0, 1], [0, 1, 1]])\ndocs[b, q_idx] == docs[b, kv_idx]", "q 3, kv 3");
    add("table = torch.zeros(64)\nkv_idx <= q_idx", "");
    add("def mask_mod(b, h, q_idx, kv_idx):\n    return q_idx >= kv_idx", "");
    add("", "");
  }

  void sizes() {
    QFETCH(QString, text);
    QFETCH(QString, sizes);
    COMPARE_TEXT(sizes_of(text.toStdString()), sizes.toStdString());
  }

  void given_integers_replace_those_of_the_text() {
    COMPARE_TEXT(sizes_of("Q_LEN = 8\nkv_idx <= q_idx", {{"Q_LEN", 32}}), "q 32");
  }

  void two_sources_of_a_length() {
    const auto sizes = text_sizes("Q_LEN = 1024\nm = create_block_mask(f, None, None, 512, 512)");
    QCOMPARE(sizes.queries->count, Index{512});
    COMPARE_TEXT(sizes.contrary->phrase, "the text's Q_LEN is 1024, but Q_LEN of the text's create_block_mask is 512");
    QVERIFY(!text_sizes("Q_LEN = 512\nm = create_block_mask(f, None, None, Q_LEN, 512)").contrary);
  }

  /// An array with the sides of the mask itself: [q, kv], [b, q, kv], [b, h, q, kv].
  void a_mask_that_is_an_array_has_its_own_sizes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sizes");
    const auto add = [](const char* text, const char* sizes) { QTest::newRow(text) << text << sizes; };
    add("i = torch.arange(22)\nmask = i[:, None] >= i[None, :]", "q 22, kv 22");
    add("mask = torch.arange(30)[None, :] <= torch.arange(22).view(-1, 1) + 8", "q 22, kv 30");
    add("mask = torch.ones(3, 1, 6, 6).tril().bool()\nmask[2, 0, 4] = False", "q 6, kv 6, B 3");
    add("mask = torch.stack([torch.ones(6, 6).tril(), torch.ones(6, 6)]).bool()", "q 6, kv 6, B 2");
    add("mask = torch.ones(2, 5, 4, 8).bool()", "q 4, kv 8, B 2, H 5");
    add("lens = torch.tensor([2, 4])\nmask = (torch.arange(4)[None] < lens[:, None])[:, None, None, :]",
        "q 4, kv 4, B 2");
    add("SEQ_LEN = 64\nmask = torch.ones(6, 6).tril().bool()", "q 6, kv 6");
    add("mask = torch.ones(4, 4, 4, 4, 4)", "q 4, kv 4");  // is refused: no mask has five
  }

  void a_mask_that_is_an_array_has_its_own_sizes() {
    QFETCH(QString, text);
    QFETCH(QString, sizes);
    ParameterValues values;
    values.set("mask", std::string(text_mask_id));
    values.set("mask_text", text.toStdString());
    COMPARE_TEXT(written_sizes(text_sizes_of(values)), sizes.toStdString());
  }

  void an_array_and_a_constant_differ() {
    ParameterValues values;
    values.set("mask", std::string(text_mask_id));
    values.set("mask_text", std::string("SEQ_LEN = 64\nmask = torch.ones(6, 6).tril().bool()"));
    const auto sizes = text_sizes_of(values);
    QVERIFY(!sizes.contrary);
    COMPARE_TEXT(sizes.overruled->phrase, "the text's SEQ_LEN is 64, but the text's mask has 6 rows");
  }

  void lengths_that_contradict_the_text() {
    ParameterValues values;
    values.set("mask", std::string("custom"));
    values.set("mask_text", std::string("Q_LEN, KV_LEN = 16, 32\nkv_idx <= q_idx"));
    values.set("q_length", Index{8});
    values.set("kv_length", Index{32});
    using Warnings = std::map<std::string, std::string>;
    QVERIFY(length_warnings(values) == (Warnings{{"q_length", "q_length is 8, but the text's Q_LEN is 16"}}));
    values.set("q_length", Index{16});
    values.set("kv_length", Index{0});  // not set
    QVERIFY(length_warnings(values).empty());
    values.set("mask", std::string("causal"));
    values.set("q_length", Index{8});
    QVERIFY2(length_warnings(values).empty(), "a preset has no text");
  }

  void sides_of_arrays() {
    const auto sides =
        text_sizes("def f(batch, head, q, kv):\n    return kv < lens[batch] + slopes[head, batch] + x[q]").sides;
    QCOMPARE(sides.size(), std::size_t{4});
    const auto at = [&](const char* array, std::size_t side) {
      return std::ranges::find_if(sides,
                                  [&](const TextSide& each) { return each.array == array && each.side == side; });
    };
    QVERIFY(at("lens", 0) != sides.end() && at("lens", 0)->by == TextSide::By::batch);
    QVERIFY(at("slopes", 0) != sides.end() && at("slopes", 0)->by == TextSide::By::head);
    QVERIFY(at("slopes", 1) != sides.end() && at("slopes", 1)->by == TextSide::By::batch);
  }

  /// Whatever is cut off: an answer, never a look beyond the end.
  void every_beginning_is_read() {
    const std::string whole = "m = create_block_mask(f((1, [2]), 3), B=None, H=1, Q_LEN=8)  # None";
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const bool closed = size > whole.find(')', whole.find("Q_LEN"));
      QCOMPARE(text_sizes(whole.substr(0, size)).batch.has_value(), closed);
    }
  }
};

VQSCOPE_TEST(TextSizesTest)
#include "text_sizes_test.moc"

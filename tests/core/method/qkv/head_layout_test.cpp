// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/qkv/head_layout.h"

#include "core/base/random.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

using Shape = std::vector<Index>;

std::vector<NamedShape> named(const Shape& q, const Shape& k, const Shape& v) { return {{"q", q}, {"k", k}, {"v", v}}; }

std::string layout_of(const Shape& q, const Shape& k, const Shape& v, std::string_view wanted = "automatic",
                      bool fewer_queries = false) {
  const auto chosen = choose_layout(named(q, k, v), wanted, fewer_queries);
  if (!chosen) return chosen.error().message;
  return std::string(chosen->layout == HeadLayout::heads_first ? "heads" : "tokens") + (chosen->is_guess ? "?" : "");
}

}  // namespace

class HeadLayoutTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void layouts_follow_from_shapes() {
    COMPARE_TEXT(layout_of({512, 64}, {512, 64}, {512, 32}), "heads");
    COMPARE_TEXT(layout_of({4, 512, 64}, {2, 512, 64}, {2, 512, 64}), "heads");
    COMPARE_TEXT(layout_of({512, 4, 64}, {512, 2, 64}, {512, 2, 64}), "tokens");
    COMPARE_TEXT(layout_of({4, 512, 64}, {4, 512, 64}, {4, 512, 64}), "heads?");
    COMPARE_TEXT(layout_of({512, 4, 64}, {512, 4, 64}, {512, 4, 64}), "tokens?");
    COMPARE_TEXT(layout_of({8, 8, 64}, {8, 8, 64}, {8, 8, 64}), "heads?");
    COMPARE_TEXT(layout_of({4, 8, 2}, {8, 2}, {8, 2}), "heads");  // one head of k for all
    COMPARE_TEXT(layout_of({8, 4, 2}, {8, 2}, {8, 2}), "tokens");
    COMPARE_TEXT(layout_of({32, 1, 64}, {8, 512, 64}, {8, 512, 64}, "automatic", true), "heads");  // one query
    COMPARE_TEXT(layout_of({4, 512, 64}, {4, 512, 64}, {4, 512, 64}, "tokens_first"), "tokens");
  }

  void shapes_that_fit_neither_are_refused() {
    COMPARE_TEXT(layout_of({4, 512, 64}, {3, 512, 64}, {3, 512, 64}),
                 "q is [4, 512, 64], k is [3, 512, 64], v is [3, 512, 64]: neither [heads, T, d] nor [T, heads, d] "
                 "fits; k and v must have one number of tokens and of heads, which divides the heads of q");
    QVERIFY(!choose_layout(named({4, 8, 2}, {0, 8, 2}, {0, 8, 2}), "automatic"));
    QVERIFY(!choose_layout(named({4, 8, 2}, {0, 8, 2}, {0, 8, 2}), "automatic", true));
    QVERIFY(!choose_layout(named({32, 1, 64}, {8, 512, 64}, {8, 512, 64}), "automatic"));
  }

  void a_guess_is_said() {
    const NamedShape q{"q", {512, 4, 64}};
    COMPARE_TEXT(layout_sentence(q, {HeadLayout::tokens_first, true}),
                 "q is [512, 4, 64], read as [T, heads, d]: 512 tokens, 4 heads; tensor_layout=heads_first reads it as "
                 "[heads, T, d]");
    COMPARE_TEXT(layout_sentence(q, {HeadLayout::tokens_first, false}),
                 "q is [512, 4, 64], read as [T, heads, d]: 512 tokens, 4 heads");
    COMPARE_TEXT(layout_sentence(q, {HeadLayout::heads_first, false}), "");
    COMPARE_TEXT(layout_sentence({"q", {512, 64}}, {HeadLayout::heads_first, true}), "");
  }

  /// Tensors made in either layout are read in it, or the other one is possible too.
  void made_shapes_are_recognised() {
    SeededRandom random(30);
    const auto below = [&](std::uint64_t most) { return static_cast<Index>(random.bits() % most); };
    for (int i = 0; i < 500; ++i) {
      const Index kv_heads = 1 + below(4), heads = kv_heads * (1 + below(4)), tokens = 1 + below(40);
      const bool first = below(2) == 0;
      const auto shape = [&](Index some) { return first ? Shape{some, tokens, 8} : Shape{tokens, some, 8}; };
      const auto chosen = choose_layout(named(shape(heads), shape(kv_heads), shape(kv_heads)), "automatic");
      QVERIFY(chosen);
      const HeadLayout made = first ? HeadLayout::heads_first : HeadLayout::tokens_first;
      QVERIFY(chosen->is_guess || chosen->layout == made);
      if (heads != kv_heads && heads != tokens) QCOMPARE(tokens_of(shape(heads), made), tokens);
    }
  }

  void heads_are_put_first() {
    Shape shape{2, 3, 2};  // token 0: heads 0, 1, 2
    std::vector<float> values{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121};
    put_heads_first(shape, values);
    QCOMPARE(shape, (Shape{3, 2, 2}));
    QCOMPARE(values, (std::vector<float>{0, 1, 100, 101, 10, 11, 110, 111, 20, 21, 120, 121}));
    Shape matrix{2, 2};
    std::vector<float> same{1, 2, 3, 4};
    put_heads_first(matrix, same);
    QCOMPARE(same, (std::vector<float>{1, 2, 3, 4}));
  }
};

VQSCOPE_TEST(HeadLayoutTest)
#include "head_layout_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/mrope_layout.h"

#include "core/base/text.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "0 0 0, 1 1 1": the positions of all tokens.
std::string positions(const MropeLayout& layout) {
  std::string text;
  for (Index token = 0; token < layout.tokens(); ++token) {
    const auto [t, h, w] = layout.position(token);
    text += (token > 0 ? ", " : "") + std::to_string(t) + " " + std::to_string(h) + " " + std::to_string(w);
  }
  return text;
}

MropeLayout made(const std::vector<Index>& texts, const std::vector<MropeGrid>& images, double step = 1) {
  auto layout = MropeLayout::make(texts, images, step);
  return layout ? std::move(*layout) : MropeLayout{};
}

std::string axes(const std::vector<Index>& section, MropeOrder order, Index pairs) {
  const auto all = mrope_axes(section, order, pairs);
  if (!all) return all.error().message;
  std::string text;
  for (const auto axis : *all) text += std::to_string(axis);
  return text;
}

}  // namespace

class MropeLayoutTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The example in the documentation of get_rope_index: a video of 3 × 2 × 2, then five text
  /// tokens.
  void video_then_text() {
    const auto layout = made({0, 5}, {{3, 2, 2}});
    COMPARE_TEXT(positions(layout),
                 "0 0 0, 0 0 1, 0 1 0, 0 1 1, 1 0 0, 1 0 1, 1 1 0, 1 1 1, 2 0 0, 2 0 1, 2 1 0, 2 1 1, "
                 "3 3 3, 4 4 4, 5 5 5, 6 6 6, 7 7 7");
    QCOMPARE(layout.rope_delta(), Index{8 - 17});
  }

  /// Two text tokens, an image of 1 × 2 × 3, one text token, an image of 1 × 2 × 1, one text token.
  /// The first image has positions from 2, the largest 4; the text continues at 5.
  void text_between_images() {
    const auto layout = made({2, 1, 1}, {{1, 2, 3}, {1, 2, 1}});
    COMPARE_TEXT(positions(layout),
                 "0 0 0, 1 1 1, 2 2 2, 2 2 3, 2 2 4, 2 3 2, 2 3 3, 2 3 4, 5 5 5, 6 6 6, 6 7 6, 8 8 8");
    QCOMPARE(layout.rope_delta(), Index{9 - 12});
    QVERIFY(layout.segment(1).text && !layout.segment(2).text && layout.segment(8).text);
  }

  void text_alone_is_plain_rope() {
    const auto layout = made({4}, {});
    COMPARE_TEXT(positions(layout), "0 0 0, 1 1 1, 2 2 2, 3 3 3");
    QCOMPARE(layout.rope_delta(), Index{0});
  }

  /// Qwen2.5-VL: frames 2.5 positions apart, cut off: 0, 2, 5.
  void frames_follow_their_time_step() {
    COMPARE_TEXT(positions(made({0, 1}, {{3, 1, 1}}, 2.5)), "0 0 0, 2 0 0, 5 0 0, 6 6 6");
  }

  /// Scalar definition: a walk through the tokens, as Hugging Face's loop.
  void equals_a_walk() {
    Random random(3);
    for (int round = 0; round < 60; ++round) {
      std::vector<Index> texts{pick(random, 0, 6)};
      std::vector<MropeGrid> images;
      for (Index n = pick(random, 0, 4); n > 0; --n) {
        images.push_back({pick(random, 1, 3), pick(random, 1, 5), pick(random, 1, 5)});
        texts.push_back(pick(random, 0, 6));
      }
      texts.back() += 1;
      const auto layout = made(texts, images);
      Index token = 0, next = 0;
      for (std::size_t i = 0; i < texts.size(); ++i) {
        for (Index k = 0; k < texts[i]; ++k, ++next)
          QCOMPARE(layout.position(token++), (MropePosition{next, next, next}));
        if (i == images.size()) break;
        Index largest = 0;
        for (Index t = 0; t < images[i].frames; ++t)
          for (Index h = 0; h < images[i].rows; ++h)
            for (Index w = 0; w < images[i].cols; ++w) {
              QCOMPARE(layout.position(token++), (MropePosition{next + t, next + h, next + w}));
              largest = std::max({largest, t, h, w});
            }
        next += largest + 1;
      }
      QCOMPARE(token, layout.tokens());
      QCOMPARE(layout.rope_delta(), next - token);
    }
  }

  void axes_by_hand() {
    COMPARE_TEXT(axes({2, 3, 3}, MropeOrder::runs, 8), "00111222");
    // apply_interleaved_mrope: H overwrites 1, 4, …, 3·section[1] − 2, W 2, 5, …; the rest is time.
    COMPARE_TEXT(axes({4, 2, 2}, MropeOrder::interleaved, 8), "01201200");
    COMPARE_TEXT(axes({24, 20, 20}, MropeOrder::interleaved, 64),
                 std::string("012012012012012012012012012012") + "012012012012012012012012012012" + "0000");
    COMPARE_TEXT(axes({11, 11, 10}, MropeOrder::interleaved, 32), "01201201201201201201201201201201");
  }

  /// Ernie4_5_VLMoeTextRotaryEmbedding.recomposition_to_3d: h and w are stacked pair by pair, t is
  /// appended.
  void height_and_width_take_turns() {
    COMPARE_TEXT(axes({2, 2, 3}, MropeOrder::height_first, 7), "1212000");
    COMPARE_TEXT(axes({2, 3, 2}, MropeOrder::height_first, 7),
                 "mrope_section has 2 pairs for height and 3 for width but must have as many for both to take turns");
  }

  void refusals() {
    COMPARE_TEXT(axes({2, 3}, MropeOrder::runs, 8),
                 "mrope_section has 2 items but must have 3: pairs for time, height and width");
    COMPARE_TEXT(axes({2, 3, 4}, MropeOrder::runs, 8),
                 "mrope_section adds up to 9 but must be 8, half the rotated dimensions");
    const std::vector<Index> texts{1};
    const std::vector<MropeGrid> images{{1, 1, 1}};
    COMPARE_ERROR(MropeLayout::make(texts, images, 1),
                  "text_lengths has 1 items but must have 2: one before each of 1 images and one after them");
    COMPARE_ERROR(MropeLayout::make(std::vector<Index>{0}, {}, 1),
                  "text_lengths and image_grid_thw describe no tokens");
    COMPARE_ERROR(MropeLayout::make(std::vector<Index>{0, 0}, std::vector<MropeGrid>{{65536, 65536, 2}}, 1),
                  "text and images have more than " + grouped(Index{1} << 31) + " tokens");
  }
};

VQSCOPE_TEST(MropeLayoutTest)
#include "mrope_layout_test.moc"

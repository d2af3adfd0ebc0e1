// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/polarity_evidence.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <functional>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Condition = std::function<bool(Index, Index)>;

/// "on: reason" if the cells that are on look visible, "off: reason" if they look masked,
/// "unknown".
std::string guess(Extent extent, const Condition& on) {
  PolarityEvidence evidence(extent);
  for (Index q = 0; q < extent.rows; ++q) {
    std::vector<KeyInterval> row;
    for (Index kv = 0; kv < extent.cols; ++kv) {
      const auto key = static_cast<std::uint32_t>(kv);
      if (!on(q, kv)) continue;
      if (!row.empty() && row.back().end == key)
        ++row.back().end;
      else
        row.push_back({key, key + 1});
    }
    evidence.add(q, row);
  }
  const auto [visible, reason] = evidence.on_is_visible("on", "off");
  if (!visible) return "unknown";
  return (*visible ? "on: " : "off: ") + reason;
}

}  // namespace

class PolarityEvidenceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Encoder masks of 12 tokens: every row has the same keys.
  void padding_alone() {
    const Extent square{12, 12};
    COMPARE_TEXT(guess(square, [](Index, Index kv) { return kv < 9; }), "on: 9 of 12 queries find their own key on");
    COMPARE_TEXT(guess(square, [](Index, Index kv) { return kv >= 9; }), "off: 9 of 12 queries find their own key off");
    // A short sample in a long batch, or left padding that is on.
    COMPARE_TEXT(guess(square, [](Index, Index kv) { return kv < 4; }), "unknown");
    COMPARE_TEXT(guess(square, [](Index, Index kv) { return kv >= 4; }), "unknown");
    COMPARE_TEXT(guess(square, [](Index, Index kv) { return kv != 5; }), "on: 11 of 12 queries find their own key on");
    COMPARE_TEXT(guess(square, [](Index, Index) { return true; }), "on: 12 of 12 queries find their own key on");
  }

  /// Padding keys are equal for all queries and no evidence beside keys that are not.
  void padding_beside_other_terms() {
    const Extent square{12, 12};
    const Condition causal = [](Index q, Index kv) { return kv >= 8 && kv <= q; };
    COMPARE_TEXT(guess(square, causal), "on: no key after its query is on");
    COMPARE_TEXT(guess(square, [&](Index q, Index kv) { return !causal(q, kv); }),
                 "off: every key after its query is on");
    const Condition documents = [](Index q, Index kv) { return q < 4 && kv < 4 && (q < 2) == (kv < 2); };
    QVERIFY(guess(square, documents).starts_with("on: "));
    QVERIFY(guess(square, [&](Index q, Index kv) { return !documents(q, kv); }).starts_with("off: "));
  }

  void a_small_majority_is_no_evidence() {
    COMPARE_TEXT(guess({4, 4}, [](Index q, Index kv) { return q == kv ? q < 2 : (q + kv) % 3 == 0; }), "unknown");
    COMPARE_TEXT(guess({4, 4}, [](Index q, Index kv) { return q == kv ? q < 3 : (q + kv) % 3 == 0; }),
                 "on: 3 of 4 queries find their own key on");
  }

  void one_row() {
    COMPARE_TEXT(guess({1, 6}, [](Index, Index kv) { return kv >= 2; }), "on: 1 of 1 queries find their own key on");
    COMPARE_TEXT(guess({1, 6}, [](Index, Index kv) { return kv < 4; }), "unknown");
  }

  /// Masks of any kind with padding on the right, seen either way round, are never read the wrong
  /// way round.
  void either_way_round() {
    for (const Index length : {3, 8, 13})
      for (Index real = 2; real <= length; ++real)
        for (const Condition& mask : std::vector<Condition>{
                 [](Index q, Index kv) { return kv <= q; },
                 [](Index q, Index kv) { return q / 3 == kv / 3; },
                 [](Index q, Index kv) { return std::abs(q - kv) < 2; },
                 [](Index, Index) { return true; },
             })
          for (const bool padding_sees : {true, false}) {
            const Condition padded = [&](Index q, Index kv) {
              return kv < real && (q < real || padding_sees) && mask(q, kv);
            };
            const std::string on = guess({length, length}, padded);
            const std::string off = guess({length, length}, [&](Index q, Index kv) { return !padded(q, kv); });
            QVERIFY2(!on.starts_with("off"), (std::to_string(length) + " " + std::to_string(real) + " " + on).c_str());
            QVERIFY2(!off.starts_with("on"), (std::to_string(length) + " " + std::to_string(real) + " " + off).c_str());
          }
  }
};

VQSCOPE_TEST(PolarityEvidenceTest)
#include "polarity_evidence_test.moc"

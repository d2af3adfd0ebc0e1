// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_regions.h"

#include "tests/core/lint/lint_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

LintCase given_case(const char* settings) { return *Stated(settings, "kv_idx >= 0").made(); }

/// A line a row: # a cell of the region, . another one.
std::string picture(const CellSet& region, const LintCase& given) {
  std::string text;
  std::vector<Range> row;
  for (Index q = 0; q < given.layout.q_length(); ++q) {
    row_of(region, q, row);
    std::string line(static_cast<std::size_t>(given.layout.kv_length()), '.');
    for (const Range& some : row)
      for (Index kv = some.begin; kv < some.end; ++kv) line[static_cast<std::size_t>(kv)] = '#';
    text += (text.empty() ? "" : " ") + line;
  }
  return text;
}

std::string wanted_cells(const char* settings, WantedPart part = WantedPart::all) {
  const auto given = given_case(settings);
  return picture(wanted_keys(given, part), given);
}

}  // namespace

class LintRegionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void wanted_keys_of_each_objective() {
    COMPARE_TEXT(wanted_cells("q_length=4 objective=causal"), "#... ##.. ###. ####");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=bidirectional"), "#### #### #### ####");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=prefix prefix_length=2"), "##.. ##.. ###. ####");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=causal_spans span_ids=-1,0,0,-1"), "#... ###. ###. ####");
    COMPARE_TEXT(wanted_cells("q_length=2 kv_length=4 objective=cross"), "#### ####");
    COMPARE_TEXT(wanted_cells("q_length=2 past_len=2 objective=causal"), "###. ####");
  }

  void windows_sinks_and_chunks() {
    COMPARE_TEXT(wanted_cells("q_length=4 objective=causal window=2"), "#... ##.. .##. ..##");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=causal window=2 sinks=1"), "#... ##.. ###. #.##");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=causal window=1 window_right=1"), "##.. .##. ..## ...#");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=bidirectional window_left=0 window_right=2"),
                 "###. .### ..## ...#");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=causal chunk=2"), "#... ##.. ..#. ..##");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=bidirectional chunk=3"), "###. ###. ###. ...#");
  }

  void parts() {
    COMPARE_TEXT(wanted_cells("q_length=4 objective=bidirectional", WantedPart::behind), "#... ##.. ###. ####");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=bidirectional", WantedPart::ahead), ".### ..## ...# ....");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=prefix prefix_length=3", WantedPart::ahead), ".##. ..#. .... ....");
    COMPARE_TEXT(wanted_cells("q_length=4 objective=causal", WantedPart::ahead), ".... .... .... ....");
  }

  /// A span may lie in pieces: an image that text interrupts.
  void spans_in_pieces() {
    COMPARE_TEXT(wanted_cells("q_length=5 objective=causal_spans span_ids=0,0,-1,0,-1"),
                 "##.#. ##.#. ###.. ####. #####");
  }

  void future_excludes_allowed_cells() {
    const auto future = [](const char* settings) {
      const auto given = given_case(settings);
      return picture(forbidden_future(given), given);
    };
    COMPARE_TEXT(future("q_length=4 objective=causal"), ".### ..## ...# ....");
    COMPARE_TEXT(future("q_length=4 objective=causal window_right=1"), "..## ...# .... ....");
    COMPARE_TEXT(future("q_length=4 objective=prefix prefix_length=3"), "...# ...# ...# ....");
    COMPARE_TEXT(future("q_length=5 objective=causal_spans span_ids=0,0,-1,0,-1"), "..#.# ..#.# ...## ....# .....");
  }

  void beyond_windows_and_chunks() {
    const auto given = given_case("q_length=5 objective=causal window=2");
    COMPARE_TEXT(picture(beyond_window(given, 1), given), "..... ..... #.... ##... ###..");
    COMPARE_TEXT(picture(ahead_of_window(given, 2), given), "...## ....# ..... ..... .....");
    const auto sunk = given_case("q_length=5 objective=causal window=2 sinks=1");
    COMPARE_TEXT(picture(beyond_window(sunk, 1), sunk), "..... ..... ..... .#... .##..");
    const auto causal = given_case("q_length=4 objective=causal chunk=2");
    COMPARE_TEXT(picture(other_chunks(causal), causal), ".... .... ##.. ##..");
    const auto both = given_case("q_length=4 objective=bidirectional chunk=2");
    COMPARE_TEXT(picture(other_chunks(both), both), "..## ..## ##.. ##..");
  }

  void reaches() {
    QCOMPARE(reach_behind(given_case("q_length=4 objective=causal window=3")), Index{2});
    QCOMPARE(reach_behind(given_case("q_length=4 objective=causal")), any_distance);
    QCOMPARE(reach_ahead(given_case("q_length=4 objective=causal")), Index{0});
    QCOMPARE(reach_ahead(given_case("q_length=4 objective=bidirectional")), any_distance);
    QCOMPARE(reach_ahead(given_case("q_length=4 objective=bidirectional window_right=3")), Index{3});
    QCOMPARE(reach_behind(given_case("q_length=4 kv_length=8 objective=cross window=3")), any_distance);
    QVERIFY(wants_window(given_case("q_length=4 objective=causal window=3")));
    QVERIFY2(!wants_window(given_case("q_length=4 objective=bidirectional window=3")), "it does not say to which side");
    QVERIFY(wants_window(given_case("q_length=4 objective=bidirectional window_left=3")));
    QVERIFY(!wants_window(given_case("q_length=4 objective=causal")));
  }

  void why_the_expected_keys_are_unknown() {
    auto given = given_case("q_length=4 objective=causal chunk=1");
    COMPARE_TEXT(unknown_keys(given), "");
    given.layout = *SequenceLayout::make({.q_length = Index{1} << 30});
    COMPARE_TEXT(unknown_keys(given), "there are too many chunks to check");
    given.chunk.reset();
    COMPARE_TEXT(unknown_keys(given), "");
    COMPARE_TEXT(unknown_keys(given_case("q_length=4 objective=block_causal")), "chunk is not set");
    COMPARE_TEXT(unknown_keys(given_case("q_length=4 objective=prefix")), "prefix_length is not set");
  }
};

VQSCOPE_TEST(LintRegionsTest)
#include "lint_regions_test.moc"

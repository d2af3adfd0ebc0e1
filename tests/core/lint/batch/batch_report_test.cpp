// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch/batch_report.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A report with a finding of each sentence.
LintReport report_with(const std::vector<std::string>& sentences) {
  LintReport report;
  for (const auto& sentence : sentences) report.findings.push_back({.rule = "r", .sentence = sentence});
  report.outcomes = {{"r", sentences.empty() ? "skipped" : ""}};
  report.rows_checked = 4;
  return report;
}

/// "0/- x; ": sample, head and sentence of each finding.
std::string places_of(const std::vector<LintReport>& reports, Index heads) {
  std::string all;
  const auto number = [](const std::optional<Index>& index) { return index ? std::to_string(*index) : "-"; };
  for (const auto& finding : joined_reports(reports, heads).findings)
    all += number(finding.batch) + "/" + number(finding.head) + " " + finding.sentence + "; ";
  return all;
}

}  // namespace

class BatchReportTest : public test::TestCase {
  Q_OBJECT
 private slots:
  void finding_of_every_mask_has_no_place() {
    const auto x = report_with({"x"});
    COMPARE_TEXT(places_of({x}, 1), "-/- x; ");
    COMPARE_TEXT(places_of({x, x, x, x}, 2), "-/- x; ");
  }

  void finding_of_one_sample_names_it() {
    const auto none = report_with({});
    COMPARE_TEXT(places_of({none, none, report_with({"x"})}, 1), "2/- x; ");
    COMPARE_TEXT(places_of({none, none, report_with({"x"}), report_with({"x"})}, 2), "1/- x; ");
  }

  void finding_of_one_head_in_all_samples_names_the_head() {
    const auto none = report_with({});
    COMPARE_TEXT(places_of({none, report_with({"x"}), none, report_with({"x"})}, 2), "-/1 x; ");
    COMPARE_TEXT(places_of({none, report_with({"x"}), report_with({"x"}), none}, 2), "0/1 x; 1/0 x; ");
  }

  /// Heads 1 and 3 of both samples; samples 0 and 2 in all heads; a whole sample beside a whole head.
  void several_heads_and_samples_are_named_once() {
    const auto none = report_with({}), x = report_with({"x"});
    COMPARE_TEXT(places_of({none, x, none, x, none, x, none, x}, 4), "-/1 x; -/3 x; ");
    COMPARE_TEXT(places_of({x, x, none, none, x, x}, 2), "0/- x; 2/- x; ");
    COMPARE_TEXT(places_of({x, x, none, x, none, x}, 2), "-/1 x; 0/- x; ");
    COMPARE_TEXT(places_of({none, x, none, x}, 4), "-/1 x; -/3 x; ");
  }

  /// Each mask that has a finding is named by one place or by two, and no other is.
  void places_name_the_masks_that_have_it() {
    Random random(7);
    for (int round = 0; round < 200; ++round) {
      const Index samples = pick(random, 1, 4), heads = pick(random, 1, 4);
      std::vector<bool> has;
      std::vector<LintReport> reports;
      for (Index i = 0; i < samples * heads; ++i) {
        has.push_back(pick(random, 0, 2) > 0);
        reports.push_back(report_with(has.back() ? std::vector<std::string>{"x"} : std::vector<std::string>{}));
      }
      const auto found = joined_reports(reports, heads).findings;
      for (Index i = 0; i < samples * heads; ++i) {
        const bool named = std::ranges::any_of(found, [&](const Finding& each) {
          return each.batch.value_or(i / heads) == i / heads && each.head.value_or(i % heads) == i % heads;
        });
        QCOMPARE(named, has[static_cast<std::size_t>(i)]);
      }
    }
  }

  void findings_of_all_masks_come_first() {
    const std::vector reports{report_with({"x", "all"}), report_with({"all", "y"}), report_with({"all", "x"})};
    COMPARE_TEXT(places_of(reports, 1), "-/- all; 0/- x; 1/- y; 2/- x; ");
  }

  void rules_count_as_checked_if_one_mask_was_checked() {
    auto part = report_with({"x"});
    part.rows_checked = 2;
    part.complete = false;
    const LintReport joined = joined_reports(std::vector{report_with({}), part}, 1);
    QCOMPARE(joined.outcomes[0].skipped, std::string());
    QCOMPARE(joined.rows_checked, 2);
    QVERIFY(!joined.complete);
  }
};

VQSCOPE_TEST(BatchReportTest)
#include "batch_report_test.moc"

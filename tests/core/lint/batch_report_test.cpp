// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch_report.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

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

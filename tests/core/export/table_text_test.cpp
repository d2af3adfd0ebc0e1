// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/table_text.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class TableTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void formats() {
    const TextTable table{{"key", "a|b"}, {{"rope_theta", "10000"}, {"100 %,\n two", "-2.5"}}};
    COMPARE_TEXT(table_text(table, TableFormat::tabs), "key\ta|b\nrope_theta\t10000\n100 %, two\t-2.5");
    COMPARE_TEXT(table_text(table, TableFormat::markdown),
                 "| key | a\\|b |\n| --- | ---: |\n| rope_theta | 10000 |\n| 100 %, two | -2.5 |\n");
    COMPARE_TEXT(table_text(table, TableFormat::latex),
                 "\\begin{tabular}{lr}\n\\toprule\nkey & a|b \\\\\n\\midrule\nrope\\_theta & 10000 \\\\\n"
                 "100 \\%, two & -2.5 \\\\\n\\bottomrule\n\\end{tabular}\n");
    COMPARE_TEXT(table_text(table, TableFormat::csv), "key,a|b\nrope_theta,10000\n\"100 %,\n two\",-2.5\n");
  }

  /// Rows of their own, ragged ones and none at all.
  void tables_without_titles() {
    const TextTable row{{}, {{"x", "y"}, {"z"}}};
    COMPARE_TEXT(table_text(row, TableFormat::tabs), "x\ty\nz");
    COMPARE_TEXT(table_text(row, TableFormat::markdown), "|  |  |\n| --- | --- |\n| x | y |\n| z |  |\n");
    COMPARE_TEXT(table_text({}, TableFormat::tabs), "");
    COMPARE_TEXT(table_text({{}, {{"~^\\"}}}, TableFormat::latex),
                 "\\begin{tabular}{l}\n\\toprule\n\\textasciitilde{}\\textasciicircum{}\\textbackslash{} \\\\\n"
                 "\\bottomrule\n\\end{tabular}\n");
  }
};

VQSCOPE_TEST(TableTextTest)
#include "table_text_test.moc"

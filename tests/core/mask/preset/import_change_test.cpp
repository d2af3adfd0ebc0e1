// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/import_change.h"

#include "core/mask/import/imported_mask.h"
#include "tests/support/compare.h"
#include "tests/support/environment.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Cells = std::vector<std::vector<bool>>;

MaskImport textImport(const std::string& text) { return {text, ""}; }

MaskImport cellImport(const Cells& cells) {
  ImportedRuns runs;
  for (const auto& row : cells) {
    std::vector<KeyInterval> intervals;
    for (std::uint32_t k = 0; k < row.size(); ++k) {
      if (!row[k]) continue;
      if (!intervals.empty() && intervals.back().end == k)
        ++intervals.back().end;
      else
        intervals.push_back({k, k + 1});
    }
    runs.append(intervals);
  }
  const Extent extent{std::ssize(cells), std::ssize(cells.front())};
  return {std::make_shared<const ImportedMask>(extent, std::move(runs)), ""};
}

}  // namespace

class ImportChangeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void texts() {
    COMPARE_TEXT(import_change(textImport("a\nb\n"), textImport("a\nb\n")), "");
    COMPARE_TEXT(import_change(textImport("a\n  b\n"), textImport("a\n  c\n")), "line 2 is now: c");
    COMPARE_TEXT(import_change(textImport("a\nb"), textImport("a")), "the text ends before line 2 now");
    COMPARE_TEXT(import_change(textImport("a"), cellImport({{true}})), "it is cells now");
  }

  void cells() {
    const Cells causal{{true, false}, {true, true}};
    COMPARE_TEXT(import_change(cellImport(causal), cellImport(causal)), "");
    COMPARE_TEXT(import_change(cellImport(causal), cellImport({{true, false}, {false, true}})),
                 "1 cell changed in row 1");
    const Cells none(4, std::vector<bool>(2)), apart{{true, true}, {false, false}, {false, false}, {true, false}};
    COMPARE_TEXT(import_change(cellImport(none), cellImport(apart)), "3 cells changed in 2 of the rows 0 to 3");
    COMPARE_TEXT(import_change(cellImport(causal), cellImport({{false, false}, {true, false}})),
                 "2 cells changed in rows 0 to 1");
    COMPARE_TEXT(import_change(cellImport(causal), cellImport({{true}})), "it has 1 × 1 cells now, 2 × 2 before");
  }

  void random_cells() {
    Random random(11);
    for (int i = 0; i < rounds(200); ++i) {
      const auto height = static_cast<std::size_t>(pick(random, 1, 6)),
                 width = static_cast<std::size_t>(pick(random, 1, 9));
      Cells a(height, std::vector<bool>(width)), b = a;
      Index differing = 0, rows = 0, first = -1, last = -1;
      for (std::size_t q = 0; q < height; ++q) {
        const Index before = differing;
        for (std::size_t k = 0; k < width; ++k) {
          a[q][k] = pick(random, 0, 1) == 1;
          b[q][k] = pick(random, 0, 3) == 0 ? !a[q][k] : a[q][k];
          differing += a[q][k] != b[q][k] ? 1 : 0;
        }
        if (differing == before) continue;
        if (rows++ == 0) first = static_cast<Index>(q);
        last = static_cast<Index>(q);
      }
      const std::string change = import_change(cellImport(a), cellImport(b));
      const std::string counted = std::to_string(differing) + (differing == 1 ? " cell" : " cells") + " changed in ";
      const std::string range = "rows " + std::to_string(first) + " to " + std::to_string(last);
      if (differing == 0)
        COMPARE_TEXT(change, "");
      else if (rows == 1)
        COMPARE_TEXT(change, counted + "row " + std::to_string(first));
      else if (rows == last - first + 1)
        COMPARE_TEXT(change, counted + range);
      else
        COMPARE_TEXT(change, counted + std::to_string(rows) + " of the " + range);
    }
  }
};

VQSCOPE_TEST(ImportChangeTest)
#include "import_change_test.moc"

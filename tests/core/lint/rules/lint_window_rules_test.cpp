// SPDX-License-Identifier: GPL-3.0-or-later
// Windows, chunks, and keys that are hidden.
#include "tests/core/lint/rules/rule_table.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

class LintWindowRulesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rules_data() {
    const auto add = rule_table();
    // To both sides: q_pos - kv_pos <= 2 and kv_pos - q_pos <= 1 among 8 tokens.
    add("window_off", "q_length=8 objective=bidirectional window_left=2 window_right=1",
        "(q_idx - kv_idx <= 2) & (kv_idx - q_idx <= 1)", "");
    add("window_off", "q_length=8 objective=bidirectional window_left=2 window_right=1",
        "(q_idx - kv_idx <= 3) & (kv_idx - q_idx <= 2)",
        "error window_off (3, 0) 5 cells: row 3 sees key 0, 3 behind: a window of 2 behind and 1 ahead requires q_pos "
        "- "
        "kv_pos <= 2; 5 cells in all\nerror window_off (0, 2) 6 cells: row 0 sees key 2, 2 ahead: a window of 2 behind "
        "and 1 ahead requires kv_pos - q_pos <= 1; 6 cells in all");
    add("window_off", "q_length=8 objective=bidirectional window_left=2 window_right=1", "abs(q_idx - kv_idx) <= 1",
        "error window_off (2, 0) 6 cells: row 2 does not see key 0, 2 behind: inside the window of 2 behind and 1 "
        "ahead; 6 cells in all");
    add("window_off", "q_length=8 objective=bidirectional window_right=1", "kv_idx - q_idx <= 2",
        "error window_off (0, 2) 6 cells: row 0 sees key 2, 2 ahead: a window of 1 ahead requires kv_pos - q_pos <= 1; "
        "6 "
        "cells in all");
    add("window_off", "q_length=8 objective=bidirectional window=3", "abs(q_idx - kv_idx) <= 1",
        "asks: window is 3 and the objective bidirectional: set window_left and window_right, the keys behind and "
        "ahead");
    // Sinks stay in sight.
    add("window_off", "q_length=8 objective=causal window=3 sinks=1",
        "(kv_idx <= q_idx) & ((q_idx - kv_idx < 3) | (kv_idx < 1))", "");
    add("window_off", "q_length=8 objective=causal window=3",
        "(kv_idx <= q_idx) & ((q_idx - kv_idx < 3) | (kv_idx < 1))",
        "error window_off (3, 0) 5 cells: row 3 sees key 0, 3 behind: a window of 3 requires q_pos - kv_pos < 3; set "
        "sinks if the first keys must be visible to every query; 5 cells in all");
    add("window_off", "q_length=8 objective=causal window=3 sinks=1", "(kv_idx <= q_idx) & (q_idx - kv_idx < 3)",
        "error window_off (3, 0) 5 cells: row 3 does not see key 0, 3 behind: inside the window of 3; 5 cells in all");
    // Queries that do not see themselves.
    add("window_off", "q_length=6 objective=causal window=3", "(kv_idx < q_idx) & (q_idx - kv_idx < 3)",
        "error window_off (0, 0) 6 cells: row 0 does not see key 0, 0 behind: inside the window of 3; queries do not "
        "see themselves; 6 cells in all");
    add("window_off", "q_length=6 objective=causal window=3",
        "(kv_idx <= q_idx) & (q_idx - kv_idx < 3) & ((q_idx != 4) | (kv_idx != 4))",
        "error window_off (4, 4) 1 cells: row 4 does not see key 4, 0 behind: inside the window of 3; 1 of 6 queries "
        "does not see itself");
    add("window_off", "q_length=6 objective=causal", "kv_idx <= q_idx", "skipped: no window is expected");
    add("window_off", "q_length=6 objective=prefix window=3", "kv_idx <= q_idx", "skipped: prefix_length is not set");
    // Chunks of 3 positions.
    add("chunk_off", "q_length=6 chunk=3 objective=causal", "kv_idx <= q_idx",
        "error chunk_off (3, 0) 9 cells: row 3 sees key 0 of another chunk: kv_pos 0 and q_pos 3 are not in one chunk "
        "of 3; 9 cells in all");
    add("chunk_off", "q_length=6 chunk=3 objective=causal", "(kv_idx <= q_idx) & (q_idx // 3 == kv_idx // 3)", "");
    add("chunk_off", "q_length=6 chunk=3 objective=bidirectional", "(q_idx // 3 == kv_idx // 3) | (kv_idx == 3)",
        "error chunk_off (0, 3) 3 cells: row 0 sees key 3 of another chunk: kv_pos 3 and q_pos 0 are not in one chunk "
        "of 3; 3 cells in all");
    add("chunk_off", "q_length=6 objective=causal", "kv_idx <= q_idx", "skipped: no chunks are expected");
    add("chunk_off", "q_length=6 kv_length=4 chunk=3 objective=cross", "kv_idx >= 0",
        "skipped: the objective is cross");
    // Hidden keys without a stated reason.
    add("key_hidden", "q_length=2 kv_length=4 objective=cross", "kv_idx != 1",
        "error key_hidden (0, 1) 2 cells: row 0 does not see key 1, and the objective cross expects every real key "
        "to be visible; 2 cells in all");
    add("key_hidden", "q_length=4 objective=bidirectional", "(kv_idx != 1) | (q_idx != 2)",
        "error key_hidden (2, 1) 1 cells: row 2 does not see key 1 (kv_pos 1 and q_pos 2), and the objective "
        "bidirectional expects every real key to be visible");
    add("key_hidden", "q_length=4 objective=causal", "(kv_idx <= q_idx) & ((kv_idx != 1) | (q_idx != 3))",
        "error key_hidden (3, 1) 1 cells: row 3 does not see key 1 (kv_pos 1 and q_pos 3), and the objective causal "
        "expects every real earlier key to be visible");
    add("key_hidden", "q_length=4 objective=causal", "kv_idx <= q_idx", "");
    add("key_hidden", "q_length=8 objective=causal window=3", "kv_idx <= q_idx", "skipped: see the rule window_off");
    add("key_hidden", "q_length=8 objective=causal sparse=true", "kv_idx <= q_idx",
        "skipped: sparse: some keys are masked on purpose");
    add("key_hidden", "q_length=8 objective=prefix", "kv_idx <= q_idx", "skipped: prefix_length is not set");
  }
  void rules() { check_rule_row(); }
};

VQSCOPE_TEST(LintWindowRulesTest)
#include "lint_window_rules_test.moc"

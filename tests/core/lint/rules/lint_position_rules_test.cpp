// SPDX-License-Identifier: GPL-3.0-or-later
// position_ids, and how q and k are rotated.
#include "tests/core/lint/rules/rule_table.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

class LintPositionRulesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rules_data() {
    const auto add = rule_table();
    // RoBERTa begins at 2.
    add("position_start", "mask=causal q_length=3 position_ids=1,2,3", "",
        "error position_start (-, 0) 3 tokens: key 0 has position 1, expected 0, as first_position is 0; 3 tokens in "
        "all");
    add("position_start", "mask=causal q_length=3 position_ids=2,3,4 first_position=2", "", "");
    add("position_start", "mask=causal q_length=3 position_ids=0,1,2 first_position=2", "",
        "error position_start (-, 0) 3 tokens: key 0 has position 0, expected 2, as first_position is 2; 3 tokens in "
        "all");
    add("position_start", "mask=causal q_length=3", "", "skipped: position_ids is not given");
    add("position_start", "mask=padding q_length=4 padding=1 position_ids=0,0,1,2", "",
        "skipped: left padding: see the rule left_padding_positions");
    add("left_padding_positions", "mask=causal q_length=3 position_ids=0,1,2", "", "skipped: no left padding");
    add("packed_positions", "mask=causal q_length=3 position_ids=0,1,2", "", "skipped: one document");
    add("cache_offset", "mask=decode q_length=2 past_len=3 position_ids=5,6", "",
        "error cache_offset (0, -) 2 tokens: query 0 has position 5, expected 3: 2 ahead of the 3 cached keys; 2 "
        "tokens in all");
    add("cache_offset", "mask=decode q_length=2 past_len=3 position_ids=5,6 first_position=2", "", "");
    add("cache_offset", "mask=causal q_length=3 position_ids=0,1,2", "", "skipped: nothing is cached");
    add("cache_offset", "mask=decode q_length=2 past_len=3", "", "skipped: position_ids of the queries is not given");
    // A ring of six slots with the tokens 4 to 8: by their positions, by their ranks, and half of
    // either.
    add("cache_positions",
        "q_length=2 kv_length=6 objective=causal cache_positions=6,7,8,-1,4,5 kv_position_ids=6,7,8,0,4,5 "
        "q_position_ids=7,8",
        "kv_idx >= 0", "");
    add("cache_positions",
        "q_length=2 kv_length=6 objective=causal cache_positions=6,7,8,-1,4,5 kv_position_ids=2,3,4,0,0,1 "
        "q_position_ids=3,4",
        "kv_idx >= 0", "");
    add("cache_positions",
        "q_length=2 kv_length=6 objective=causal cache_positions=6,7,8,-1,4,5 kv_position_ids=6,7,8,0,4,5 "
        "q_position_ids=3,4",
        "kv_idx >= 0",
        "error cache_positions (0, -) 1 tokens: query 0 is rotated at position 3, its token is at 7: queries and "
        "cached keys use different positions");
    add("cache_positions",
        "q_length=2 kv_length=6 objective=causal cache_positions=6,7,8,-1,4,5 kv_position_ids=0,1,2,3,4,5 "
        "q_position_ids=7,8",
        "kv_idx >= 0",
        "error cache_positions (-, 0) 1 tokens: key 0 is rotated at position 0, its token is at 6: queries and cached "
        "keys use different positions");
    add("cache_positions", "q_length=2 kv_length=6 objective=causal cache_positions=6,7,8,-1,4,5", "kv_idx >= 0",
        "skipped: position_ids is not given");
    add("cache_positions", "mask=causal q_length=3 position_ids=0,1,2", "", "skipped: cache_positions is not given");
    add("position_steps",
        "q_length=2 kv_length=6 objective=causal cache_positions=6,7,8,-1,4,5 kv_position_ids=6,7,8,0,4,5",
        "kv_idx >= 0", "skipped: the cache has slots: see the rule cache_positions");
    // Three axes, one after the other.
    add("position_steps", "mask=causal q_length=3 position_ids=0,1,2,0,1,2,0,1,2", "", "");
    add("position_steps", "mask=causal q_length=3 position_ids=0,1,1,0,1,2,0,1,2", "",
        "skipped: positions have three axes, which do not advance within an image");
    add("position_steps", "mask=causal q_length=4 q_position_ids=0,1,3,4", "",
        "error position_steps (2, -) 1 tokens: query 2 has position 3 after 1, expected one more within a document");
    add("qk_positions", "mask=causal q_length=3 q_position_ids=0,1,2", "",
        "skipped: position_ids of both queries and keys are needed");
    add("qk_positions", "mask=cross q_length=3 kv_length=3 q_position_ids=0,1,2 kv_position_ids=1,2,3", "",
        "skipped: queries and keys are different sequences");
    // The same for q and k.
    add("rope_by_column", "mask=causal q_length=3", "", "skipped: rope_gather is not column");
    add("rope_by_column", "mask=decode q_length=2 past_len=3 rope_gather=column", "",
        "error rope_by_column (0, -) 2 tokens: query 0 is rotated by its column 0 but has position 3; 2 tokens in all");
    add("qk_convention", "mask=causal q_length=3 q_rope_type=yarn k_rope_type=linear", "",
        "error qk_convention (-, -) 1 : q is rotated with scaling yarn, k with linear: their score depends on more "
        "than the relative position");
    add("qk_convention", "mask=causal q_length=3 q_rope_type=yarn k_pair_layout=half_split", "",
        "skipped: the conventions of q and k are not set");
  }
  void rules() { check_rule_row(); }
};

VQSCOPE_TEST(LintPositionRulesTest)
#include "lint_position_rules_test.moc"

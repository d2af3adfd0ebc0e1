// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers that are added to scores.
#include "tests/core/lint/rules/rule_table.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

class LintValueRulesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rules_data() {
    const auto add = rule_table();
    add("masked_value", "mask=causal q_length=3", "", "skipped: masked_value is not set");
    add("masked_value", "mask=causal q_length=3 masked_value=-inf", "", "");
    add("masked_value", "mask=causal q_length=3 masked_value=-50", "", "");
    add("masked_value", "mask=causal q_length=3 masked_value=-49.5", "",
        "error masked_value (-, -) 1 : -49.5 is added where a key is masked: it keeps a factor of e^-49.5 and stays "
        "visible");
    add("masked_value", "mask=causal q_length=3 masked_value=1", "",
        "error masked_value (-, -) 1 : the additive mask also holds 1: where a block of 0 and 1 is added, its 0 masks "
        "nothing; it must be 0 and -inf");
    add("masked_value", "mask=causal q_length=3 masked_value=1 dtype=float16", "",
        "error masked_value (-, -) 1 : the additive mask also holds 1: where a block of 0 and 1 is added, its 0 masks "
        "nothing; it must be 0 and -65504");
    // float16 ends at 65504, bfloat16 where float32 does.
    add("masked_value", "mask=causal q_length=3 masked_value=-10000 dtype=float16", "", "");
    add("masked_value", "mask=causal q_length=3 masked_value=-1e9 dtype=float16", "",
        "error masked_value (-, -) 1 : -1e+09 is -inf in float16: torch cannot fill a tensor with this value, and a "
        "fully masked row is NaN");
    add("masked_value", "mask=causal q_length=3 masked_value=-1e9 dtype=bfloat16", "", "");
    // With more than two numbers, those that mask nothing are biases.
    add("masked_value", "mask=causal q_length=3 masked_value=-1,-2,-3", "", "");
    add("masked_value", "mask=causal q_length=3 masked_value=-1,-2,-1e9 dtype=float16", "",
        "error masked_value (-, -) 1 : -1e+09 is -inf in float16: torch cannot fill a tensor with this value, and a "
        "fully masked row is NaN");
    // ALiBi of the last query of four: one slope towards it.
    add("alibi_bias", "mask=causal q_length=4", "", "skipped: alibi_bias is not given");
    add("alibi_bias", "mask=causal q_length=4 alibi_bias=-1.5,-1,-0.5,0", "", "");
    add("alibi_bias", "mask=causal q_length=4 alibi_bias=0,0.5,1,1.5", "", "");
    add("alibi_bias", "mask=causal q_length=4 alibi_bias=-3,-2,-1,0", "",
        "error alibi_bias (3, 2) 1 : query 3 has a bias that grows by 1 per token: ALiBi's slopes, "
        "2^(-8 (head + 1) / num_heads) with heads from 0, are below 1");
    add("alibi_bias", "mask=causal q_length=4 alibi_bias=0.5", "",
        "error alibi_bias (3, 3) 1 : query 3 has the same bias, 0.5, at each of its 4 keys: ALiBi has no effect");
    add("alibi_bias", "mask=causal q_length=4 alibi_bias=0,-1,-2,-3", "",
        "error alibi_bias (3, 1) 1 : query 3 has a bias that does not grow towards the query at key 1");
    add("alibi_bias", "mask=causal q_length=4 alibi_bias=-4,-2,-1,0", "",
        "error alibi_bias (3, 2) 1 : query 3 has a bias that grows by 1 per token at key 2 and by 2 before: ALiBi has "
        "one slope per head");
    add("alibi_bias", "mask=causal q_length=1 alibi_bias=0.5", "", "");
    add("alibi_bias", "mask=causal q_length=4 alibi_bias=1,2", "",
        "alibi_bias has 2 entries but must have kv_length = 4");
    // A float mask of 0 and 1 is added all the same.
    add("zero_one_mask", "mask=causal q_length=3", "", "skipped: values is not set");
    add("zero_one_mask", "mask=causal q_length=3 values=additive", "",
        "skipped: the mask is not a float mask of 0 and 1");
    add("zero_one_mask", "mask=causal q_length=3 values=zero_one dialect=flash_attention", "",
        "skipped: flash-attention arguments adds no mask");
    add("additive_overflow", "mask=padding q_length=4 padding=1 dialect=additive_f32 dtype=float32", "", "");
  }
  void rules() { check_rule_row(); }
};

VQSCOPE_TEST(LintValueRulesTest)
#include "lint_value_rules_test.moc"

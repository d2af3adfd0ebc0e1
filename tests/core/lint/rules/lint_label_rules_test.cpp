// SPDX-License-Identifier: GPL-3.0-or-later
// The target of each query: aligned, labels[q] is its target; shifted, labels[q + 1].
#include "tests/core/lint/rules/rule_table.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

class LintLabelRulesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rules_data() {
    const auto add = rule_table();
    add("labels", "mask=causal q_length=4", "", "skipped: labels are not given");
    add("labels", "mask=causal q_length=4 labels=-100,-100,-100,-100", "",
        "error labels (-, -) 1 : no real token has a label: the mean loss is NaN");
    add("labels", "mask=causal q_length=4 labels=-100,-100,7,-100", "", "");
    add("labels", "mask=causal q_length=4 labels=1,2,3,4 loss_mask=0,0,0,0", "",
        "error labels (-, -) 1 : no real token has a label: the mean loss is NaN");
    // The padding token is the end token (transformers#23530).
    const std::string ends = "mask=causal q_length=6 padding=2 padding_side=right input_ids=5,6,7,2,2,2 ";
    add("labels", (ends + "labels=5,6,7,-100,-100,-100 labels_are=shifted").c_str(), "",
        "warning labels (2, -) 1 : token 3 is real and has no loss, as padding with the same token 2 has none: the "
        "model "
        "does not learn to end");
    add("labels", (ends + "labels=6,7,-100,-100,-100,-100").c_str(), "",
        "warning labels (2, -) 1 : token 3 is real and has no loss, as padding with the same token 2 has none: the "
        "model "
        "does not learn to end");
    add("labels", (ends + "labels=5,6,7,2,-100,-100 labels_are=shifted").c_str(), "", "");
    add("labels", (ends + "labels=6,7,2,-100,-100,-100 labels_are=aligned").c_str(), "", "");
    add("labels", "mask=padding q_length=4 padding=2 labels=1,2,3,4", "",
        "error labels (0, -) 2 labels: query 0 is padding, but its label counts in the loss: expected -100; 2 labels "
        "in all");
    // The tokens decide which of the two the labels are.
    add("label_leak", "mask=causal q_length=4 input_ids=5,6,7,8 labels=6,7,8,-100", "", "");
    add("label_leak", "mask=causal q_length=4 input_ids=5,6,7,8 labels=5,6,7,8", "", "");
    add("label_leak", "mask=causal q_length=4 input_ids=5,6,7,8 labels=7,8,-100,-100", "",
        "error label_leak (0, -) 2 labels: query 0 has the target 7, but the next token is 6 (labels are aligned): "
        "labels are "
        "shifted twice or not at all; 2 labels in all");
    add("label_leak", "mask=causal q_length=4 input_ids=5,6,7,8 labels=5,6,7,8 labels_are=aligned", "",
        "error label_leak (0, -) 3 labels: query 0 has the target 5, but the next token is 6 (labels are aligned): "
        "labels are "
        "shifted twice or not at all; 3 labels in all");
    // A query that sees its own target learns to copy it.
    add("label_leak", "mask=bidirectional q_length=4 objective=causal labels=1,2,3,4 labels_are=shifted", "",
        "error label_leak (0, 1) 3 labels: query 0 sees key 1, which is its own label (labels are shifted): exclude a "
        "query that sees its target from the loss; 3 labels in all");
    add("label_leak", "mask=bidirectional q_length=4 objective=causal labels=1,-100,-100,-100 labels_are=shifted", "",
        "");
    add("label_leak", "mask=bidirectional q_length=4 labels=1,2,3,4", "", "skipped: labels are the tokens themselves");
    // Across documents.
    add("label_leak", "mask=packed q_length=4 document_lengths=2,2 labels=5,6,-100,8", "",
        "asks: labels are correct only if they are shifted: set labels_are; else query 1 has the first token of the "
        "next document as its label (labels are aligned): expected -100 at label 1");
    add("label_leak", "mask=packed q_length=4 document_lengths=2,2 labels=5,6,7,8 labels_are=shifted", "",
        "error label_leak (1, -) 1 labels: query 1 has the first token of the next document as its label (labels are "
        "shifted): expected -100 at label 2");
    add("label_leak", "mask=packed q_length=4 document_lengths=2,2 labels=5,-100,7,8 labels_are=aligned", "", "");
    add("label_leak", "mask=cross q_length=4 labels=5,6,7,8", "", "skipped: the keys are a different sequence");
    add("label_leak", "mask=causal q_length=4 labels=5,6,7,8 input_ids=5", "",
        "input_ids has 1 entries but must have q_length = 4");
  }
  void rules() { check_rule_row(); }
};

VQSCOPE_TEST(LintLabelRulesTest)
#include "lint_label_rules_test.moc"

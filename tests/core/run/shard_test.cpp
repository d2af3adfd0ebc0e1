// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/shard.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <map>
#include <vector>

using namespace vqscope;

namespace {

using Variables = std::map<std::string, std::string>;

std::string shard_text(std::string_view text, const Variables& variables = {}) {
  const auto shard = parse_shard(text, [&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
  return shard ? std::to_string(shard->number) + " of " + std::to_string(shard->count) : shard.error().message;
}

}  // namespace

class ShardTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void numbers() {
    QCOMPARE(shard_text("1/1"), std::string("1 of 1"));
    QCOMPARE(shard_text("3/16"), std::string("3 of 16"));
    for (const std::string text : {"3", "0/4", "5/4", "1/0", "a/4", "1/4/2", "1/200000", "-1/4"})
      QCOMPARE(shard_text(text), "--shard is " + text + " but must be i/n with 1 <= i <= n, auto, or auto/n");
  }

  void shard_from_slurm() {
    QCOMPARE(shard_text("auto", {{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_COUNT", "8"}}),
             std::string("3 of 8"));
    const Variables from_zero{
        {"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_MIN", "0"}, {"SLURM_ARRAY_TASK_COUNT", "8"}};
    QCOMPARE(shard_text("auto", from_zero), std::string("1 of 8"));
    const Variables in_steps{{"SLURM_ARRAY_TASK_ID", "10"},
                             {"SLURM_ARRAY_TASK_MIN", "2"},
                             {"SLURM_ARRAY_TASK_STEP", "4"},
                             {"SLURM_ARRAY_TASK_COUNT", "5"}};
    QCOMPARE(shard_text("auto", in_steps), std::string("3 of 5"));
    QCOMPARE(shard_text("auto", {{"SLURM_ARRAY_TASK_ID", "9"}, {"SLURM_ARRAY_TASK_COUNT", "8"}}),
             std::string("--shard auto is number 9 of 8, which does not exist"));
  }

  void shard_from_parallel_and_a_given_count() {
    QCOMPARE(shard_text("auto/4", {{"PARALLEL_SEQ", "2"}}), std::string("2 of 4"));
    const std::string missing =
        "--shard auto needs SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, --shard auto/n SLURM_ARRAY_TASK_ID or "
        "PARALLEL_SEQ; they are not set";
    QCOMPARE(shard_text("auto", {{"PARALLEL_SEQ", "2"}}), missing);
    QCOMPARE(shard_text("auto"), missing);
    QCOMPARE(shard_text("auto/4"), missing);
  }

  void each_point_has_one_shard() {
    for (Index point = 0; point < 100; ++point) {
      int having = 0;
      for (Index number = 1; number <= 7; ++number) having += Shard{number, 7}.has(point) ? 1 : 0;
      QCOMPARE(having, 1);
    }
  }

  void arguments_are_quoted_for_the_shell() {
    QCOMPARE(script_word("n_code=1:8:*2"), std::string("'n_code=1:8:*2'"));
    QCOMPARE(script_word("n_code=64"), std::string("n_code=64"));
    QCOMPARE(script_word("it's"), std::string("'it'\\''s'"));
    QCOMPARE(script_word(""), std::string("''"));
  }

  void scripts() {
    const std::vector<std::string> words{"sweep", "line", "--vary", "seed=0:9:*2", "--out", "my runs"};
    const SpreadSweep sweep{.program = "/opt/vqscope", .words = words, .shards = 8, .jobs = 2, .folder = "my runs"};
    QCOMPARE(spreading_script(Spreader::slurm, sweep),
             std::string("#!/bin/bash\n"
                         "#SBATCH --job-name=vqscope-sweep\n"
                         "#SBATCH --array=1-8\n"
                         "#SBATCH --time=04:00:00\n"
                         "#SBATCH --mem=4G\n"
                         "#SBATCH --cpus-per-task=2\n"
                         "# Run this file with bash. It submits itself as an array of 8 parts, and the merge as a job "
                         "that\n"
                         "# starts once every part has succeeded. Set time, memory and CPUs above to what a part "
                         "needs.\n"
                         "set -eu\n"
                         "if [ -z \"${SLURM_ARRAY_TASK_ID-}\" ]; then\n"
                         "  folder='my runs'\n"
                         "  mkdir -p -- \"$folder/logs\"\n"
                         "  logs=\"${folder//%/%%}/logs\"\n"
                         "  array=$(sbatch --parsable --output=\"$logs/%A_%a.log\" \"$0\")\n"
                         "  exec sbatch --dependency=afterok:\"${array%%;*}\" --job-name=vqscope-merge --time=01:00:00 "
                         "--mem=4G \\\n"
                         "    --cpus-per-task=1 --output=\"$logs/merge_%j.log\" --wrap='/opt/vqscope merge "
                         "'\\''my runs'\\'' --out '\\''my runs/table.csv'\\'''\n"
                         "fi\n"
                         "exec /opt/vqscope sweep line --vary 'seed=0:9:*2' --out 'my runs' --shard auto\n"));
    QCOMPARE(spreading_script(Spreader::parallel, sweep),
             std::string("#!/bin/sh\nset -e\nmkdir -p 'my runs/logs'\n"
                         "seq 8 | parallel -N0 --halt now,fail=1 --joblog 'my runs/logs/parallel.log' "
                         "'/opt/vqscope sweep line --vary "
                         "'\\''seed=0:9:*2'\\'' --out '\\''my runs'\\'' --shard auto/8'\n"
                         "/opt/vqscope merge 'my runs' --out 'my runs/table.csv'\n"));
    QCOMPARE(spreading_script(Spreader::snakemake, sweep),
             std::string("rule table:\n"
                         "    input: expand(\"my runs/shards/\" + \"{shard}_of_8\", shard=range(1, 9))\n"
                         "    output: \"my runs/table.csv\"\n"
                         "    shell: \"/opt/vqscope merge 'my runs' --out 'my runs/table.csv'\"\n"
                         "\n"
                         "rule shard:\n"
                         "    output: touch(\"my runs/shards/\" + \"{shard}_of_8\")\n"
                         "    shell: \"/opt/vqscope sweep line --vary 'seed=0:9:*2' --out 'my runs' --shard \" + "
                         "\"{wildcards.shard}/8\"\n"));
    QCOMPARE(parse_spreader("make").error().message,
             std::string("--emit is make but must be one of slurm, parallel, snakemake"));
  }
};

VQSCOPE_TEST(ShardTest)
#include "shard_test.moc"

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_parts.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "n_positions 1024 learned", a line each.
std::string tables_of(const char* model_type, const std::string& config, PositionScheme kind = PositionScheme::learned,
                      std::string* findings = nullptr) {
  GivenConfig given(config);
  ConfigReport report;
  report.kind = kind;
  read_tables(given.object, find_model_family(model_type), report);
  if (findings) *findings = given.findings();
  std::string lines;
  for (const auto& table : report.tables)
    lines += (lines.empty() ? "" : "\n") + table.key + " " + std::to_string(table.length) +
             (table.learned ? " learned" : " computed");
  return lines;
}

std::string table_findings(const char* model_type, const std::string& config) {
  std::string findings;
  tables_of(model_type, config, PositionScheme::learned, &findings);
  return findings;
}

std::string t5_findings(const std::string& config) {
  GivenConfig given(config);
  ConfigReport report;
  read_t5(given.object, report);
  const std::string findings = given.findings();
  return findings.empty() ? std::to_string(report.views.size()) + " views" : findings;
}

}  // namespace

class ConfigTablesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void lengths_by_family() {
    COMPARE_TEXT(tables_of("gpt2", "{'n_positions': 1024}"), "n_positions 1024 learned");
    COMPARE_TEXT(tables_of("bert", "{}"), "max_position_embeddings 512 learned");
    COMPARE_TEXT(tables_of("opt", "{'max_position_embeddings': 4096}"), "max_position_embeddings 4096 learned");
    COMPARE_TEXT(tables_of("new", "{'n_positions': 77}"), "n_positions 77 learned");
    COMPARE_TEXT(tables_of("new", "{}"), "");
  }

  /// RoBERTa's 514 rows hold 512 positions: numbering begins behind the padding token's row.
  void rows_without_positions_are_subtracted() {
    COMPARE_TEXT(tables_of("roberta", "{'max_position_embeddings': 514}"), "max_position_embeddings 512 learned");
    COMPARE_TEXT(tables_of("roberta", "{'max_position_embeddings': 2}"), "max_position_embeddings 2 learned");
    COMPARE_TEXT(table_findings("roberta", "{'max_position_embeddings': 514}"),
                 "note: max_position_embeddings is 514, the rows of a learned table, 2 of which are not positions: it "
                 "cannot simply be increased: position 512 has no row in the checkpoint");
  }

  /// Whisper: 1500 frames of sound, computed, and 448 tokens of text, learned.
  void models_with_two_tables() {
    COMPARE_TEXT(tables_of("whisper", "{'max_source_positions': 1500}", PositionScheme::sinusoidal),
                 "max_source_positions 1500 computed\nmax_target_positions 448 learned");
    COMPARE_TEXT(tables_of("led", "{'max_encoder_position_embeddings': 16384, 'max_decoder_position_embeddings': 512}"),
                 "max_encoder_position_embeddings 16384 learned\nmax_decoder_position_embeddings 512 learned");
    COMPARE_TEXT(tables_of("speech_to_text", "{}", PositionScheme::sinusoidal),
                 "max_source_positions 6000 computed\nmax_target_positions 1024 computed");
  }

  void a_learned_table_cannot_be_raised_a_computed_one_can() {
    COMPARE_TEXT(table_findings("gpt2", "{'n_positions': 1024}"),
                 "note: n_positions is 1024, the rows of a learned table: it cannot simply be increased: position 1024 "
                 "has no row in the checkpoint");
    std::string findings;
    tables_of("marian", "{'max_position_embeddings': 512}", PositionScheme::sinusoidal, &findings);
    COMPARE_TEXT(findings, "");
  }

  void default_length_is_reported() {
    std::string findings;
    tables_of("xglm", "{}", PositionScheme::sinusoidal, &findings);
    COMPARE_TEXT(findings, "note: max_position_embeddings is not given: 2048 is the default of XGLMConfig");
  }

  void a_wrong_length_is_one_error_and_no_table() {
    COMPARE_TEXT(tables_of("bert", "{'max_position_embeddings': 0}"), "");
    COMPARE_TEXT(table_findings("bert", "{'max_position_embeddings': 0}"),
                 "error: max_position_embeddings is 0 but must be an integer from 1 to 2147483648");
  }

  /// ViT-B/16 at 224 pixels: 14 × 14 patches.
  void patches_of_an_image() {
    COMPARE_TEXT(tables_of("vit", "{'image_size': 224, 'patch_size': 16}"), "image_size 196 learned");
    COMPARE_TEXT(tables_of("vit", "{'image_size': 224, 'patch_size': 14}"), "image_size 256 learned");
    COMPARE_TEXT(
        table_findings("vit", "{'image_size': 224, 'patch_size': 16}"),
        "note: image_size 224 / patch_size 16: a learned row for each of 14 × 14 patches; other sizes need new "
        "or interpolated rows");
    for (const char* none : {"{}", "{'image_size': 224}", "{'image_size': [224, 224], 'patch_size': 16}",
                             "{'image_size': 8, 'patch_size': 16}"})
      COMPARE_TEXT(tables_of("vit", none), "");
  }

  void alibi_needs_its_heads() {
    const auto view_of = [](const char* type, const std::string& config, Index heads) {
      GivenConfig given(config);
      ConfigReport report;
      read_alibi(given.object, find_model_family(type), report);
      if (report.heads != heads || report.views.size() != 1) return std::string("another number of heads");
      const auto& values = report.views[0].values;
      return report.views[0].method + (values.find("num_heads") ? " of its heads" : "") +
             (values.boolean("bidirectional") ? ", both directions" : "");
    };
    COMPARE_TEXT(view_of("bloom", "{'n_head': 32}", 32), "alibi of its heads");
    COMPARE_TEXT(view_of("mpt", "{}", 16), "alibi of its heads");
    COMPARE_TEXT(view_of("bloom", "{}", 0), "alibi");
    COMPARE_TEXT(view_of("jina_bert_v2", "{'num_attention_heads': 12, 'position_embedding_type': 'alibi'}", 12),
                 "alibi of its heads, both directions");
    COMPARE_TEXT(view_of("bert", "{'num_attention_heads': 12, 'alibi_starting_size': 512}", 12),
                 "alibi of its heads, both directions");
  }

  void another_exponent_of_alibi() {
    const auto config_findings = [](const std::string& config) {
      GivenConfig given(config);
      ConfigReport report;
      read_alibi(given.object, find_model_family("mpt"), report);
      return given.findings();
    };
    COMPARE_TEXT(config_findings("{'n_heads': 32, 'attn_config': {'alibi': true, 'alibi_bias_max': 8}}"), "");
    COMPARE_TEXT(
        config_findings("{'n_heads': 32, 'attn_config': {'alibi': true, 'alibi_bias_max': 16}}"),
        "warning: attn_config.alibi_bias_max is 16: the authors' code and vLLM have slopes of 2^(-16(h + 1)/n); "
        "Hugging Face's class and the view shown here have 8 instead of 16");
    QVERIFY(config_findings("{'alibi': true, 'alibi_bias_max': 4.5}").starts_with("warning: alibi_bias_max is 4.5: "));
  }

  /// The encoder has half of the buckets for each direction, the decoder all for one.
  void t5_has_a_view_for_each_side() {
    GivenConfig given("{'relative_attention_num_buckets': 64, 'relative_attention_max_distance': 256}");
    ConfigReport report;
    read_t5(given.object, report);
    QCOMPARE(report.views.size(), std::size_t{2});
    COMPARE_TEXT(report.views[0].title, "T5 buckets of the encoder");
    COMPARE_TEXT(report.views[1].title, "T5 buckets of the decoder");
    QVERIFY(report.views[0].values.boolean("bidirectional") && !report.views[1].values.boolean("bidirectional"));
    for (const auto& view : report.views) {
      COMPARE_TEXT(view.method, "t5_bucket");
      QCOMPARE(view.values.integer("num_buckets"), Index{64});
      QCOMPARE(view.values.integer("max_distance"), Index{256});
    }
  }

  void t5_buckets_that_cannot_be() {
    COMPARE_TEXT(t5_findings("{}"), "2 views");
    COMPARE_TEXT(
        t5_findings("{'relative_attention_num_buckets': 300}"),
        "error: in the decoder max_distance is 128 but must be above the 150 exact buckets that num_buckets = 300 "
        "gives");
    COMPARE_TEXT(t5_findings("{'relative_attention_num_buckets': 1}"),
                 "error: relative_attention_num_buckets is 1 but must be an integer from 2 to 4096");
  }
};

VQSCOPE_TEST(ConfigTablesTest)
#include "config_tables_test.moc"

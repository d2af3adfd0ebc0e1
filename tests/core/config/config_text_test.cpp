// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_text.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ConfigReport report_of_kind(PositionScheme kind) {
  ConfigReport report;
  report.kind = kind;
  return report;
}

/// A RoPE on two pairs, the second divided by 4.
RopeUse small_rope() {
  RopeUse use;
  use.rope_type = use.scaling.rope_type = "linear";
  use.rope_theta = use.scaling.rope_theta = 10000;
  use.scaling.head_dim = 4;
  use.scaling.factor = 4;
  use.scaling.original_max_position_embeddings = 8;
  use.apart = 2;
  use.seq_len = 32;
  use.pairs = {{1, 1, 6.283185307, 1.27323954, 5.09295818, PairFate::kept},
               {0.01, 0.0025, 2513.27412, 0.0127323954, 0.0127323954, PairFate::scaled}};
  return use;
}

const std::string small_summary =
    "rope_type linear, factor 4, rope_theta 10000, 4 of 4 dimensions rotated in half-split pairs (i, i + 2), training "
    "length 8; 2 pairs: 1 kept, 0 blended, 1 scaled; attention logits × 1";

}  // namespace

class ConfigTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// They stand in scripts and in JSON.
  void names() {
    COMPARE_TEXT(severity_name(ConfigSeverity::error), "error");
    COMPARE_TEXT(severity_name(ConfigSeverity::warning), "warning");
    COMPARE_TEXT(severity_name(ConfigSeverity::note), "note");
    std::string uses;
    for (const auto use : {KeyUse::read, KeyUse::ignored, KeyUse::misspelt, KeyUse::unknown, KeyUse::unrelated})
      uses += key_use_name(use) + " ";
    COMPARE_TEXT(uses, "read ignored misspelt unknown unrelated ");
    std::string fates;
    for (const auto fate : {PairFate::kept, PairFate::blended, PairFate::scaled}) fates += fate_name(fate) + " ";
    COMPARE_TEXT(fates, "kept blended scaled ");
    std::string kinds;
    for (int kind = 0; kind <= static_cast<int>(PositionScheme::unknown); ++kind)
      kinds += kind_name(static_cast<PositionScheme>(kind)) + " ";
    COMPARE_TEXT(kinds, "rope t5_buckets alibi learned sinusoidal relative convolutional none unknown ");
  }

  void summaries_of_each_kind() {
    const auto summary = [](PositionScheme kind) { return config_summary(report_of_kind(kind)); };
    COMPARE_TEXT(summary(PositionScheme::t5_buckets), "relative position buckets as in T5");
    COMPARE_TEXT(summary(PositionScheme::alibi), "ALiBi");
    COMPARE_TEXT(summary(PositionScheme::learned), "learned absolute positions");
    COMPARE_TEXT(summary(PositionScheme::sinusoidal), "sinusoidal absolute positions");
    COMPARE_TEXT(summary(PositionScheme::relative), "relative positions");
    COMPARE_TEXT(summary(PositionScheme::convolutional), "a convolution over the frames instead of position encodings");
    COMPARE_TEXT(summary(PositionScheme::none), "no position encoding");
    COMPARE_TEXT(summary(PositionScheme::unknown), "the position encoding is unknown");
    COMPARE_TEXT(summary(PositionScheme::rope), "RoPE with parameters that this config does not define");
  }

  void the_model_its_heads_tables_and_note() {
    auto report = report_of_kind(PositionScheme::alibi);
    report.model_type = "bloom";
    report.heads = 16;
    COMPARE_TEXT(config_summary(report), "bloom: ALiBi, 16 heads");
    report = report_of_kind(PositionScheme::sinusoidal);
    report.model_type = "whisper";
    report.about = "a note";
    report.tables = {{"max_source_positions", {}, 1500, false}, {"max_target_positions", {}, 448, true}};
    COMPARE_TEXT(config_summary(report),
                 "whisper: sinusoidal absolute positions: 1500 positions by max_source_positions, computed; 448 "
                 "positions by max_target_positions, learned; a note");
  }

  void a_rope() {
    auto report = report_of_kind(PositionScheme::rope);
    report.ropes = {small_rope()};
    COMPARE_TEXT(config_summary(report), small_summary);
    auto& use = report.ropes[0];
    use.layers = "full_attention";
    use.interleaved = true;
    use.mrope_section = {1, 0.5, 0.5};
    use.mrope_interleaved = true;
    use.attention_factor = 1.5;
    COMPARE_TEXT(config_summary(report),
                 "full_attention: rope_type linear, factor 4, rope_theta 10000, 4 of 4 dimensions rotated in "
                 "interleaved pairs (2i, 2i + 1), on axes time, height, width: 1, 0.5, 0.5 in turns, training length "
                 "8; 2 pairs: 1 kept, 0 blended, 1 scaled; attention logits × 2.25");
    use = small_rope();
    use.mrope_section = {0.5, 0.5, 0.5, 0.5};
    QVERIFY(config_summary(report).find("on axes position, width, height, time: 0.5, 0.5, 0.5, 0.5,") !=
            std::string::npos);
    use.mrope_section.assign(5, 1);
    QVERIFY(config_summary(report).find("on axes axis 0, axis 1, axis 2, axis 3, axis 4: 1, 1, 1, 1, 1,") !=
            std::string::npos);
    use.mrope_section.assign(100, 1);
    QVERIFY(config_summary(report).find("on axes 0 to 99: 1, 1, 1, 1, 1, 1, 1, …,") != std::string::npos);
    use = small_rope();
    use.alpha = 1000;
    use.scaling.rope_type = "default";
    use.rope_type = "dynamic";
    use.scaling.rope_theta = 11158840;
    QVERIFY(config_summary(report).starts_with(
        "rope_type dynamic, alpha 1000, rope_theta 10000 taken as 1.11588e+07, 4 of 4 dimensions rotated"));
  }

  void layers_that_are_not_alike() {
    auto report = report_of_kind(PositionScheme::rope);
    report.ropes = {small_rope()};
    report.layers = {{"full_attention", 32, 0, false, true}};
    COMPARE_TEXT(config_summary(report), small_summary);  // all are full: nothing to say
    report.layers = {{"sliding_attention", 14, 128, true, true},
                     {"chunked_attention", 3, 8192, false, true},
                     {"full_attention", 8, 0, false, false},
                     {"mamba", 2, 0, false, false}};
    COMPARE_TEXT(config_summary(report).substr(small_summary.size()),
                 "; layers: 14 sliding_attention (window 128, half on either side), 3 chunked_attention (chunks of "
                 "8192), 8 full_attention (no positions), 2 mamba");
  }

  void selecting_layers() {
    auto report = report_of_kind(PositionScheme::rope);
    report.ropes = {small_rope()};
    LayerKind sparse{"full_attention", 57, 0, false, true};
    sparse.attention = LayerAttention::sparse;
    sparse.topk = 2048;
    LayerKind compressed{"compressed_sparse_attention", 3, 0, false, true};
    compressed.attention = LayerAttention::compressed;
    compressed.compress_ratio = 4;
    compressed.topk = 512;
    compressed.local_window = 128;
    report.layers = {sparse, compressed};
    COMPARE_TEXT(config_summary(report).substr(small_summary.size()),
                 "; layers: 57 full_attention (sparse, top 2048), 3 compressed_sparse_attention (compressed 1:4, top "
                 "512, window 128 beside)");
    report.layers = {sparse};
    COMPARE_TEXT(config_summary(report).substr(small_summary.size()), "; layers: 57 full_attention (sparse, top 2048)");
  }

  /// 64 RoPEs of 2048 pairs each, and more keys than anybody reads.
  void a_report_has_at_most_64_kib() {
    auto report = report_of_kind(PositionScheme::rope);
    report.ropes.assign(64, small_rope());
    for (auto& use : report.ropes) use.pairs.assign(2048, small_rope().pairs.front());
    report.findings.assign(1000, {ConfigSeverity::note, "", {}, std::string(400, 'x')});
    report.keys.assign(1000, {std::string(60, 'k'), {}, "1", KeyUse::read, std::string(60, 'n')});
    const std::string text = config_report_text(report);
    QVERIFY(text.size() < 65536);
    QVERIFY(text.find("lines are left out, --json has them") != std::string::npos);
  }

  /// Names of layers are the file's own, and may be long.
  void a_summary_is_one_short_line() {
    auto report = report_of_kind(PositionScheme::rope);
    report.model_type = std::string(300, 'm') + "\n";
    report.layers.assign(20, {std::string(60, 'l'), 1, 7, false, true});
    const std::string summary = config_summary(report);
    QVERIFY(QString::fromStdString(summary).size() == 390 && summary.ends_with("…"));
    QVERIFY(summary.find('\n') == std::string::npos);
  }

  void more_ropes_than_a_line_holds_are_counted() {
    auto report = report_of_kind(PositionScheme::rope);
    report.ropes = {small_rope(), small_rope()};
    QVERIFY(config_summary(report).starts_with(small_summary + "; rope_type linear, factor 4"));
    report.ropes.assign(3, small_rope());
    COMPARE_TEXT(config_summary(report), small_summary + "; and 2 other RoPEs");
  }

  void readers() {
    RopeImplementation reader{.name = "llama.cpp"};
    reader.attention_factor = 1.2;
    reader.softmax_factor = 1.5;
    COMPARE_TEXT(implementation_text(reader), "attention logits × 2.16");
    reader.differing_pair = 20;
    reader.ratio = 0.97;
    COMPARE_TEXT(implementation_text(reader), "attention logits × 2.16; inv_freq of pair 20 × 0.97 of Hugging Face's");
  }

  void the_whole_report() {
    auto report = report_of_kind(PositionScheme::rope);
    report.summary = "the summary";
    report.ropes = {small_rope()};
    report.ropes[0].implementations = {{.name = "Hugging Face", .rule = "as it is", .seq_len = 32}};
    report.findings = {{ConfigSeverity::warning, "rope_scaling.factor", {12, 3}, "something is odd"}};
    report.keys = {{"vocab_size", {1, 1}, "32000", KeyUse::unrelated, ""},
                   {"rope_theta", {2, 1}, "10000", KeyUse::read, ""},
                   {"rope_thetta", {3, 1}, "1", KeyUse::misspelt, "did you mean rope_theta?"}};
    COMPARE_TEXT(config_report_text(report),
                 "the summary\n"
                 "line 12: warning: something is odd\n"
                 "0 errors, 1 warning, 0 notes\n"
                 "\n"
                 "RoPE: 4 of 4 dimensions rotated, computed for 32 tokens, trained on 8\n"
                 "attention factor 1, softmax factor 1: attention logits × 1\n"
                 "pair      inv_freq    wavelength   trained turns   served turns  fate\n"
                 "   0             1       6.28319         1.27324        5.09296  kept\n"
                 "   1        0.0025       2513.27       0.0127324      0.0127324  scaled\n"
                 "\n"
                 "Readers of this config\n"
                 "  Hugging Face, 32 tokens: attention logits × 1\n"
                 "    as it is\n"
                 "\n"
                 "Keys\n"
                 "  read  rope_theta = 10000\n"
                 "  misspelt  rope_thetta = 1 (did you mean rope_theta?)\n"
                 "  1 other key is not known to concern positions\n");
  }
};

VQSCOPE_TEST(ConfigTextTest)
#include "config_text_test.moc"

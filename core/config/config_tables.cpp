// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_parts.h"

#include "core/base/sentence.h"
#include "core/config/family/family_reading.h"
#include "core/config/rope/rope_reading.h"
#include "core/encoding/t5/t5_bucket.h"

namespace vqscope {
namespace {

class TableReader {
 public:
  TableReader(const ConfigObject& config, const ModelFamily& family, ConfigReport& report)
      : m_config(config), m_family(family), m_report(report) {}

  /// Adds the table whose size is under `key`, or `default_value` if it is not given.
  void add(const std::string& key, bool learned, Index default_value) {
    const auto given = m_config.integer(key, lengths);
    if (m_config.has(key) && !given) return;  // already reported
    const Index rows = given.value_or(default_value);
    if (rows == 0) return;
    if (!given) m_config.note(key, m_config.path_of(key) + " is not given: " + default_text(m_family, to_text(rows)));
    const Index kept = rows > m_family.reserved ? m_family.reserved : 0;
    const auto* member = m_config.value().find(key);
    m_report.tables.push_back({key, member ? member->key_place : m_config.value().place, rows - kept, learned});
    if (!learned) return;
    const std::string counted = kept == 0
                                    ? "the rows of a learned table"
                                    : fmt::format("the rows of a learned table, {} of which are not positions", kept);
    m_config.note(key,
                  fmt::format("{} is {}, {}: it cannot simply be increased: position {} has no row in the checkpoint",
                              m_config.path_of(key), rows, counted, rows - kept));
  }

  /// Adds a table with a row for each patch; the row of a class token is not counted.
  void add_patches() {
    const auto side = m_config.value().find("image_size");
    const auto patch = m_config.value().find("patch_size");
    if (!side || !patch || !side->integer() || !patch->integer()) return;
    const auto size = m_config.integer("image_size", lengths);
    const auto step = m_config.integer("patch_size", lengths);
    if (!size || !step || *step > *size) return;
    const Index across = *size / *step;
    m_report.tables.push_back({"image_size", m_config.value().find("image_size")->key_place, across * across, true});
    m_config.note("image_size", fmt::format("{} {} / patch_size {}: a learned row for each of {} × {} patches; other "
                                            "sizes need new or interpolated rows",
                                            m_config.path_of("image_size"), *size, *step, across, across));
  }

 private:
  const ConfigObject& m_config;
  const ModelFamily& m_family;
  ConfigReport& m_report;
};

/// alibi_bias_max of MPT. Sources: attention.py of llm-foundry and
/// vllm/model_executor/models/mpt.py read it; MptModel.forward in modeling_mpt.py of Hugging Face
/// calls build_mpt_alibi_tensor without it.
void report_bias_max(const ConfigObject& config) {
  constexpr double usual = 8;
  const auto given = config.number("alibi_bias_max", {0, 1024, true});
  if (!given || *given == usual) return;
  config.warning("alibi_bias_max",
                 fmt::format("{0} is {1}: the authors' code and vLLM have slopes of 2^(-{1}(h + 1)/n); Hugging Face's "
                             "class and the view shown here have 8 instead of {1}",
                             config.path_of("alibi_bias_max"), plain_text(*given)));
}

}  // namespace

void read_tables(const ConfigObject& config, const ModelFamily& family, ConfigReport& report) {
  TableReader reader(config, family, report);
  const bool learned = report.kind == PositionScheme::learned;
  if (family.positions_key == "image_size") return reader.add_patches();
  reader.add(length_key(config, family), learned, family.positions);
  if (family.model_type == "whisper") reader.add("max_target_positions", true, 448);
  if (family.model_type == "speech_to_text") reader.add("max_target_positions", false, 1024);
  if (family.model_type == "led") reader.add("max_decoder_position_embeddings", true, 1024);
}

void read_alibi(const ConfigObject& config, const ModelFamily& family, ConfigReport& report) {
  const std::string key = config.first_of({"num_attention_heads", "n_head", "n_heads", "num_heads"});
  report.heads = config.integer(key, head_counts).value_or(family.heads);
  config.take(length_key(config, family));
  report_bias_max(config);
  if (const auto* inner = config.take("attn_config"); inner && inner->object())
    report_bias_max(ConfigObject(*inner, config.path_of("attn_config"), config.ledger()));
  ConfigView view{"ALiBi", "alibi", {}};
  if (report.heads > 0) view.values.set("num_heads", report.heads);
  const bool encoder = config.has("position_embedding_type") || config.has("alibi_starting_size");
  view.values.set("bidirectional", encoder);
  report.views.push_back(std::move(view));
}

void read_t5(const ConfigObject& config, ConfigReport& report) {
  T5Buckets buckets{.num_buckets = config.integer("relative_attention_num_buckets", {2, 4096}).value_or(32),
                    .max_distance = config.integer("relative_attention_max_distance", {2, 2147483648.0}).value_or(128)};
  for (const bool bidirectional : {true, false}) {
    buckets.bidirectional = bidirectional;
    if (auto checked = buckets.check(); !checked) {
      report.views.clear();
      return config.error("relative_attention_num_buckets",
                          (bidirectional ? "in the encoder " : "in the decoder ") + checked.error().message);
    }
    ConfigView view{bidirectional ? "T5 buckets of the encoder" : "T5 buckets of the decoder", "t5_bucket", {}};
    view.values.set("num_buckets", buckets.num_buckets);
    view.values.set("max_distance", buckets.max_distance);
    view.values.set("bidirectional", bidirectional);
    report.views.push_back(std::move(view));
  }
}

}  // namespace vqscope

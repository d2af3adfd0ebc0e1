// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/checkpoint/checkpoint_check.h"

#include "core/base/sentence.h"
#include "core/config/config_parts.h"
#include "core/config/family/family_reading.h"
#include "core/config/family/model_family_row.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t most_contradictions = 20;
constexpr std::size_t most_problems = 5;

/// Classes that normalise queries and keys of every layer, and classes that do not; the last of each
/// list are names of llama.cpp.
constexpr std::string_view with_norms[]{
    "qwen3", "qwen3_moe", "gemma3", "gemma3_text",      "olmo2",    "olmo3",        "exaone4",
    "dots1", "apertus",   "olmoe",  "hunyuan_v1_dense", "qwen3moe", "hunyuan-dense"};
constexpr std::string_view without_norms[]{"llama",   "mistral", "mixtral",    "qwen2",    "qwen2_moe", "phi3",
                                           "gemma",   "gemma2",  "starcoder2", "gpt_neox", "smollm3",   "gpt_oss",
                                           "granite", "olmo",    "gpt2",       "qwen2moe", "gpt-oss",   "gptneox"};
/// Classes whose output layer is not that of the embeddings unless the config says so.
constexpr std::string_view untied[]{"llama", "mistral", "mixtral", "qwen2", "qwen2_moe",   "qwen3",
                                    "phi3",  "olmo",    "olmo2",   "olmo3", "deepseek_v3", "gpt_neox"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::count(names, name) > 0;
}

class CheckpointCheck {
 public:
  CheckpointCheck(const ConfigObject& config, const ModelFamily& family, const ConfigReport& report,
                  const Checkpoint& checkpoint)
      : m_config(config),
        m_family(family),
        m_report(report),
        m_checkpoint(checkpoint),
        m_model(find_model_tensors(checkpoint)) {}

  void run() {
    report_files();
    if (m_checkpoint.tensors.empty()) return;
    m_hidden = width();
    check_layers();
    check_vocabulary();
    check_output();
    check_heads();
    check_norms();
  }

 private:
  void report_files() const {
    for (std::size_t i = 0; i < std::min(m_checkpoint.problems.size(), most_problems); ++i)
      m_config.error("", "the checkpoint: " + m_checkpoint.problems[i]);
    if (const auto& missing = m_checkpoint.missing; !missing.empty())
      m_config.note("", fmt::format("the checkpoint lacks {}{} of {} files{}: the shapes in {} are not known",
                                    shortened(missing.front(), 100),
                                    missing.size() > 1 ? fmt::format(" and {} more", missing.size() - 1) : "",
                                    missing.size() + m_checkpoint.files.size(),
                                    m_checkpoint.has_pointers ? ", pointers of Git LFS are in their place" : "",
                                    missing.size() > 1 ? "them" : "it"));
    if (const auto& unread = m_checkpoint.unread; !unread.empty())
      m_config.note("",
                    fmt::format("{}{} not read for shapes, only safetensors files and whole torch files are",
                                shortened(unread.front(), 100),
                                unread.size() > 1 ? fmt::format(" and {} more files are", unread.size() - 1) : " is"));
  }

  Index given(std::initializer_list<std::string_view> keys) const {
    for (const auto key : keys)
      if (const auto* value = m_config.value().find(key)) return value->integer().value_or(0);
    return 0;
  }

  /// The config's, or that of the embeddings if a projection has it too.
  Index width() const {
    Index said = given({"hidden_size", "n_embd", "d_model", "dim"});
    if (said == 0) said = m_family.hidden_size;
    const auto* embedding = m_model.embedding;
    if (!embedding || !embedding->read || embedding->shape.size() != 2) return said;
    const Index has = embedding->shape[1];
    if (said == has || said == 0) return has;
    const auto is_wide = [&](const auto& each) {
      const auto* queries =
          each.second[AttentionRole::q] ? each.second[AttentionRole::q] : each.second[AttentionRole::qkv];
      return queries && queries->read && queries->shape.size() == 2 && std::ranges::count(queries->shape, has) > 0;
    };
    if (!std::ranges::any_of(m_model.attention, is_wide)) return said;
    contradict({m_config.first_of({"hidden_size", "n_embd", "d_model", "dim"}), to_text(said),
                fmt::format("has {} columns", has), embedding});
    return has;
  }

  void contradict(const Contradiction& each) const {
    const auto* value = m_config.value().find(each.key);
    const std::string implied = each.said == "0" ? "" : ", which means " + each.said;
    const std::string said =
        m_config.has(each.key) ? "says " + each.said : (value ? "says null" : "does not say it") + implied;
    m_config.error(each.key, fmt::format("{}: the config {}, {} of the checkpoint {}", m_config.path_of(each.key), said,
                                         tensor_text(*each.tensor), each.has));
  }

  void check_layers() const {
    const Index count = std::ssize(m_report.schedule.layers);
    if (count == 0 || m_model.layers.empty()) return;
    const std::string key = m_config.first_of({"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_blocks",
                                               "encoder_layers", "num_transformer_layers"});
    const Index further = std::max<Index>(given({"num_nextn_predict_layers", "num_mtp_layers"}), 0);
    const auto what = layer_contradiction(m_model, {count, further, m_checkpoint.names_all() ? count : 0});
    if (what.empty()) return;
    const std::string said = m_config.has(key) ? "says " : "does not say it, which means ";
    m_config.error(key,
                   fmt::format("{}: the config {}{}, the checkpoint {}", m_config.path_of(key), said, count, what));
  }

  void check_vocabulary() const {
    const std::string key = m_config.first_of({"padded_vocab_size", "vocab_size", "n_vocab"});
    const Index said = given({key});
    const auto* embedding = m_model.embedding;
    if (said < 1 || !embedding || !embedding->read || embedding->shape.size() != 2) return;
    const Index rows = embedding->shape[0];
    if (rows != said) contradict({key, to_text(said), fmt::format("has {} rows", rows), embedding});
  }

  bool has_output_layer() const {
    const auto name = class_of_config(m_config.value());
    return name.ends_with("ForCausalLM") || name.ends_with("LMHeadModel");
  }

  void check_output() const {
    const auto* value = m_config.value().find("tie_word_embeddings");
    const bool* tied = value ? value->boolean() : nullptr;
    const auto* output = m_model.output;
    if (tied && *tied && output && m_model.embedding)
      return m_config.warning(
          "tie_word_embeddings",
          fmt::format("{}: the config says true, but the checkpoint has {} of its own, which readers "
                      "replace by {}",
                      m_config.path_of("tie_word_embeddings"), tensor_text(*output),
                      shortened(m_model.embedding->name)));
    const bool own = tied ? !*tied : is_one_of(m_report.model_type, untied);
    if (!own || output || !m_model.embedding || !m_checkpoint.names_all()) return;
    if (tied == nullptr && !has_output_layer()) return;
    m_config.error(
        "tie_word_embeddings",
        fmt::format("{}: the config {}, but the checkpoint has no lm_head.weight: readers stop with an error "
                    "or begin with random weights",
                    m_config.path_of("tie_word_embeddings"),
                    tied ? "says false" : "does not say it, which means false"));
  }

  void check_heads() const {
    std::vector<Contradiction> all;
    const auto& layers = m_report.schedule.layers;
    for (const auto& [number, tensors] : m_model.attention) {
      if (number >= std::ssize(layers) || !attends(layers[static_cast<std::size_t>(number)].name)) continue;
      for (auto& each : compare_heads(m_config, m_family, layers[static_cast<std::size_t>(number)], tensors, m_hidden))
        all.push_back(std::move(each));
    }
    for (const auto& each : grouped_contradictions(all)) contradict(each);
  }

  /// Whether the class normalises queries and keys; nothing: it depends, or is not known.
  std::optional<bool> expects_norms() const {
    const auto* value = m_config.value().find("use_qk_norm");
    if (value && value->boolean() && m_report.model_type != "llama4_text") return *value->boolean();
    return normalises_queries(m_report.model_type);
  }

  void check_norms() const {
    const auto expected = expects_norms();
    if (!expected || m_model.attention.empty()) return;
    const auto* norm = first_norm(m_model);
    const std::string key = m_config.has("use_qk_norm") ? "use_qk_norm" : "model_type";
    const std::string said = key == "model_type" ? fmt::format("{} {} queries and keys", m_report.model_type,
                                                               *expected ? "normalises" : "does not normalise")
                                                 : fmt::format("the config says {}", *expected);
    if (!*expected && norm)
      m_config.error(key, fmt::format("{}: {}, but the checkpoint has {}, which is not read", m_config.path_of(key),
                                      said, tensor_text(*norm)));
    if (*expected && !norm && m_checkpoint.names_all())
      m_config.error(key,
                     fmt::format("{}: {}, but the checkpoint has no q_norm and k_norm", m_config.path_of(key), said));
  }

  const ConfigObject& m_config;
  const ModelFamily& m_family;
  const ConfigReport& m_report;
  const Checkpoint& m_checkpoint;
  CheckpointModel m_model;
  Index m_hidden = 0;
};

}  // namespace

std::vector<Contradiction> grouped_contradictions(const std::vector<Contradiction>& all) {
  std::map<Contradiction, std::size_t> counts;
  std::vector<Contradiction> found;
  for (const auto& each : all)
    if (++counts[each] == 1 && found.size() < most_contradictions) found.push_back(each);
  for (auto& each : found) {
    const std::size_t others = counts[each] - 1;
    if (others > 0) each.has += fmt::format(", as in {} other {}", others, others == 1 ? "layer" : "layers");
  }
  return found;
}

std::string layer_contradiction(const CheckpointModel& model, const LayerCount& count) {
  if (model.layers.empty()) return {};
  const std::string prefix = shortened(model.prefix);
  const Index last = *model.layers.rbegin();
  if (last >= count.said && last - count.said >= count.further)
    return fmt::format("has {} layers, {}0 to {}{}", last + 1, prefix, prefix, last);
  std::vector<Index> lacking;
  for (Index layer = 0; layer < count.needed; ++layer)
    if (!model.layers.contains(layer)) lacking.push_back(layer);
  if (lacking.empty()) return {};
  const Index has = count.needed - std::ssize(lacking);
  return fmt::format("has {} {}, it lacks {}{}{}", has, has == 1 ? "layer" : "layers", prefix, lacking.front(),
                     lacking.size() > 1 ? fmt::format(" and {} more", lacking.size() - 1) : "");
}

const CheckpointTensor* first_norm(const CheckpointModel& model) {
  for (const auto& [number, tensors] : model.attention)
    for (const auto role : {AttentionRole::q_norm, AttentionRole::k_norm})
      if (tensors[role]) return tensors[role];
  return nullptr;
}

std::optional<bool> normalises_queries(std::string_view model_type) {
  if (is_one_of(model_type, with_norms)) return true;
  return is_one_of(model_type, without_norms) ? std::optional(false) : std::nullopt;
}

void check_checkpoint(const ConfigObject& config, const ModelFamily& family, const ConfigReport& report,
                      const Checkpoint& checkpoint) {
  CheckpointCheck(config, family, report, checkpoint).run();
}

}  // namespace vqscope

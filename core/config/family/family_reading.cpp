// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/family/family_reading.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope {
namespace {

/// Classes that several families use on purpose, with a model_type of their own.
bool shares_class(std::string_view model_type, std::string_view of_class) {
  constexpr std::pair<std::string_view, std::string_view> sharing[]{
      {"camembert", "roberta"}, {"xlm-roberta", "roberta"}, {"ministral", "mistral"}, {"glm46v", "glm4v_text"}};
  return std::ranges::find(sharing, std::pair(model_type, of_class)) != std::end(sharing);
}

// Source of each row: __post_init__ in configuration_*.py of Hugging Face transformers 5.

constexpr std::pair<std::string_view, std::string_view> scalings[]{
    {"apertus",
     R"({"rope_type": "llama3", "rope_theta": 12000000.0, "factor": 8.0, "original_max_position_embeddings": 8192, )"
     R"("low_freq_factor": 1.0, "high_freq_factor": 4.0})"},
    {"cwm",
     R"({"rope_type": "llama3", "rope_theta": 1000000.0, "factor": 16.0, "original_max_position_embeddings": 8192, )"
     R"("low_freq_factor": 1.0, "high_freq_factor": 4.0})"},
    {"gemma4_text",
     R"({"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0}, )"
     R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"gemma4_unified_text",
     R"({"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0}, )"
     R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"diffusion_gemma_text",
     R"({"full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000000.0}, )"
     R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"openai_privacy_filter",
     R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false, )"
     R"("original_max_position_embeddings": 4096})"},
    {"zaya", R"({"hybrid": {"rope_type": "default", "rope_theta": 5000000.0, "partial_rotary_factor": 0.5}, )"
             R"("hybrid_sliding": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}})"},
    {"gpt_oss", R"({"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false, )"
                R"("original_max_position_embeddings": 4096})"},
    {"higgs_audio_v2",
     R"({"rope_type": "llama3", "rope_theta": 500000.0, "factor": 32.0, "original_max_position_embeddings": 1024, )"
     R"("low_freq_factor": 0.125, "high_freq_factor": 0.5})"},
    {"laguna", R"({"full_attention": {"rope_type": "default", "rope_theta": 500000.0, "partial_rotary_factor": 0.5}, )"
               R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"mellum", R"({"full_attention": {"rope_type": "default", "rope_theta": 500000.0}, )"
               R"("sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}})"},
    {"ministral3",
     R"({"rope_type": "yarn", "rope_theta": 1000000.0, "factor": 16.0, "original_max_position_embeddings": 16384, )"
     R"("beta_fast": 32.0, "beta_slow": 1.0, "mscale_all_dim": 1.0, "mscale": 1.0, "llama_4_scaling_beta": 0.1})"},
    {"mistral4",
     R"({"rope_type": "yarn", "rope_theta": 10000.0, "factor": 128.0, "original_max_position_embeddings": 8192, )"
     R"("beta_fast": 32.0, "beta_slow": 1.0, "mscale_all_dim": 1.0, "mscale": 1.0, "llama_4_scaling_beta": 0.1})"},
};

constexpr NumberRange ratios{0, 1e6, true};

/// Objects that contain theta in some configs, with its key there.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> theta_objects{
    {{"attn_config", "rope_theta"}, {"rotary", "base"}}};

/// From a list with one value per layer: that of `layer`, or the last one.
std::optional<double> listed_theta(const ConfigObject& config, const std::string& key, const ConfigValue::List& list,
                                   Index layer) {
  const std::string path = config.path_of(key);
  const auto item = static_cast<std::size_t>(std::min<Index>(layer, std::ssize(list) - 1));
  const auto theta = list[item].number();
  if (!theta || !thetas.holds(*theta)) {
    config.error(
        key, fmt::format("item {} of {} is {} but must be a number {}", item, path, list[item].shown(), thetas.text()));
    return std::nullopt;
  }
  config.note(key, fmt::format("{} is a list with one value per layer: that of layer {} is used", path, item));
  return theta;
}

// Source of the names: the mask of each model in modeling_*.py of Hugging Face transformers, or of
// the model's repository.

constexpr std::string_view encoders[]{
    // Text encoders with a table of positions.
    "albert", "align_text_model", "altclip_text_model", "bert", "bert-generation", "big_bird", "blip_text_model",
    "bridgetower_text_model", "bros", "camembert", "canine", "chinese_clip_text_model", "clap_text_model", "convbert",
    "data2vec-text", "distilbert", "dpr", "electra", "ernie", "flaubert", "flava_text_model", "fnet", "ibert",
    "layoutlm", "layoutlmv2", "layoutlmv3", "layoutxlm", "lilt", "longformer", "luke", "lxmert", "markuplm",
    "megatron-bert", "mobilebert", "mra", "nystromformer", "rembert", "roberta", "roberta-prelayernorm", "roc_bert",
    "sam3_lite_text_text_model", "siglip2_text_model", "siglip_text_model", "splinter", "squeezebert", "tapas",
    "tipsv2_text_model", "tvp", "vilt", "visual_bert", "xlm", "xlm-roberta", "xlm-roberta-xl", "xmod", "yoso",
    // Text encoders with RoPE, ALiBi or a relative encoding.
    "deberta", "deberta-v2", "dia_encoder", "esm", "eurobert", "funnel", "jina_bert_v2", "jina_embeddings_v3",
    "modernbert", "mpnet", "neobert", "nomic_bert", "openai_privacy_filter", "roformer", "vits", "xlnet",
    // Encoders of models that also have a decoder.
    "bart", "bigbird_pegasus", "blenderbot", "blenderbot-small", "fsmt", "led", "longt5", "m2m_100", "marian", "mbart",
    "mt5", "mvp", "nllb-moe", "pegasus", "pegasus_x", "plbart", "pop2piano", "prophetnet", "seamless_m4t",
    "seamless_m4t_v2", "speecht5", "speech_to_text", "switch_transformers", "t5", "udop", "umt5", "whisper",
    // Encoders of images and sound.
    "beit", "clip_vision_model", "data2vec-audio", "deit", "dinov2", "dinov2_with_registers", "dinov3_vit",
    "donut-swin", "hubert", "ijepa", "maskformer-swin", "pixtral", "sew", "sew-d", "siglip_vision_model", "swin",
    "swinv2", "unispeech", "unispeech-sat", "vit", "vit_mae", "vit_msn", "wav2vec2", "wav2vec2-bert",
    "wav2vec2-conformer", "wavlm", "yolos"};

}  // namespace

std::string_view class_of_config(const ConfigValue& root) {
  const auto* given = root.find("architectures");
  if (!given || !given->list() || given->list()->empty() || !given->list()->front().text()) return {};
  return *given->list()->front().text();
}

const ModelFamily* contradicting_family(const ConfigValue& root, std::string_view model_type) {
  const ModelFamily& of_type = find_model_family(model_type);
  const ModelFamily& of_class = find_family_of_class(class_of_config(root));
  if (!of_type.known() || of_type.remote() || !of_class.known() || root.find("auto_map")) return nullptr;
  const bool same = of_type.source == of_class.source || shares_class(of_type.model_type, of_class.model_type);
  return same ? nullptr : &of_class;
}

std::string_view class_scaling(std::string_view model_type) {
  const auto* found = std::ranges::find(scalings, model_type, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(scalings) ? std::string_view() : found->second;
}

std::string length_key(const ConfigObject& config, const ModelFamily& family) {
  const std::string own(family.positions_key);
  const std::string usual =
      config.first_of({"max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "seq_length",
                       "max_context_length", "model_max_length", "max_seq_length", "max_seqlen", "n_ctx"});
  return !own.empty() && (config.has(own) || !config.has(usual)) ? own : usual;
}

ConfigTheta read_config_theta(const ConfigObject& config, const std::string& key, Index layer) {
  ConfigTheta theta{key, {}, 1};
  if (key != "rope_theta") {
    const auto* own = config.take(key);
    const bool listed = own && own->list() && !own->list()->empty();
    theta.value = listed ? listed_theta(config, key, *own->list(), layer) : config.number(key, thetas);
    return theta;
  }
  theta.key = config.first_of(
      {"rope_theta", "rotary_emb_base", "rope_base", "rotary_base", "rope_freq_constant", "rope_embedding_base"});
  const auto* given = config.take(theta.key);
  if (given && given->list() && !given->list()->empty()) {
    theta.value = listed_theta(config, theta.key, *given->list(), layer);
  } else {
    theta.value = config.number(theta.key, thetas);
  }
  if (config.has("rope_ratio")) theta.ratio = config.number("rope_ratio", ratios).value_or(1);
  for (const auto& [object, inside] : theta_objects) {
    const auto* inner = given ? nullptr : config.value().find(object);
    if (!inner || !inner->object() || !inner->find(inside)) continue;
    config.take(object);
    const ConfigObject nested(*inner, config.path_of(object), config.ledger());
    theta.value = nested.number(inside, thetas);
  }
  return theta;
}

bool sees_both_ways(const ConfigObject& config, const ModelFamily& family) {
  const auto has_value = [&](std::string_view key, bool value) {
    const auto* given = config.take(key);
    return given && given->boolean() && *given->boolean() == value;
  };
  const auto* switched = config.take("use_bidirectional_attention");
  if (switched && switched->text() && *switched->text() == "all") return true;
  if (has_value("use_bidirectional_attention", true) || has_value("is_causal", false)) return true;
  if (std::ranges::find(encoders, family.model_type) == std::end(encoders)) return false;
  return !has_value("is_decoder", true) && !has_value("causal", true);
}

}  // namespace vqscope

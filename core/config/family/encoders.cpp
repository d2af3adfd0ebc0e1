// SPDX-License-Identifier: GPL-3.0-or-later
// Source of the names: the mask of each model in modeling_*.py of Hugging Face transformers, or of the model's
// repository.
#include "core/config/family/encoders.h"

#include "core/config/family/model_family.h"

#include <algorithm>

namespace vqscope {
namespace {

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

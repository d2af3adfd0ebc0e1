// SPDX-License-Identifier: GPL-3.0-or-later
// Biases by distance, relative encodings, and models of images and sound. Source of each row:
// modeling_*.py of Hugging Face transformers, or of the model's repository if no class is named.
#include "core/config/family/model_family_row.h"

#include <algorithm>

namespace vqscope {
namespace {

FamilyRow buckets(std::string_view type, std::string_view origin, std::string_view note = "") {
  return FamilyRow(type, origin, PositionScheme::t5_buckets).noted(note);
}
FamilyRow relative(std::string_view type, std::string_view origin, std::string_view note) {
  return FamilyRow(type, origin, PositionScheme::relative).noted(note);
}
/// Images: one learned row per patch.
FamilyRow patches(std::string_view type, std::string_view origin, std::string_view note = "") {
  return FamilyRow(type, origin, PositionScheme::learned).length_in("image_size").noted(note);
}
FamilyRow sound(std::string_view type, std::string_view origin, std::string_view note = "") {
  return FamilyRow(type, origin, PositionScheme::convolutional).noted(note);
}

constexpr std::string_view window_bias = "a learned bias by distance within each window of the image";

const std::vector<ModelFamily> other_rows{
    buckets("t5", "T5Config"),
    buckets("mt5", "MT5Config"),
    buckets("umt5", "UMT5Config", "each layer has a table of its own; T5 shares that of its first layer"),
    buckets("longt5", "LongT5Config"),
    buckets("switch_transformers", "SwitchTransformersConfig"),
    buckets("pix2struct_text_model", "Pix2StructTextConfig"),
    buckets("pop2piano", "Pop2PianoConfig"),
    buckets("udop", "UdopConfig", "boxes also have buckets of their own"),
    buckets("mpnet", "MPNetConfig", "also a learned table of absolute positions"),
    FamilyRow("bloom", "BloomConfig", PositionScheme::alibi),
    FamilyRow("mpt", "MptConfig", PositionScheme::alibi, {2048, 16, 0, 2048, 24}),
    relative("deberta", "DebertaConfig", "disentangled content-to-position and position-to-content scores"),
    relative("deberta-v2", "DebertaV2Config",
             "disentangled scores; position_buckets are spaced logarithmically, as in T5"),
    relative("sew-d", "SEWDConfig", "disentangled scores as in DeBERTa"),
    relative("xlnet", "XLNetConfig", "relative sinusoids with two learned biases, as in Transformer-XL"),
    relative("transfo-xl", "TransfoXLConfig", "relative sinusoids with two learned biases"),
    relative("funnel", "FunnelConfig", "relative sinusoids with two learned biases, as in Transformer-XL"),
    relative("wav2vec2-bert", "Wav2Vec2BertConfig",
             "position_embeddings_type: a learned row for each clipped distance"),
    relative("wav2vec2-conformer", "Wav2Vec2ConformerConfig", "relative sinusoids, as in Transformer-XL"),
    relative("cpmant", "CpmAntConfig",
             "a learned bias by position_bias_num_buckets buckets of the distance as in T5, and by segment"),
    relative("speecht5", "SpeechT5Config",
             "a learned row for each distance, clipped at encoder_max_relative_position, beside sinusoids of text"),
    relative("vits", "VitsConfig", "a learned row for each distance up to window_size, for keys and for values"),
    FamilyRow("inkling_text", "InklingTextConfig", PositionScheme::relative, {6144, 64, 128, 131072, 66})
        .kv(8)
        .slides(LayerRule::last_full, 512, 6)
        .noted("queries choose a learned bias by distance, up to rel_extent or the window; no bias beyond it"),
    relative("swin", "SwinConfig", window_bias),
    relative("swinv2", "Swinv2Config", "a bias by log-spaced distance, from a small network"),
    relative("donut-swin", "DonutSwinConfig", window_bias),
    relative("maskformer-swin", "MaskFormerSwinConfig", window_bias),
    relative("beit", "BeitConfig", "a learned bias by distance in the image"),
    FamilyRow("reformer", "ReformerConfig", PositionScheme::learned, {.positions = 4096})
        .noted("two learned tables by axis if axial_pos_embds is true"),
    patches("vit", "ViTConfig"),
    patches("deit", "DeiTConfig", "one more row for the distillation token"),
    patches("vit_mae", "ViTMAEConfig"),
    patches("dinov2", "Dinov2Config", "interpolated for other sizes of the image"),
    patches("dinov2_with_registers", "Dinov2WithRegistersConfig", "interpolated for other sizes of the image"),
    patches("ijepa", "IJepaConfig"),
    patches("vit_msn", "ViTMSNConfig"),
    patches("clip_vision_model", "CLIPVisionConfig"),
    patches("siglip_vision_model", "SiglipVisionConfig"),
    patches("yolos", "YolosConfig"),
    FamilyRow("dinov3_vit", "DINOv3ViTConfig", PositionScheme::rope, {384, 6, 0, 0, 12})
        .base(100)
        .noted("two axes: half of the pairs rotate by the row of a patch, half by its column"),
    FamilyRow("pixtral", "PixtralVisionConfig", PositionScheme::rope, {1024, 16, 0, 0, 24})
        .noted("two axes: half of the pairs rotate by the row of a patch, half by its column"),
    sound("wav2vec2", "Wav2Vec2Config"),
    sound("hubert", "HubertConfig"),
    sound("data2vec-audio", "Data2VecAudioConfig"),
    sound("unispeech", "UniSpeechConfig"),
    sound("unispeech-sat", "UniSpeechSatConfig"),
    sound("sew", "SEWConfig"),
    sound("wavlm", "WavLMConfig", "also num_buckets gated buckets by distance, as in T5"),
};

/// The text model inside, if its object names none: the default of the outer class.
constexpr std::pair<std::string_view, std::string_view> inner_types[]{
    {"gemma3", "gemma3_text"},
    {"gemma3n", "gemma3n_text"},
    {"gemma4", "gemma4_text"},
    {"paligemma", "gemma"},
    {"colpali", "gemma"},
    {"llama4", "llama4_text"},
    {"mllama", "mllama_text_model"},
    {"llava", "llama"},
    {"llava_next", "llama"},
    {"llava_next_video", "llama"},
    {"llava_onevision", "qwen2"},
    {"video_llava", "llama"},
    {"vipllava", "llama"},
    {"idefics2", "mistral"},
    {"idefics3", "llama"},
    {"smolvlm", "llama"},
    {"mistral3", "mistral"},
    {"aria", "aria_text"},
    {"emu3", "emu3_text_model"},
    {"fuyu", "persimmon"},
    {"qwen2_vl", "qwen2_vl_text"},
    {"qwen2_5_vl", "qwen2_5_vl_text"},
    {"qwen3_vl", "qwen3_vl_text"},
    {"qwen3_vl_moe", "qwen3_vl_moe_text"},
    {"qwen3_5", "qwen3_5_text"},
    {"qwen3_5_moe", "qwen3_5_moe_text"},
    {"qwen4_exp", "qwen4_exp_text"},
    {"glm5_next", "glm5_next_text"},
    {"qwen2_audio", "qwen2"},
    {"internvl", "qwen2"},
    {"glm4v", "glm4v_text"},
    {"glm4v_moe", "glm4v_moe_text"},
    {"ernie4_5_vl_moe", "ernie4_5_vl_moe_text"},
    {"kimi_vl", "deepseek_v3"},
    {"kimi_k25", "kimi_k2"},
    {"blip-2", "opt"},
    {"instructblip", "opt"},
    {"clip", "clip_text_model"},
    {"siglip", "siglip_text_model"},
    {"siglip2", "siglip2_text_model"},
    {"chinese_clip", "chinese_clip_text_model"},
    {"blip", "blip_text_model"},
    {"pix2struct", "pix2struct_text_model"},
    {"minimax_m3_vl", "minimax_m3"},
    {"paddleocr_vl", "paddleocr_vl_text"},
    {"granite4_vision", "granite4_vision_text"},
    {"qwen3_omni_moe_thinker", "qwen3_omni_moe_text"},
    {"qwen2_5_omni_thinker", "qwen2_5_omni_text"},
    {"aimv2", "aimv2_text_model"},
    {"align", "align_text_model"},
    {"altclip", "altclip_text_model"},
    {"clap", "clap_text_model"},
    {"clipseg", "clipseg_text_model"},
    {"groupvit", "groupvit_text_model"},
    {"owlvit", "owlvit_text_model"},
    {"owlv2", "owlv2_text_model"},
    {"xclip", "xclip_text_model"},
    {"kosmos-2", "kosmos_2_text_model"},
    {"aya_vision", "cohere2"},
    {"cohere2_vision", "cohere2"},
    {"cohere_compass", "cohere_compass_text"},
    {"deepseek_vl", "llama"},
    {"deepseek_vl_hybrid", "llama"},
    {"deepseek_vl_v2", "deepseek_v2"},
    {"florence2", "bart"},
    {"glm46v", "glm4v_text"},
    {"got_ocr2", "qwen2"},
    {"granite_speech", "granite"},
    {"hunyuan_vl", "hunyuan_vl_text"},
    {"instructblipvideo", "opt"},
    {"janus", "llama"},
    {"lfm2_vl", "lfm2"},
    {"ovis2", "qwen2"},
    {"perception_lm", "llama"},
    {"shieldgemma2", "gemma3_text"},
    {"audioflamingo3", "qwen2"},
    {"colmodernvbert", "modernbert"},
    {"colqwen2", "qwen2_vl_text"},
    {"cosmos3_edge", "cosmos3_edge_text"},
    {"cosmos3_omni", "qwen3_vl_text"},
    {"deepseek_ocr2", "deepseek_ocr2_text"},
    {"diffusion_gemma", "diffusion_gemma_text"},
    {"exaone4_5", "exaone4"},
    {"fast_vlm", "qwen2"},
    {"gemma4_assistant", "gemma4_text"},
    {"gemma4_unified", "gemma4_unified_text"},
    {"gemma4_unified_assistant", "gemma4_unified_text"},
    {"glm_image", "glm_image_text"},
    {"glm_ocr", "glm_ocr_text"},
    {"glmasr", "llama"},
    {"glmga", "glm4v_text"},
    {"granite_speech_plus", "granite"},
    {"inkling_mm_model", "inkling_text"},
    {"kosmos-2.5", "kosmos_2_5_text_model"},
    {"lighton_ocr", "qwen3"},
    {"metaclip_2", "metaclip_2_text_model"},
    {"minicpmv4_6", "qwen3_5_text"},
    {"modernvbert", "modernbert"},
    {"muse_glimmer", "muse_glimmer_text"},
    {"musicflamingo", "qwen2"},
    {"pp_chart2table", "qwen2"},
    {"qianfan_ocr", "qwen3"},
    {"qwen3_asr", "qwen3"},
    {"tipsv2", "tipsv2_text_model"},
    {"vibevoice_asr", "qwen2"},
    {"videoprism", "videoprism_text_model"},
    {"voxtral_realtime", "voxtral_realtime_text"},
    {"step3p7", "step3p5"},
    {"ultravox", "llama"},
    {"video_llama_3", "qwen2"},
    {"voxtral", "llama"},
};

}  // namespace

std::span<const ModelFamily> other_families() { return other_rows; }

std::string_view inner_model_type(std::string_view model_type) {
  const auto* found = std::ranges::find(inner_types, model_type, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(inner_types) ? std::string_view() : found->second;
}

}  // namespace vqscope

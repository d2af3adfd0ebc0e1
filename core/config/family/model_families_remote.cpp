// SPDX-License-Identifier: GPL-3.0-or-later
// Models with code of their own. Source of each row: modeling_*.py of the model's repository, or
// the implementation in vLLM (model_executor/models) if that is the code in use.
#include "core/config/family/model_family_row.h"

namespace vqscope {
namespace {

using enum LayerRule;
using enum LayersWithoutRope;

FamilyRow rope_of(std::string_view type, FamilySizes sizes = {}) { return rope_row(type, "", sizes); }
FamilyRow alibi_of(std::string_view type, std::string_view note = "") {
  return FamilyRow(type, "", PositionScheme::alibi).noted(note);
}
FamilyRow state_of(std::string_view type) {
  return FamilyRow(type, "", PositionScheme::none)
      .slides(stateful, 0)
      .noted("no softmax attention: a recurrent state carries the order");
}
FamilyRow linear_of(std::string_view type) {
  return FamilyRow(type, "", PositionScheme::none)
      .slides(recurrent, 0)
      .noted("latent attention without RoPE on some layers; the others have a state that carries the order");
}

const std::vector<ModelFamily> remote_rows{
    // Decoders like Llama.
    rope_of("Yi"),
    rope_of("aquila"),
    rope_of("arctic"),
    rope_of("baichuan"),
    rope_of("bailing_moe"),
    rope_of("codeshell").length_in("n_positions"),
    rope_of("cogvlm"),
    rope_of("dbrx").base(5e5).length_in("max_seq_len"),
    rope_of("deci"),
    rope_of("deepseek"),
    rope_of("exaone"),
    rope_of("grok-1"),
    rope_of("hf_olmo").length_in("max_sequence_length"),
    rope_of("hunyuan").with(&ModelFamily::alpha, true),
    rope_of("internlm"),
    rope_of("internlm2"),
    rope_of("internlm3"),
    rope_of("llava_llama"),
    rope_of("llava_mistral").slides(windowed, 0),
    rope_of("llava_qwen").slides(switched, 4096),
    rope_of("mimo").slides(switched, 4096),
    rope_of("minicpm"),
    rope_of("minicpmo").slides(switched, 4096),
    rope_of("minicpmv").slides(switched, 4096),
    rope_of("molmo"),
    rope_of("nemotron-nas"),
    rope_of("openelm").length_in("max_context_length"),
    rope_of("orion"),
    rope_of("phi3_v").slides(windowed, 0),
    rope_of("phi3small").base(1e6),
    rope_of("phi4mm").slides(windowed, 0),
    rope_of("plamo"),
    rope_of("plamo2").slides(recurrent, 0),
    rope_of("plamo3").slides(last_full, 0),
    rope_of("qwen").length_in("seq_length"),
    rope_of("skywork"),
    rope_of("solar"),
    rope_of("step3_text", {7168, 64, 256, 65536, 61}).kv(1).length_in("max_position_embedding"),
    rope_row("step3p5", "Step3p7TextConfig", {4096, 64, 128, 128000, 45}).kv(8),
    rope_of("telechat"),
    rope_of("telechat3"),
    rope_of("xverse"),
    rope_of("dots_ocr").slides(switched, 4096),
    rope_of("eurollm"),
    // Windows, states, and layers without positions.
    rope_row("mimo_v2_flash", "MiMoV2FlashConfig", {4096, 64, 192, 131072, 48})
        .kv(4)
        .base(5e6, 1e4)
        .part(0.334)
        .slides(ends_full, 128, 6)
        .with(&ModelFamily::sinks, LayerSinks::sliding),
    rope_row("laguna", "LagunaConfig", {2048, 48, 128, 131072, 40}).kv(8).base(5e5, 1e4).slides(uniform, 512),
    rope_of("MiniMaxText01").base(1e7).slides(recurrent, 0),
    rope_of("minimax_text_01").base(1e7).slides(recurrent, 0),
    rope_of("minimax_m1").base(1e7).slides(recurrent, 0),
    rope_of("minimax_m3").base(5e6).part(0.5),
    rope_of("minimax_m3_text", {6144, 64, 128, 524288, 60}).kv(4).base(5e6).part(0.5),
    // A fraction of each head.
    rope_of("bailing_moe_v2").part(0.5),
    rope_of("mixformer-sequential").length_in("n_positions"),
    rope_of("phi-msft").length_in("n_positions"),
    rope_of("stablelm_epoch").part(0.25),
    // Pairs of adjacent dimensions.
    rope_of("chatglm").adjacent().part(0.5).length_in("seq_length"),
    rope_of("bailing_hybrid").adjacent().slides(recurrent, 0),
    rope_of("bailing_moe_v3").adjacent().slides(recurrent, 0),
    rope_of("deepseek_ref").adjacent(),
    rope_row("deepseek_v4", "DeepseekV4Config", {4096, 64, 512, 1048576, 43})
        .kv(1)
        .adjacent()
        .part(0.125)
        .slides(compresses, 128)
        .selects(512, 128)
        .with(&ModelFamily::sinks, LayerSinks::all)
        .with(&ModelFamily::plain_yarn, true),
    rope_of("kimi_k2").adjacent().latents({64, 128, 128, 512}),  // Kimi_K25Config reads it as deepseek_v3
    rope_of("pangu_ultra_moe").adjacent(),
    rope_of("sarvam_mla").adjacent(),
    rope_of("neobert", {768, 12, 0, 4096, 28}).adjacent(),
    // ALiBi, or no attention at all.
    alibi_of("btlm"),
    alibi_of("jais"),
    alibi_of("step1", "the penalty grows with the root of the distance"),
    alibi_of("jina_bert_v2", "an encoder: both directions have the same penalty"),
    state_of("rwkv5"),
    state_of("rwkv6"),
    state_of("rwkv7"),
    state_of("retnet"),
    linear_of("kimi_linear"),
    linear_of("kimi_k3"),
};

}  // namespace

std::span<const ModelFamily> remote_families() { return remote_rows; }

}  // namespace vqscope

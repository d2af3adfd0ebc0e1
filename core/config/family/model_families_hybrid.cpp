// SPDX-License-Identifier: GPL-3.0-or-later
// Models with different kinds of layers, and encoders with RoPE. Source of each row: as in
// model_families_rope.cpp.
#include "core/config/family/model_family_row.h"

namespace vqscope {
namespace {

using enum LayerRule;
using enum LayersWithoutRope;

constexpr PositionScheme no_positions = PositionScheme::none;

const std::vector<ModelFamily> mixed_rows{
    // Some layers with a window.
    rope_row("gemma", "GemmaConfig", {3072, 16, 256, 8192, 28}).kv(16),
    rope_row("gemma2", "Gemma2Config", {2304, 8, 256, 8192, 26}).kv(4).slides(last_full, 4096, 2),
    rope_row("vaultgemma", "VaultGemmaConfig", {2304, 8, 256, 8192, 26}).kv(4).slides(last_full, 4096, 2),
    rope_row("t5_gemma_module", "T5GemmaModuleConfig", {2304, 8, 256, 8192, 26}).kv(4).slides(last_full, 4096, 2),
    rope_row("gemma3_text", "Gemma3TextConfig", {2304, 8, 256, 131072, 26})
        .kv(4)
        .base(1e6, 1e4)
        .slides(last_full, 4096, 6),
    rope_row("gemma3n_text", "Gemma3nTextConfig", {2048, 8, 256, 32768, 35})
        .kv(2)
        .base(1e6, 1e4)
        .slides(last_full, 512, 5)
        .with(&ModelFamily::shared_layers, Index{15}),
    rope_row("gemma4_text", "Gemma4TextConfig", {2304, 8, 256, 131072, 30})
        .kv(4)
        .base(1e6, 1e4)
        .slides(last_full, 512, 6)
        .with(&ModelFamily::full_head_dim, Index{512}),
    rope_row("gemma4_unified_text", "Gemma4UnifiedTextConfig", {2304, 8, 256, 262144, 30})
        .kv(4)
        .base(1e6, 1e4)
        .slides(last_full, 1024, 6)
        .with(&ModelFamily::full_head_dim, Index{512}),
    rope_row("diffusion_gemma_text", "DiffusionGemmaTextConfig", {2304, 8, 256, 131072, 30})
        .kv(4)
        .base(1e6, 1e4)
        .slides(last_full, 512, 6)
        .with(&ModelFamily::full_head_dim, Index{512})
        .noted("the tokens of a block that is denoised see each other"),
    rope_row("t5gemma2_text", "T5Gemma2TextConfig", {2304, 8, 256, 131072, 26})
        .kv(4)
        .base(1e6, 1e4)
        .slides(last_full, 4096, 6),
    rope_row("t5gemma2_decoder", "T5Gemma2DecoderConfig", {2304, 8, 256, 131072, 26})
        .kv(4)
        .base(1e6, 1e4)
        .slides(last_full, 4096, 6),
    rope_row("mellum", "MellumConfig", {2304, 32, 128, 131072, 28}).kv(4).base(5e5, 1e4).slides(uniform, 1024),
    rope_row("granite_swa", "GraniteSWAConfig", {2560, 20, 0, 8192, 24})
        .kv(4)
        .slides(first_full, 128, 4)
        .with(&ModelFamily::sinks, LayerSinks::all),
    rope_row("granitemoe_swa", "GraniteMoeSWAConfig", {4096, 32, 0, 2048, 32})
        .slides(first_full, 128, 4)
        .with(&ModelFamily::sinks, LayerSinks::all),
    rope_row("gpt_oss", "GptOssConfig", {2880, 64, 64, 131072, 36})
        .kv(8)
        .base(150000)
        .slides(last_full, 128, 2)
        .with(&ModelFamily::sinks, LayerSinks::all),
    rope_row("openai_privacy_filter", "OpenAIPrivacyFilterConfig", {640, 14, 64, 131072, 8})
        .kv(2)
        .base(150000)
        .adjacent()
        .slides(windowed, 256)
        .with(&ModelFamily::sinks, LayerSinks::all),
    rope_row("olmo3", "Olmo3Config", {4096, 32, 0, 2048, 32})
        .slides(last_full, 4096, 4)
        .with(&ModelFamily::unscaled_windows, true)
        .noted("vLLM scales full layers only; some versions of Hugging Face 5 also scale those with a window"),
    rope_row("modernbert", "ModernBertConfig", {768, 12, 0, 8192, 22}).base(160000, 1e4).slides(first_full, 128, 3),
    rope_row("modernbert-decoder", "ModernBertDecoderConfig", {768, 12, 0, 8192, 22})
        .base(160000, 1e4)
        .slides(first_full, 64, 3),
    // Some layers without positions.
    rope_row("cohere2", "Cohere2Config", {8192, 64, 0, 8192, 40})
        .adjacent()
        .slides(last_full, 4096, 4)
        .nope(unwindowed),
    rope_row("cohere2_moe", "Cohere2MoeConfig", {8192, 64, 128, 8192, 40})
        .adjacent()
        .slides(last_full, 4096, 4)
        .nope(unwindowed)
        .with(&ModelFamily::dense_prefix, true),
    rope_row("muse_glimmer_text", "MuseGlimmerTextConfig", {6656, 32, 128, 131072, 52})
        .kv(2)
        .slides(last_full, 2048, 4)
        .nope(full),
    rope_row("afmoe", "AfmoeConfig", {2048, 16, 128, 16384, 32}).kv(16).slides(last_full, 1024, 4).nope(unwindowed),
    rope_row("exaone4", "Exaone4Config", {4096, 32, 0, 2048, 32}).slides(last_full, 4096, 4).nope(full),
    rope_row("exaone_moe", "ExaoneMoeConfig", {4096, 32, 0, 2048, 32}).slides(last_full, 4096, 4).nope(full),
    rope_row("smollm3", "SmolLM3Config", {2048, 16, 0, 32768, 36}).kv(4).base(2e6).slides(uniform, 0, 4).nope(listed),
    rope_row("llama4_text", "Llama4TextConfig", {5120, 40, 128, 131072, 48})
        .kv(8)
        .base(5e5)
        .adjacent()
        .slides(chunked, 8192, 4)
        .nope(listed)
        .with(&ModelFamily::tempered, true),
    // Some layers with a state.
    rope_row("bamba", "BambaConfig", {4096, 32, 0, 262144, 32}).kv(8).part(0.5).slides(recurrent, 0),
    rope_row("falcon_h1", "FalconH1Config", {4096, 32, 0, 8192, 32})
        .kv(8)
        .base(1e5)
        .noted("each layer has attention with RoPE beside a Mamba branch"),
    rope_row("lfm2", "Lfm2Config", {2560, 32, 0, 128000, 32}).kv(8).base(1e6).slides(recurrent, 0),
    rope_row("lfm2_moe", "Lfm2MoeConfig", {2048, 32, 0, 128000, 32}).kv(8).base(1e6).slides(recurrent, 0),
    rope_row("minimax", "MiniMaxConfig", {4096, 32, 0, 131072, 32}).kv(8).base(1e6).slides(recurrent, 0),
    rope_row("olmo_hybrid", "OlmoHybridConfig", {3840, 30, 0, 65536, 32}).slides(recurrent, 0, 4),
    rope_row("qwen3_next", "Qwen3NextConfig", {2048, 16, 256, 32768, 48}).kv(2).part(0.25).slides(recurrent, 0, 4),
    rope_row("qwen3_5_text", "Qwen3_5TextConfig", {4096, 16, 256, 32768, 32})
        .mixes({11, 11, 10})
        .kv(4)
        .part(0.25)
        .slides(recurrent, 0, 4),
    rope_row("qwen3_5_moe_text", "Qwen3_5MoeTextConfig", {2048, 16, 256, 32768, 40})
        .mixes({11, 11, 10})
        .kv(2)
        .part(0.25)
        .slides(recurrent, 0, 4),
    rope_row("qwen4_exp_text", "Qwen4ExpTextConfig", {2048, 16, 256, 32768, 40})
        .mixes({11, 11, 10})
        .kv(2)
        .part(0.25)
        .slides(recurrent, 0, 4),
    rope_row("recurrent_gemma", "RecurrentGemmaConfig", {2560, 10, 0, 8192, 26}).part(0.5).slides(recurrent, 2048, 3),
    rope_row("zaya", "ZayaConfig", {2048, 8, 128, 131072, 40})
        .kv(2)
        .base(5e6)
        .part(0.5)
        .noted("each layer has attention after a short convolution"),
    rope_row("zamba2", "Zamba2Config", {2560, 32, 0, 4096, 54}).slides(recurrent, 0),
    FamilyRow("granitemoehybrid", "GraniteMoeHybridConfig", no_positions, {4096, 32, 0, 2048, 32})
        .slides(recurrent, 0)
        .noted("RoPE only if position_embedding_type is \"rope\""),
    FamilyRow("jamba", "JambaConfig", no_positions, {4096, 32, 0, 262144, 32})
        .kv(8)
        .slides(recurrent, 0)
        .noted("attention has no positions; the Mamba layers carry the order"),
    FamilyRow("zamba", "ZambaConfig", no_positions, {3712, 16, 0, 4096, 76})
        .noted("attention has no positions; the Mamba layers carry the order"),
    FamilyRow("nemotron_h", "NemotronHConfig", no_positions, {4096, 32, 128, 4096, 0})
        .kv(8)
        .slides(recurrent, 0)
        .noted("attention has no positions, whatever rope_theta says; the Mamba layers carry the order"),
    FamilyRow("glm5_next_text", "Glm5NextTextConfig", no_positions, {4096, 64, 0, 4096, 45})
        .slides(recurrent, 0, 4)
        .latents({0, 256, 256, 512})
        .selects(2048, 128)
        .noted("latent attention without RoPE on some layers; the others have a state that carries the order"),
    FamilyRow("mamba", "MambaConfig", no_positions)
        .slides(stateful, 0)
        .noted("no attention: a recurrent state carries the order"),
    FamilyRow("mamba2", "Mamba2Config", no_positions)
        .slides(stateful, 0)
        .noted("no attention: a recurrent state carries the order"),
    FamilyRow("falcon_mamba", "FalconMambaConfig", no_positions)
        .slides(stateful, 0)
        .noted("no attention: a recurrent state carries the order"),
    FamilyRow("rwkv", "RwkvConfig", no_positions)
        .slides(stateful, 0)
        .noted("no softmax attention: a recurrent state with decay carries the order"),
    FamilyRow("xlstm", "xLSTMConfig", no_positions)
        .slides(stateful, 0)
        .noted("no attention: a recurrent state carries the order"),
    // Encoders and codecs.
    rope_row("esm", "EsmConfig", {768, 12, 0, 1026, 12}),
    rope_row("eurobert", "EuroBertConfig", {768, 12, 0, 8192, 12}),
    rope_row("jina_embeddings_v3", "JinaEmbeddingsV3Config", {1024, 16, 0, 8194, 24}).base(20000),
    FamilyRow("moshi_depth", "MoshiDepthConfig", no_positions, {1024, 16, 0, 9, 6})
        .slides(windowed, 8)
        .noted("each position, which is that of a codebook, has weights of its own instead of an encoding"),
    rope_row("mimi", "MimiConfig", {512, 8, 0, 8000, 8}).slides(windowed, 250),
    rope_row("moshi", "MoshiConfig", {4096, 32, 0, 3000, 32}).slides(windowed, 3000),
    rope_row("kyutai_speech_to_text", "KyutaiSpeechToTextConfig", {2048, 32, 0, 750, 48})
        .base(1e5)
        .slides(windowed, 375),
    rope_row("nomic_bert", "NomicBertConfig", {768, 12, 0, 2048, 12}).base(1000),
    rope_row("roformer", "RoFormerConfig", {768, 12, 0, 1536, 12}).adjacent(),
};

}  // namespace

std::span<const ModelFamily> hybrid_families() { return mixed_rows; }

}  // namespace vqscope

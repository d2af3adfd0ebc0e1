// SPDX-License-Identifier: GPL-3.0-or-later
// Decoders with RoPE on attention layers. Source of each row: the class in configuration_*.py of Hugging Face
// transformers (4.57, and 5 where it is newer), and how modeling_*.py of the same folder rotates. Sizes of latent
// attention: qk_rope_head_dim, qk_nope_head_dim, v_head_dim and kv_lora_rank in the same classes.
#include "core/config/family/model_family_row.h"

namespace vqscope {
namespace {

using enum LayerRule;
using enum LayersWithoutRope;

const std::vector<ModelFamily> plain_rows{
    rope_row("llama", "LlamaConfig", {4096, 32, 0, 2048, 32}),
    rope_row("apertus", "ApertusConfig", {4096, 32, 0, 65536, 32}).base(1.2e7),
    rope_row("arcee", "ArceeConfig", {2560, 32, 0, 4096, 32}),
    rope_row("aria_text", "AriaTextConfig", {4096, 32, 0, 2048, 32}),
    rope_row("bitnet", "BitNetConfig", {2560, 20, 0, 2048, 30}).kv(5).base(5e5),
    rope_row("chameleon", "ChameleonConfig", {4096, 32, 0, 4096, 32}),
    rope_row("cohere_compass_text", "CohereCompassTextConfig", {8192, 64, 0, 8192, 40})
        .mixes({24, 20, 20})
        .slides(uniform, 4096)
        .with(&ModelFamily::null_nope, true),
    rope_row("csm", "CsmConfig", {2048, 32, 0, 2048, 16}).kv(8).base(5e5),
    rope_row("csm_depth_decoder_model", "CsmDepthDecoderConfig", {1024, 8, 0, 33, 4}).kv(2).base(5e5),
    rope_row("cosmos3_edge_text", "Cosmos3EdgeTextConfig", {2048, 16, 128, 131072, 28})
        .mixes({24, 20, 20})
        .kv(8)
        .base(1e8),
    rope_row("cwm", "CwmConfig", {6144, 48, 128, 131072, 64}).kv(8).base(1e6).slides(first_full, 8192, 4),
    rope_row("deepseek_ocr2_text", "DeepseekOcr2TextConfig", {4096, 32, 0, 2048, 32}),
    rope_row("diffllama", "DiffLlamaConfig", {2048, 32, 0, 2048, 16}),
    rope_row("doge", "DogeConfig", {1024, 8, 0, 2048, 32}),
    rope_row("emu3_text_model", "Emu3TextConfig", {4096, 32, 0, 9216, 32}).kv(8).base(1e6),
    rope_row("evolla", "EvollaConfig", {4096, 32, 0, 8192, 32}).kv(8).base(5e5),
    rope_row("falcon", "FalconConfig", {4544, 71, 0, 2048, 32}),
    rope_row("flex_olmo", "FlexOlmoConfig", {4096, 32, 0, 4096, 32}).base(5e5),
    rope_row("glm_image_text", "GlmImageTextConfig", {4096, 32, 0, 131072, 40}).kv(2),
    rope_row("granite", "GraniteConfig", {4096, 32, 0, 2048, 32}),
    rope_row("granitemoe", "GraniteMoeConfig", {4096, 32, 0, 2048, 32}),
    rope_row("granitemoeshared", "GraniteMoeSharedConfig", {4096, 32, 0, 2048, 32}),
    rope_row("higgs_audio_v2", "HiggsAudioV2Config", {3072, 24, 128, 2048, 28}).kv(8).base(5e5),
    rope_row("hrm_text", "HrmTextConfig", {1536, 12, 128, 2048, 16})
        .noted("its layers are run several times for a token, and tokens of the prompt see each other"),
    rope_row("hunyuan_v1_dense", "HunYuanDenseV1Config", {4096, 32, 0, 2048, 32}).with(&ModelFamily::alpha, true),
    rope_row("hunyuan_v1_moe", "HunYuanMoEV1Config", {4096, 32, 0, 2048, 32}).with(&ModelFamily::alpha, true),
    rope_row("hunyuan_vl_text", "HunYuanVLTextConfig", {4096, 32, 0, 2048, 32}).with(&ModelFamily::alpha, true),
    rope_row("hy_v3", "HYV3Config", {4096, 64, 128, 131072, 80}).kv(8).base(11158840),
    rope_row("hyperclovax", "HyperCLOVAXConfig", {4096, 32, 0, 2048, 32}),
    rope_row("idefics", "IdeficsConfig", {4096, 32, 0, 2048, 32}),
    rope_row("jais2", "Jais2Config", {3328, 26, 0, 8192, 32}),
    rope_row("jetmoe", "JetMoeConfig", {2048, 0, 128, 4096, 12}).kv(16),
    rope_row("minimax_m2", "MiniMaxM2Config", {3072, 48, 128, 196608, 62}).kv(8).base(5e6),
    rope_row("minimax_m3_vl_text", "MiniMaxM3VLTextConfig", {6144, 64, 128, 524288, 60}).kv(4).base(5e6).part(0.5),
    rope_row("mistral", "MistralConfig", {4096, 32, 0, 131072, 32}).kv(8).slides(windowed, 4096),
    rope_row("ministral", "MinistralConfig", {4096, 32, 0, 131072, 32}).kv(8).slides(windowed, 4096),
    rope_row("ministral3", "Ministral3Config", {4096, 32, 128, 262144, 34}).kv(8).base(1e6).slides(windowed, 0),
    rope_row("mixtral", "MixtralConfig", {4096, 32, 0, 131072, 32}).kv(8).base(1e6).slides(windowed, 0),
    rope_row("mllama_text_model", "MllamaTextConfig", {4096, 32, 0, 131072, 40}).kv(8).base(5e5),
    rope_row("nanochat", "NanoChatConfig", {768, 6, 0, 2048, 12}),
    rope_row("olmo", "OlmoConfig", {4096, 32, 0, 2048, 32}),
    rope_row("olmo2", "Olmo2Config", {4096, 32, 0, 2048, 32}),
    rope_row("olmoe", "OlmoeConfig", {2048, 16, 0, 4096, 16}),
    rope_row("phi3", "Phi3Config", {3072, 32, 0, 4096, 32}).slides(windowed, 0),
    rope_row("phi4_multimodal", "Phi4MultimodalConfig", {3072, 32, 0, 131072, 32}).kv(8).slides(windowed, 0),
    rope_row("phimoe", "PhimoeConfig", {4096, 32, 0, 131072, 32})
        .kv(8)
        .base(1e6)
        .slides(windowed, 0)
        .with(&ModelFamily::mscales, true),
    rope_row("qwen2", "Qwen2Config", {4096, 32, 0, 32768, 32}).kv(32).slides(switched, 4096),
    rope_row("qwen2_moe", "Qwen2MoeConfig", {2048, 16, 0, 32768, 24}).kv(16).slides(alternating, 4096),
    rope_row("qwen2_vl_text", "Qwen2VLTextConfig", {8192, 64, 0, 32768, 80}).kv(8).base(1e6).slides(switched, 4096),
    rope_row("qwen2_5_vl_text", "Qwen2_5_VLTextConfig", {8192, 64, 0, 32768, 80})
        .kv(8)
        .base(1e6)
        .slides(switched, 4096),
    rope_row("qwen2_5_omni_text", "Qwen2_5OmniTextConfig", {3584, 28, 0, 32768, 28})
        .kv(4)
        .base(1e6)
        .slides(switched, 32768),
    rope_row("qwen3", "Qwen3Config", {4096, 32, 128, 32768, 32}).kv(32).slides(switched, 4096),
    rope_row("qwen3_moe", "Qwen3MoeConfig", {2048, 32, 0, 32768, 24}).kv(4).slides(switched, 4096),
    rope_row("qwen3_omni_moe_text", "Qwen3OmniMoeTextConfig", {2048, 28, 0, 32768, 28})
        .mixes({24, 20, 20})
        .kv(4)
        .base(1e6),
    rope_row("qwen3_omni_moe_talker_text", "Qwen3OmniMoeTalkerTextConfig", {1024, 16, 0, 32768, 20})
        .mixes({24, 20, 20})
        .kv(2),
    rope_row("qwen3_omni_moe_talker_code_predictor", "Qwen3OmniMoeTalkerCodePredictorConfig", {1024, 16, 128, 32768, 5})
        .kv(8),
    rope_row("qwen3_vl_text", "Qwen3VLTextConfig", {4096, 32, 128, 128000, 32}).mixes({24, 20, 20}).kv(32).base(5e5),
    rope_row("qwen3_vl_moe_text", "Qwen3VLMoeTextConfig", {2048, 16, 0, 128000, 24})
        .mixes({24, 20, 20})
        .kv(16)
        .base(5e5),
    rope_row("seed_oss", "SeedOssConfig", {4096, 80, 128, 524288, 64}).kv(8),
    rope_row("starcoder2", "Starcoder2Config", {3072, 24, 0, 4096, 30}).kv(2).slides(windowed, 0),
    rope_row("voxtral_realtime_text", "VoxtralRealtimeTextConfig", {4096, 32, 0, 131072, 32})
        .kv(8)
        .slides(windowed, 4096),
    rope_row("dia_encoder", "DiaEncoderConfig", {1024, 16, 128, 1024, 12}),
    rope_row("dia_decoder", "DiaDecoderConfig", {2048, 16, 128, 3072, 18}).kv(4),
    rope_row("granite4_vision_text", "Granite4VisionTextConfig", {4096, 32, 0, 2048, 32}).kv(32),
    rope_row("paddleocr_vl_text", "PaddleOCRTextConfig", {1024, 16, 128, 131072, 18}).kv(2).base(5e5),
    rope_row("qwen2_5_omni_talker", "Qwen2_5OmniTalkerConfig", {3584, 28, 128, 32768, 28})
        .kv(4)
        .base(1e6)
        .slides(switched, 32768),
    rope_row("dots1", "Dots1Config", {4608, 32, 0, 2048, 62}),
    // A fraction of each head.
    rope_row("fuyu", "FuyuConfig", {4096, 64, 0, 16384, 36}).base(25000).part(0.5),
    rope_row("glm4_moe", "Glm4MoeConfig", {4096, 96, 0, 131072, 46}).kv(8).part(0.5),
    rope_row("glm4v_moe_text", "Glm4vMoeTextConfig", {4096, 96, 0, 65536, 46}).kv(8).part(0.5),
    rope_row("gpt_neox", "GPTNeoXConfig", {6144, 64, 0, 2048, 44}).part(0.25),
    rope_row("gpt_neox_japanese", "GPTNeoXJapaneseConfig", {2560, 32, 0, 2048, 32}),
    rope_row("nemotron", "NemotronConfig", {6144, 48, 0, 4096, 32}).part(0.5),
    rope_row("persimmon", "PersimmonConfig", {4096, 64, 0, 16384, 36}).base(25000).part(0.5),
    rope_row("phi", "PhiConfig", {2048, 32, 0, 2048, 24}).part(0.5),
    rope_row("timesfm2_5", "TimesFm2_5Config", {1280, 16, 80, 16384, 20}).noted("a token is a patch of a time series"),
    rope_row("solar_open", "SolarOpenConfig", {4096, 64, 128, 131072, 48}).kv(8).base(1e6),
    rope_row("stablelm", "StableLmConfig", {2560, 32, 0, 4096, 32}).part(0.25),
    rope_row("minicpm3", "MiniCPM3Config", {2560, 40, 0, 32768, 62}).latents({32, 64, 64, 256}),
    // Pairs of adjacent dimensions.
    rope_row("axk1", "AXK1Config", {7168, 64, 0, 32768, 61}).adjacent().latents({64, 128, 128, 512}),
    rope_row("axk2", "AXK2Config", {2048, 32, 0, 131072, 48}).adjacent().latents({32, 64, 64, 128}).selects(2048, 128),
    rope_row("blt_global_transformer", "BltGlobalTransformerConfig", {2048, 16, 0, 4096, 25}).base(5e5).adjacent(),
    rope_row("blt_local_decoder", "BltLocalDecoderConfig", {1024, 16, 0, 24576, 9}).base(5e5).adjacent(),
    rope_row("blt_local_encoder", "BltLocalEncoderConfig", {1024, 16, 0, 24576, 1}).base(5e5).adjacent(),
    rope_row("blt_patcher", "BltPatcherConfig", {768, 12, 0, 8192, 14}).adjacent(),
    rope_row("codegen", "CodeGenConfig", {4096, 16, 0, 2048, 28}).adjacent().part(0.25),
    rope_row("cohere", "CohereConfig", {8192, 64, 0, 8192, 40}).adjacent(),
    rope_row("deepseek_v2", "DeepseekV2Config", {4096, 32, 0, 2048, 32}).adjacent().latents({64, 128, 128, 512}),
    rope_row("deepseek_v3", "DeepseekV3Config", {7168, 128, 0, 4096, 61}).adjacent().latents({64, 128, 128, 512}),
    rope_row("deepseek_v32", "DeepseekV32Config", {7168, 128, 0, 163840, 61})
        .adjacent()
        .latents({64, 128, 128, 512})
        .selects(2048, 128),
    rope_row("ernie4_5", "Ernie4_5Config", {1024, 16, 128, 131072, 18}).kv(2).base(5e5).adjacent(),
    rope_row("ernie4_5_moe", "Ernie4_5_MoeConfig", {2560, 20, 0, 131072, 28}).kv(4).base(5e5).adjacent(),
    rope_row("ernie4_5_vl_moe_text", "Ernie4_5_VLMoeTextConfig", {2560, 20, 0, 131072, 28})
        .with(&ModelFamily::height_first, true)
        .with(&ModelFamily::axes, std::array<Index, 3>{22, 22, 20})
        .kv(4)
        .base(5e5)
        .adjacent(),
    rope_row("glm", "GlmConfig", {4096, 32, 128, 131072, 40}).kv(2).adjacent().part(0.5),
    rope_row("glm4", "Glm4Config", {4096, 32, 128, 131072, 40}).kv(2).adjacent().part(0.5),
    rope_row("glm4v_text", "Glm4vTextConfig", {4096, 32, 0, 32768, 40}).kv(2).adjacent(),
    rope_row("glm4_moe_lite", "Glm4MoeLiteConfig", {2048, 20, 0, 202752, 47}).adjacent().latents({64, 192, 256, 512}),
    rope_row("glm_ocr_text", "GlmOcrTextConfig", {1024, 16, 0, 131072, 16}).kv(8).adjacent(),
    rope_row("glm_moe_dsa", "GlmMoeDsaConfig", {6144, 64, 0, 202752, 78})
        .adjacent()
        .latents({64, 192, 256, 512})
        .selects(2048, 128),
    rope_row("gptj", "GPTJConfig", {4096, 16, 0, 2048, 28}).adjacent().part(0.25),
    rope_row("helium", "HeliumConfig", {2560, 20, 128, 4096, 24}).kv(20).base(1e5).adjacent(),
    rope_row("longcat_flash", "LongcatFlashConfig", {6144, 64, 0, 131072, 56})
        .base(1e7)
        .adjacent()
        .latents({64, 128, 128, 512})
        .with(&ModelFamily::attentions, Index{2})
        .noted("each layer has two attentions, which cache keys of their own"),
    rope_row("mistral4", "Mistral4Config", {4096, 32, 0, 1048576, 36}).adjacent().latents({64, 64, 128, 256}),
    rope_row("moonshine", "MoonshineConfig", {288, 8, 0, 512, 6}).adjacent().part(0.9),
    rope_row("moonshine_streaming", "MoonshineStreamingConfig", {320, 8, 0, 4096, 6}).adjacent().part(0.8),
    rope_row("youtu", "YoutuConfig", {2048, 16, 0, 131072, 32}).adjacent().latents({64, 128, 128, 512}),
};

}  // namespace

std::span<const ModelFamily> rope_families() { return plain_rows; }

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
// Models with a table of positions. Source of each row: `position_embeddings` or `embed_positions`
// in modeling_*.py of Hugging Face transformers.
#include "core/config/family/model_family_row.h"

namespace vqscope {
namespace {

constexpr std::string_view usual = "max_position_embeddings";

/// `kept`: leading rows that are not positions, included in the length.
FamilyRow learned(std::string_view type, std::string_view origin, Index length, Index kept = 0) {
  return FamilyRow(type, origin, PositionScheme::learned, {.positions = length}).length_in(usual, kept);
}
FamilyRow computed(std::string_view type, std::string_view origin, Index length) {
  return FamilyRow(type, origin, PositionScheme::sinusoidal, {.positions = length}).length_in(usual);
}

const std::vector<ModelFamily> table_rows{
    // Encoders like BERT.
    learned("albert", "AlbertConfig", 512),
    learned("bert", "BertConfig", 512),
    learned("bert-generation", "BertGenerationConfig", 512),
    learned("big_bird", "BigBirdConfig", 4096).noted("block-sparse attention where attention_type says so"),
    learned("canine", "CanineConfig", 16384),
    learned("bros", "BrosConfig", 512).noted("also an embedding of how the boxes of two tokens lie to each other"),
    learned("convbert", "ConvBertConfig", 512),
    learned("distilbert", "DistilBertConfig", 512),
    learned("dpr", "DPRConfig", 512),
    learned("electra", "ElectraConfig", 512),
    learned("ernie", "ErnieConfig", 512),
    learned("flaubert", "FlaubertConfig", 512),
    learned("fnet", "FNetConfig", 512),
    learned("layoutlm", "LayoutLMConfig", 512).noted("a box also has learned tables for x and y"),
    learned("layoutlmv2", "LayoutLMv2Config", 512).noted("also relative biases by distance and box"),
    learned("layoutlmv3", "LayoutLMv3Config", 512, 2).noted("also relative biases by distance and box"),
    learned("layoutxlm", "LayoutXLMConfig", 512).noted("also relative biases by distance and box"),
    learned("megatron-bert", "MegatronBertConfig", 512),
    learned("mobilebert", "MobileBertConfig", 512),
    learned("nystromformer", "NystromformerConfig", 510),
    learned("rembert", "RemBertConfig", 512),
    learned("splinter", "SplinterConfig", 512),
    learned("squeezebert", "SqueezeBertConfig", 512),
    learned("visual_bert", "VisualBertConfig", 512),
    learned("xlm", "XLMConfig", 512),
    learned("yoso", "YosoConfig", 4096),
    // Encoders like RoBERTa: positions begin after that of the padding token.
    learned("camembert", "CamembertConfig", 512, 2),
    learned("data2vec-text", "Data2VecTextConfig", 512, 2),
    learned("ibert", "IBertConfig", 512, 2),
    learned("lilt", "LiltConfig", 512, 2),
    learned("longformer", "LongformerConfig", 512, 2)
        .slides(LayerRule::windowed, 512)
        .noted("windows of attention_window keys and global tokens"),
    learned("luke", "LukeConfig", 512, 2),
    learned("markuplm", "MarkupLMConfig", 512, 2).noted("also embeddings of a token's path in the document"),
    learned("roberta", "RobertaConfig", 512, 2),
    learned("roberta-prelayernorm", "RobertaPreLayerNormConfig", 512, 2),
    learned("xlm-roberta", "XLMRobertaConfig", 512, 2),
    learned("xlm-roberta-xl", "XLMRobertaXLConfig", 514, 2),
    learned("xmod", "XmodConfig", 512, 2),
    learned("align_text_model", "AlignTextConfig", 512),
    learned("altclip_text_model", "AltCLIPTextConfig", 514, 2),
    learned("bridgetower_text_model", "BridgeTowerTextConfig", 514, 2),
    learned("clap_text_model", "ClapTextConfig", 514, 2),
    learned("flava_text_model", "FlavaTextConfig", 512),
    learned("lxmert", "LxmertConfig", 512),
    learned("mra", "MraConfig", 512),
    learned("roc_bert", "RoCBertConfig", 512),
    learned("tapas", "TapasConfig", 1024),
    learned("perceiver", "PerceiverConfig", 2048).noted("for text; images and sound have Fourier features"),
    learned("tvp", "TvpConfig", 512),
    // Decoders.
    learned("gpt2", "GPT2Config", 1024).length_in("n_positions"),
    learned("gpt_bigcode", "GPTBigCodeConfig", 1024).length_in("n_positions"),
    learned("imagegpt", "ImageGPTConfig", 1024).length_in("n_positions"),
    learned("openai-gpt", "OpenAIGPTConfig", 512).length_in("n_positions"),
    learned("decision_transformer", "DecisionTransformerConfig", 1024).length_in("n_positions"),
    learned("gpt_neo", "GPTNeoConfig", 2048),
    learned("biogpt", "BioGptConfig", 1024),
    learned("opt", "OPTConfig", 2048),
    learned("semantic", "BarkSemanticConfig", 1024).length_in("block_size"),
    learned("coarse_acoustics", "BarkCoarseConfig", 1024).length_in("block_size"),
    learned("fine_acoustics", "BarkFineConfig", 1024).length_in("block_size"),
    learned("clvp_decoder", "ClvpDecoderConfig", 608),
    learned("cohere_asr", "CohereAsrConfig", 1024),
    // Encoder and decoder.
    learned("bart", "BartConfig", 1024),
    learned("bigbird_pegasus", "BigBirdPegasusConfig", 4096).noted("the encoder's attention is block-sparse"),
    learned("blenderbot", "BlenderbotConfig", 128),
    learned("blenderbot-small", "BlenderbotSmallConfig", 512),
    learned("led", "LEDConfig", 16384)
        .length_in("max_encoder_position_embeddings")
        .slides(LayerRule::windowed, 512)
        .noted("the encoder has windows of attention_window keys and global tokens"),
    learned("mbart", "MBartConfig", 1024),
    learned("mvp", "MvpConfig", 1024),
    learned("plbart", "PLBartConfig", 1024),
    learned("prophetnet", "ProphetNetConfig", 512),
    learned("trocr", "TrOCRConfig", 512),
    computed("ctrl", "CTRLConfig", 256).length_in("n_positions"),
    computed("fsmt", "FSMTConfig", 1024),
    computed("m2m_100", "M2M100Config", 1024),
    computed("marian", "MarianConfig", 1024),
    computed("musicgen_decoder", "MusicgenDecoderConfig", 2048),
    computed("musicgen_melody_decoder", "MusicgenMelodyDecoderConfig", 2048),
    computed("kosmos_2_text_model", "Kosmos2TextConfig", 2048),
    computed("kosmos_2_5_text_model", "Kosmos2_5TextConfig", 4096),
    computed("nllb-moe", "NllbMoeConfig", 1024),
    computed("pegasus", "PegasusConfig", 1024),
    computed("pegasus_x", "PegasusXConfig", 16384),
    computed("seamless_m4t", "SeamlessM4TConfig", 1024).noted("of text; its speech encoder has relative sinusoids"),
    computed("seamless_m4t_v2", "SeamlessM4Tv2Config", 4096)
        .noted("of text; its speech encoder has a learned row for each clipped distance"),
    computed("speech_to_text", "Speech2TextConfig", 6000).length_in("max_source_positions"),
    computed("xglm", "XGLMConfig", 2048),
    computed("whisper", "WhisperConfig", 1500).length_in("max_source_positions"),
    // Text towers of models for images and text.
    learned("clip_text_model", "CLIPTextConfig", 77),
    learned("siglip_text_model", "SiglipTextConfig", 64),
    learned("siglip2_text_model", "Siglip2TextConfig", 64),
    learned("clipseg_text_model", "CLIPSegTextConfig", 77),
    learned("groupvit_text_model", "GroupViTTextConfig", 77),
    learned("owlvit_text_model", "OwlViTTextConfig", 16),
    learned("owlv2_text_model", "Owlv2TextConfig", 16),
    learned("xclip_text_model", "XCLIPTextConfig", 77),
    learned("chinese_clip_text_model", "ChineseCLIPTextConfig", 512),
    learned("blip_text_model", "BlipTextConfig", 512),
    learned("aimv2_text_model", "Aimv2TextConfig", 77),
    learned("metaclip_2_text_model", "MetaClip2TextConfig", 77),
    learned("sam3_lite_text_text_model", "Sam3LiteTextTextConfig", 77).noted("interpolated for other lengths"),
    computed("tipsv2_text_model", "Tipsv2TextConfig", 64),
    computed("videoprism_text_model", "VideoPrismTextConfig", 64),
    learned("git", "GitConfig", 1024),
    learned("vilt", "ViltConfig", 40),
};

}  // namespace

std::span<const ModelFamily> table_families() { return table_rows; }

}  // namespace vqscope

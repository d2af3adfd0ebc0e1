// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: CONFIG_MAPPING_NAMES of Hugging Face transformers 4.57, the registry in
// vllm/model_executor/models, the files of python/sglang/srt/models (each entry was looked up in
// November 2026; a file may hold several classes), TEXT_MODEL_MAP in llama.cpp's conversion folder.
// Models that are not listed may be missing too: only models that these sources lack are reported.
#include "core/config/readers/config_readers.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// Added in version 5.
constexpr std::string_view not_in_hugging_face_4 =
    "afmoe axk1 axk2 cohere2_moe cohere_asr cohere_compass_text cosmos3_edge_text cwm deepseek_ocr2_text "
    "deepseek_v32 deepseek_v4 diffusion_gemma_text ernie4_5_vl_moe_text eurobert exaone_moe gemma4_text "
    "gemma4_unified_text glm4_moe_lite glm5_next_text glm_image_text glm_moe_dsa glm_ocr_text "
    "granite4_vision_text granite_swa granitemoe_swa higgs_audio_v2 hrm_text hunyuan_vl_text hy_v3 hyperclovax "
    "inkling_text jais2 jina_embeddings_v3 laguna lfm2_moe mellum mimo_v2_flash minicpm3 minimax_m3_vl_text "
    "ministral3 mistral4 moonshine_streaming muse_glimmer_text nanochat nomic_bert olmo_hybrid "
    "openai_privacy_filter paddleocr_vl_text qwen3_5_moe_text qwen3_5_text qwen4_exp_text solar_open step3p5 "
    "t5gemma2_decoder t5gemma2_text timesfm2_5 voxtral_realtime_text youtu zaya";

/// Without a class of its own in either server; both then try that of Hugging Face.
constexpr std::string_view not_in_servers =
    "blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher codegen csm csm_depth_decoder_model "
    "dia_decoder dia_encoder diffllama doge emu3_text_model esm evolla gpt_neox_japanese helium idefics jetmoe "
    "mimi moonshine moonshine_streaming moshi recurrent_gemma roformer timesfm2_5";

/// The last version of vLLM with a class for a model (_PREVIOUSLY_SUPPORTED_MODELS in its
/// registry).
constexpr std::pair<std::string_view, std::string_view> last_in_vllm[]{{"mllama_text_model", "0.10.2"},
                                                                       {"phi4_multimodal", "0.12.0"}};

constexpr std::string_view not_in_llama_cpp =
    "aria_text blt_global_transformer blt_local_decoder blt_local_encoder blt_patcher codegen csm "
    "csm_depth_decoder_model dia_decoder dia_encoder diffllama doge emu3_text_model esm evolla flex_olmo fuyu "
    "gpt_neox_japanese gptj helium higgs_audio_v2 idefics jetmoe mimi mllama_text_model moonshine "
    "moonshine_streaming moshi persimmon recurrent_gemma roformer timesfm2_5 vaultgemma";

/// Whether the model_type is one of those names, which have a space between them.
bool lists(std::string_view names, std::string_view model_type) {
  for (std::size_t end = 0; !names.empty(); names.remove_prefix(std::min(end + 1, names.size()))) {
    end = std::min(names.find(' '), names.size());
    if (names.substr(0, end) == model_type) return true;
  }
  return false;
}

}  // namespace

std::string missing_model(ModelReader reader, std::string_view model_type) {
  switch (reader) {
    case ModelReader::hugging_face_4:
      if (lists(not_in_hugging_face_4, model_type))
        return fmt::format("version 4 stops at the unknown model_type {}, which version 5 added", model_type);
      break;
    case ModelReader::vllm:
      for (const auto& [model, version] : last_in_vllm)
        if (model == model_type) return fmt::format("its version {} is the last with a class for {}", version, model);
      [[fallthrough]];
    case ModelReader::sglang:
      if (lists(not_in_servers, model_type))
        return fmt::format("it has no class for {} and falls back to Hugging Face's, if that supports it", model_type);
      break;
    case ModelReader::llama_cpp:
      if (lists(not_in_llama_cpp, model_type)) return fmt::format("its converter has no class for {}", model_type);
      break;
  }
  return {};
}

}  // namespace vqscope

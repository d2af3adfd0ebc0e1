// SPDX-License-Identifier: GPL-3.0-or-later
// Source: llama.cpp, load_tensors of each file of src/models, and LLM_TENSOR_NAMES in src/llama-arch.cpp.

#include "core/base/sentence.h"
#include "core/config/checkpoint/checkpoint_check.h"
#include "core/config/gguf/gguf_model.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr std::uint64_t largest_extent = std::uint64_t{1} << 31;

struct GgufRole {
  std::string_view name;
  AttentionRole role;
};

constexpr auto gguf_roles = [] {
  using enum AttentionRole;
  return std::to_array<GgufRole>({{"attn_q", q},
                                  {"attn_k", k},
                                  {"attn_v", v},
                                  {"attn_output", o},
                                  {"attn_qkv", qkv},
                                  {"attn_q_norm", q_norm},
                                  {"attn_k_norm", k_norm},
                                  {"attn_q_a", q_a},
                                  {"attn_q_b", q_b},
                                  {"attn_kv_a_mqa", kv_a},
                                  {"attn_kv_b", kv_b}});
}();

/// The key of a config.json and that of a GGUF file for the same size.
struct SameSize {
  std::string_view usual, own;
};
constexpr SameSize same_sizes[]{{"num_attention_heads", "attention.head_count"},
                                {"num_key_value_heads", "attention.head_count_kv"},
                                {"head_dim", "attention.key_length"},
                                {"v_head_dim", "attention.value_length"},
                                {"qk_nope_head_dim", "attention.key_length_mla"},
                                {"kv_lora_rank", "attention.kv_lora_rank"},
                                {"q_lora_rank", "attention.q_lora_rank"}};

/// The number N and the rest of "blk.N.rest"; nothing for other names.
std::optional<std::pair<Index, std::string_view>> parse_block(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  const auto dot = name.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot > 5) return std::nullopt;
  const auto number = parse_index(name.substr(0, dot));
  if (!number || *number < 0) return std::nullopt;
  return std::pair(*number, name.substr(dot + 1));
}

class GgufTensorCheck {
 public:
  explicit GgufTensorCheck(const GgufModel& model) : m_model(model), m_hidden(size("embedding_length")) {
    m_found.prefix = model.name.starts_with("t5") ? "enc.blk." : "blk.";
    m_tensors.resize(model.head.tensors.size());
    for (std::size_t i = 0; i < m_tensors.size(); ++i) add(model.head.tensors[i], m_tensors[i]);
  }

  void run() const {
    check_layers();
    check_embedding();
    check_heads();
    check_norms();
  }

 private:
  /// The sizes in the order of torch: rows first.
  void add(const GgufTensor& tensor, CheckpointTensor& kept) {
    kept.name = tensor.name;
    kept.read = true;
    for (auto extent = tensor.shape.rbegin(); extent != tensor.shape.rend(); ++extent) {
      kept.read = kept.read && *extent <= largest_extent;
      kept.shape.push_back(static_cast<Index>(std::min(*extent, largest_extent)));
    }
    if (tensor.name == "token_embd.weight") m_found.embedding = &kept;
    const auto block = parse_block(tensor.name, m_found.prefix);
    if (!block) return;
    m_found.layers.insert(block->first);
    constexpr std::string_view weight = ".weight";
    if (!block->second.ends_with(weight)) return;
    const auto* found =
        std::ranges::find(gguf_roles, block->second.substr(0, block->second.size() - weight.size()), &GgufRole::name);
    if (found == gguf_roles.end()) return;
    m_found.attention[block->first][found->role] = &kept;
    // Draft models project something else than the model's own states.
    const bool projects = found->role <= AttentionRole::v || found->role == AttentionRole::qkv;
    if (projects && kept.shape.size() == 2 && kept.shape[1] != m_hidden) kept.read = false;
  }

  Index size(std::string_view rest) const {
    const auto* value = m_model.values.value().find(m_model.key(rest));
    const auto number = value ? value->integer() : std::nullopt;
    return number && *number > 0 && *number <= static_cast<Index>(largest_extent) ? *number : 0;
  }
  Index first_size(std::initializer_list<std::string_view> keys) const {
    for (const auto key : keys)
      if (const Index found = size(key); found > 0) return found;
    return 0;
  }

  /// Whether other parts of the model are in files that were not read.
  bool is_part() const {
    if (m_model.head.has_all_parts) return false;
    const auto* count = m_model.values.value().find("split.count");
    return count && count->integer().value_or(0) > 1;
  }

  void error(std::string_view rest, std::string_view usual, const std::string& sentence) const {
    const std::string path = m_model.key(rest);
    const std::string known = path.ends_with(usual) ? std::string() : fmt::format(" ({})", usual);
    m_model.values.error(path, fmt::format("{}{}: {}; llama.cpp refuses the file", path, known, sentence));
  }

  void check_layers() const {
    const Index count = size("block_count");
    const bool is_whole = m_found.embedding != nullptr && !is_part();
    const auto what = layer_contradiction(m_found, {count, 0, is_whole ? m_model.layers : 0});
    if (count > 0 && !what.empty())
      error("block_count", "num_hidden_layers", fmt::format("the file says {}, it {}", count, what));
  }

  /// llama.cpp counts the tokens of the vocabulary where vocab_size is not given.
  void check_embedding() const {
    const auto* embedding = m_found.embedding;
    if (embedding == nullptr || !embedding->read || embedding->shape.size() != 2) return;
    const Index rows = embedding->shape[0], columns = embedding->shape[1];
    if (m_hidden > 0 && columns != m_hidden)
      error("embedding_length", "hidden_size",
            fmt::format("the file says {}, {} has {} columns", m_hidden, tensor_text(*embedding), columns));
    const auto* tokens = m_model.head.find("tokenizer.ggml.tokens");
    const auto* list = tokens ? std::get_if<GgufLongArray>(&tokens->value) : nullptr;
    const Index counted = list ? static_cast<Index>(std::min(list->count, largest_extent)) : 0;
    const Index given = size("vocab_size"), said = given > 0 ? given : counted;
    if (said > 0 && rows != said)
      error("vocab_size", "vocab_size",
            fmt::format("the file {} {}{}, {} has {} rows", given > 0 ? "says" : "has", said,
                        given > 0 ? "" : " tokens", tensor_text(*embedding), rows));
  }

  /// The sizes of one layer by the keys of a config.json.
  ConfigValue sizes_of(std::size_t layer) const {
    const bool local = m_model.windowed[layer];
    const Index heads = m_model.heads[layer], rotated = size("rope.dimension_count");
    const Index rank = size("attention.kv_lora_rank");
    Index values = local ? size("attention.value_length_swa") : 0;
    if (values == 0) values = size("attention.value_length");
    if (values == 0 && heads > 0) values = m_hidden / heads;
    ConfigValue::Object object;
    const auto put = [&](std::string_view key, Index number) {
      if (number < 1) return;
      ConfigValue& member = object.members.emplace_back();
      member.key = key;
      member.data = number;
    };
    put("num_attention_heads", heads);
    put("num_key_value_heads", m_model.kv_heads[layer]);
    put("head_dim", local ? m_model.local_head_dim : m_model.head_dim);
    if (rank > 0) values = first_size({"attention.value_length_mla", "attention.value_length"});
    put("v_head_dim", values);
    put("kv_lora_rank", rank);
    if (rank > 0) {
      put("q_lora_rank", size("attention.q_lora_rank"));
      put("qk_rope_head_dim", rotated);
      put("qk_nope_head_dim", first_size({"attention.key_length_mla", "attention.key_length"}) - rotated);
    }
    ConfigValue value;
    value.data = std::move(object);
    return value;
  }

  void check_heads() const {
    std::vector<Contradiction> all;
    for (const auto& [number, tensors] : m_found.attention) {
      const auto layer = static_cast<std::size_t>(number);
      if (number >= m_model.layers || !gguf_layer_attends(m_model, layer) || m_model.compresses()) continue;
      if (m_model.windowed[layer] && m_model.has("attention.kv_lora_rank_swa")) continue;
      const ConfigValue sizes = sizes_of(layer);
      ConfigLedger ledger;
      const ConfigObject config(sizes, "", ledger);
      const ModelLayer described{.num_key_value_heads = m_model.kv_heads[layer]};
      for (auto& each : compare_heads(config, find_model_family(""), described, tensors, m_hidden))
        all.push_back(std::move(each));
    }
    for (const auto& each : grouped_contradictions(all)) contradict(each);
  }

  void contradict(const Contradiction& each) const {
    const auto* same = std::ranges::find(same_sizes, each.key, &SameSize::usual);
    const std::string_view rest = same == std::end(same_sizes) ? each.key : same->own;
    error(rest, each.key,
          fmt::format("the file {} {}, {} {}", m_model.has(rest) ? "says" : "does not say it, which means", each.said,
                      tensor_text(*each.tensor), each.has));
  }

  void check_norms() const {
    const auto expected = normalises_queries(m_model.name);
    if (!expected || m_found.attention.empty()) return;
    const auto* norm = first_norm(m_found);
    const auto say = [&](const std::string& sentence) {
      m_model.values.error(
          "general.architecture",
          fmt::format("general.architecture: {} {}; llama.cpp refuses the file", m_model.name, sentence));
    };
    if (!*expected && norm) say("does not normalise queries and keys, but the file has " + tensor_text(*norm));
    if (*expected && !norm && !is_part()) say("normalises queries and keys, but the file has no attn_q_norm");
  }

  const GgufModel& m_model;
  Index m_hidden;
  std::vector<CheckpointTensor> m_tensors;
  CheckpointModel m_found;  ///< of m_tensors
};

}  // namespace

void check_gguf_tensors(const GgufModel& model) {
  const auto* type = model.values.value().find("general.type");
  const bool is_model = !type || !type->text() || *type->text() == "model";
  if (!model.head.tensors.empty() && model.architecture.known() && is_model) GgufTensorCheck(model).run();
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/checkpoint/checkpoint_check.h"

#include "core/base/sentence.h"
#include "core/config/layer/layer_reading.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Sizes beyond it are not those of a model, and products of them need no checks.
constexpr Index most_outputs = Index{1} << 30;

bool is_matrix(const CheckpointTensor* tensor) {
  return tensor && tensor->read && tensor->shape.size() == 2 && tensor->shape[0] <= most_outputs &&
         tensor->shape[1] <= most_outputs;
}

/// What the heads of one layer should be, and are.
class HeadComparison {
 public:
  HeadComparison(const ConfigObject& config, const ModelFamily& family, const ModelLayer& layer,
                 const AttentionTensors& tensors, Index hidden)
      : m_config(config), m_family(family), m_tensors(tensors), m_hidden(hidden) {
    const LayerHeads heads = read_layer_heads(config, family, layer.name);
    m_heads = heads.heads;
    m_dim = heads.head_dim;
    m_key_value_heads = layer.num_key_value_heads > 0 ? layer.num_key_value_heads : heads.key_value_heads;
    m_value_dim = heads.v_head_dim > 0 ? heads.v_head_dim : m_dim;
  }

  std::vector<Contradiction> compare() {
    const bool latent = size_of("kv_lora_rank", m_family.latent.kv_lora_rank) > 0;
    const auto* compressed = m_tensors[AttentionRole::kv_a];
    if (latent != (compressed != nullptr)) compare_kinds(latent);
    if (latent && compressed) compare_latent();
    if (latent || compressed || m_heads == 0 || m_dim == 0) return std::move(m_found);
    if (m_tensors[AttentionRole::qkv]) {
      compare_fused();
    } else {
      compare_norm(AttentionRole::q_norm, AttentionRole::q);
      compare_norm(AttentionRole::k_norm, AttentionRole::k);
      compare_separate();
    }
    return std::move(m_found);
  }

 private:
  /// Outputs of a projection from the model's width; 0: none, or its layout is not known.
  Index outputs(AttentionRole role) const {
    const auto* tensor = m_tensors[role];
    if (!is_matrix(tensor)) return 0;
    if (tensor->shape[1] == m_hidden) return tensor->shape[0];
    return tensor->shape[0] == m_hidden ? tensor->shape[1] : 0;  // Conv1D of GPT-2
  }

  /// Inputs of the output projection.
  Index inputs_of_output() const {
    const auto* tensor = m_tensors[AttentionRole::o];
    if (!is_matrix(tensor)) return 0;
    if (tensor->shape[0] == m_hidden) return tensor->shape[1];
    return tensor->shape[1] == m_hidden ? tensor->shape[0] : 0;
  }

  /// The rows alone, whatever the width: of projections from a latent vector.
  Index rows(AttentionRole role, Index width) const {
    const auto* tensor = m_tensors[role];
    return is_matrix(tensor) && (width == 0 || tensor->shape[1] == width) ? tensor->shape[0] : 0;
  }

  Index size_of(std::string_view key, Index otherwise) const {
    const auto* given = m_config.value().find(key);
    if (given && given->is_null()) return 0;
    const Index size = given ? given->integer().value_or(0) : otherwise;
    return size > most_outputs ? 0 : std::max<Index>(size, 0);
  }

  /// Adds a contradiction about the first key that the config has, else the first.
  void add(std::initializer_list<std::string_view> keys, Index said, std::string has, AttentionRole role) {
    const auto* own = std::ranges::find_if(keys, [&](std::string_view key) { return m_config.has(key); });
    const std::string_view key = own == keys.end() ? *keys.begin() : *own;
    m_found.push_back({std::string(key), to_text(said), std::move(has), m_tensors[role]});
  }
  void add_heads(std::string has, AttentionRole role) {
    add({"num_attention_heads", "n_head", "n_heads", "num_heads", "encoder_attention_heads"}, m_heads, std::move(has),
        role);
  }
  void add_key_value_heads(std::string has, AttentionRole role) {
    add({"num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads", "multi_query_group_num",
         "num_attention_groups", "num_query_groups"},
        m_key_value_heads, std::move(has), role);
  }
  void add_dim(std::string has, AttentionRole role) {
    add({"head_dim", "kv_channels", "attention_head_dim", "d_kv"}, m_dim, std::move(has), role);
  }

  static std::string heads_text(Index count, Index dim) {
    return fmt::format("has {} {} of {}", count, count == 1 ? "head" : "heads", dim);
  }

  /// "has 4 heads of 128", or that the rows are no whole number of heads.
  static std::string rows_text(Index count, Index dim) {
    if (count % dim == 0) return heads_text(count / dim, dim);
    return fmt::format("has {} outputs, no multiple of head_dim {}", count, dim);
  }

  void compare_kinds(bool latent) {
    const bool plain = m_tensors[AttentionRole::k] || m_tensors[AttentionRole::qkv];
    if (latent && plain)
      add({"kv_lora_rank"}, size_of("kv_lora_rank", m_family.latent.kv_lora_rank),
          "is of an attention whose keys are not compressed",
          m_tensors[AttentionRole::k] ? AttentionRole::k : AttentionRole::qkv);
    if (!latent) add({"kv_lora_rank"}, 0, "is of multi-head latent attention", AttentionRole::kv_a);
  }

  /// A norm of a single head has its size; a norm over all heads has that of the projection.
  void compare_norm(AttentionRole norm, AttentionRole projection) {
    const auto* tensor = m_tensors[norm];
    if (!tensor || !tensor->read || tensor->shape.size() != 1 || m_dim_is_known) return;
    const Index size = tensor->shape.front(), all = outputs(projection);
    if (size < 1 || size > most_outputs || size == all || (all > 0 && all % size != 0)) return;
    m_dim_is_known = true;
    if (size == m_dim) return;
    add_dim(fmt::format("has heads of {}", size), norm);
    if (m_value_dim == m_dim) m_value_dim = size;
    m_dim = size;
  }

  /// Without a norm, a dimension that explains queries and keys alike.
  void find_dim(Index queries, Index keys) {
    const bool fits = queries == m_heads * m_dim || queries % m_heads != 0 || keys == 0;
    if (m_dim_is_known || fits || keys % m_key_value_heads != 0) return;
    const Index dim = queries / m_heads;
    if (keys / m_key_value_heads != dim) return;
    add_dim(heads_text(m_heads, dim), AttentionRole::q);
    if (m_value_dim == m_dim) m_value_dim = dim;
    m_dim = dim;
  }

  void compare_separate() {
    Index queries = outputs(AttentionRole::q);
    const Index keys = outputs(AttentionRole::k), values = outputs(AttentionRole::v), all = inputs_of_output();
    if (queries > 0 && queries == 2 * all && all % m_dim == 0) queries = all;  // a gate of the outputs in the same rows
    if (queries > 0) find_dim(queries, keys);
    if (queries > 0 && queries != m_heads * m_dim) add_heads(rows_text(queries, m_dim), AttentionRole::q);
    const bool keys_differ = keys > 0 && keys != m_key_value_heads * m_dim;
    if (keys_differ) add_key_value_heads(rows_text(keys, m_dim), AttentionRole::k);
    if (values > 0 && values != m_key_value_heads * m_value_dim && !(keys_differ && values == keys)) {
      if (values % m_key_value_heads == 0 && !keys_differ && m_config.has("v_head_dim"))
        add({"v_head_dim"}, m_value_dim, heads_text(m_key_value_heads, values / m_key_value_heads), AttentionRole::v);
      else
        add_key_value_heads(rows_text(values, m_value_dim), AttentionRole::v);
    }
    if (all > 0 && queries == m_heads * m_dim && all != m_heads * m_value_dim)
      add_heads(fmt::format("takes {} of {}", heads_count(all, m_value_dim), m_value_dim), AttentionRole::o);
  }

  static std::string heads_count(Index inputs, Index dim) {
    return inputs % dim == 0 ? fmt::format("{} heads", inputs / dim) : fmt::format("{} inputs, no whole heads", inputs);
  }

  void compare_fused() {
    const Index all = outputs(AttentionRole::qkv), inner = inputs_of_output();
    const auto expected = [&](Index dim) { return (m_heads + m_key_value_heads) * dim + m_key_value_heads * dim; };
    if (all == 0 || m_value_dim != m_dim || all == expected(m_dim)) return;
    const Index rest = all - m_heads * m_dim;
    const bool dim_is_right = inner == 0 || inner == m_heads * m_dim;
    if (dim_is_right && rest > 0 && rest % (2 * m_dim) == 0 && m_heads % (rest / (2 * m_dim)) == 0)
      return add_key_value_heads(
          fmt::format("has {} heads of {} beside {} of queries", rest / (2 * m_dim), m_dim, m_heads),
          AttentionRole::qkv);
    const Index heads = m_heads + 2 * m_key_value_heads;
    if (all % heads == 0) return add_dim(heads_text(heads, all / heads), AttentionRole::qkv);
    add_heads(fmt::format("has {} outputs, {} are expected", all, expected(m_dim)), AttentionRole::qkv);
  }

  void compare_latent() {
    const LatentSizes& usual = m_family.latent;
    const Index rank = size_of("kv_lora_rank", usual.kv_lora_rank), value = size_of("v_head_dim", usual.v_head_dim);
    const Index rotated = size_of("qk_rope_head_dim", usual.qk_rope_head_dim);
    const Index plain = size_of("qk_nope_head_dim", usual.qk_nope_head_dim);
    if (const Index all = outputs(AttentionRole::kv_a); all > 0 && rotated > 0 && all != rank + rotated)
      add({"kv_lora_rank"}, rank, fmt::format("has {} outputs, {} without qk_rope_head_dim", all, all - rotated),
          AttentionRole::kv_a);
    if (m_heads > 0 && plain > 0 && value > 0) compare_latent_heads(rank, plain, value);
    compare_latent_queries(plain + rotated);
  }

  /// Where the output projection has the heads of the config, their sizes differ.
  void compare_latent_heads(Index rank, Index plain, Index value) {
    const Index all = rows(AttentionRole::kv_b, rank), inner = inputs_of_output();
    if (all == 0 || all == m_heads * (plain + value)) return;
    const auto heads = [](Index count, Index dim) { return count % dim == 0 ? count / dim : 0; };
    const bool agree = inner == 0 || (heads(inner, value) > 0 && heads(inner, value) == heads(all, plain + value));
    if (agree || inner % m_heads != 0 || all % m_heads != 0 || all <= inner)
      return add_heads(rows_text(all, plain + value), AttentionRole::kv_b);
    if (inner != m_heads * value)
      add({"v_head_dim"}, value, fmt::format("takes {} heads of {}", m_heads, inner / m_heads), AttentionRole::o);
    if (const Index own = (all - inner) / m_heads; own != plain)
      add({"qk_nope_head_dim"}, plain, fmt::format("has {} heads of {} and {}", m_heads, own, inner / m_heads),
          AttentionRole::kv_b);
  }

  void compare_latent_queries(Index dim) {
    const Index rank = size_of("q_lora_rank", 0);
    const bool compresses = m_tensors[AttentionRole::q_a] != nullptr;
    const bool given = m_config.value().find("q_lora_rank") != nullptr;
    if (given && rank == 0 && compresses) return add({"q_lora_rank"}, 0, "compresses the queries", AttentionRole::q_a);
    if (rank > 0 && !compresses && m_tensors[AttentionRole::q])
      return add({"q_lora_rank"}, rank, "does not compress the queries", AttentionRole::q);
    if (const Index all = outputs(AttentionRole::q_a); all > 0 && given && all != rank)
      add({"q_lora_rank"}, rank, fmt::format("has {} outputs", all), AttentionRole::q_a);
    const auto role = compresses ? AttentionRole::q_b : AttentionRole::q;
    const Index all = compresses ? rows(role, 0) : outputs(role);
    if (all == 0 || dim == 0 || m_heads == 0 || all == m_heads * dim) return;
    if (std::ranges::count(m_found, "qk_nope_head_dim", &Contradiction::key) == 0) add_heads(rows_text(all, dim), role);
  }

  const ConfigObject& m_config;
  const ModelFamily& m_family;
  const AttentionTensors& m_tensors;
  Index m_hidden;
  Index m_heads = 0, m_key_value_heads = 0, m_dim = 0, m_value_dim = 0;
  bool m_dim_is_known = false;
  std::vector<Contradiction> m_found;
};

}  // namespace

std::vector<Contradiction> compare_heads(const ConfigObject& config, const ModelFamily& family, const ModelLayer& layer,
                                         const AttentionTensors& tensors, Index hidden) {
  return HeadComparison(config, family, layer, tensors, hidden).compare();
}

std::string tensor_text(const CheckpointTensor& tensor) {
  std::vector<std::string> sizes;
  for (const Index size : tensor.shape) sizes.push_back(to_text(size));
  const std::string shape = tensor.read ? fmt::format(" [{}]", shortened(join(sizes, ", "))) : std::string();
  return shortened(tensor.name, 120) + shape;
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_reading.h"

#include "core/base/sentence.h"
#include "core/config/family/model_family_row.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr NumberRange fractions{0, 1, true};

/// A size under one of its names, or that of the family, with a note.
std::optional<Index> size_of(const ConfigObject& config, const ModelFamily& family, const std::string& name,
                             NumberRange range, Index family_size) {
  if (config.has(name)) return config.integer(name, range);
  if (family_size == 0) return std::nullopt;
  config.note(name, fmt::format("{}: {}", config.absence(name), default_text(family, to_text(family_size))));
  return family_size;
}

struct Division {
  std::string width, count;  ///< names of the keys
  std::optional<Index> hidden, heads;
};

Division read_division(const ConfigObject& config, const ModelFamily& family, bool needed) {
  Division d{config.first_of({"hidden_size", "n_embd", "d_model", "n_embed", "model_dim"}),
             config.first_of({"num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_num_attention_heads"}),
             {},
             {}};
  d.hidden = needed ? size_of(config, family, d.width, model_widths, family.hidden_size)
                    : config.integer(d.width, model_widths);
  if (config.has(d.count) && config.take(d.count)->list()) return d;  // one number per layer
  d.heads = needed ? size_of(config, family, d.count, head_counts, family.heads) : config.integer(d.count, head_counts);
  return d;
}

/// hidden_size / num_attention_heads; nothing and an error if it is unknown.
std::optional<Index> divided(const ConfigObject& config, const ModelFamily& family) {
  const Division d = read_division(config, family, true);
  if (!d.hidden || !d.heads) {
    const std::string missing = d.hidden ? d.count : d.width;
    if (!config.has(missing))
      config.error(missing, "neither " + config.path_of(missing) + " nor head_dim is given: the head size is unknown");
    return std::nullopt;
  }
  const std::string sentence = fmt::format("{} {} / {} {}", config.path_of(d.width), *d.hidden, d.count, *d.heads);
  if (*d.hidden % *d.heads != 0) return config.error(d.width, sentence + " is not a whole number"), std::nullopt;
  if (const auto size = divided_width(*d.hidden, *d.heads)) return size;
  return config.error(d.width, fmt::format("{} is {}, a head must have {} dimensions", sentence, *d.hidden / *d.heads,
                                           head_sizes.text())),
         std::nullopt;
}

/// An explicit null is not the default of the class: its code then computes the quotient.
std::optional<Index> divided_by_null(const ConfigObject& config, const ModelFamily& family, const std::string& name) {
  config.take(name);
  const auto size = divided(config, family);
  if (size && *size != family.head_dim)
    config.note(name, fmt::format("{} is null: heads have hidden_size / num_attention_heads = {} dimensions; the "
                                  "default {} applies only where the key is absent",
                                  config.path_of(name), *size, family.head_dim));
  return size;
}

std::optional<Index> head_size(const ConfigObject& config, const ModelFamily& family, std::string_view layers) {
  if (layers == "full_attention" && config.has("global_head_dim")) return config.integer("global_head_dim", head_sizes);
  if (layers == "full_attention" && family.full_head_dim > 0) return family.full_head_dim;
  if (layers == "sliding_attention" && config.has("swa_head_dim")) return config.integer("swa_head_dim", head_sizes);
  const std::string name =
      config.first_of({"head_dim", "attention_head_dim", "kv_channels", "hidden_size_per_head", "d_kv"});
  if (!config.has(name) && family.head_dim > 0 && config.is_null(name)) return divided_by_null(config, family, name);
  if (!config.has(name) && family.head_dim == 0) return divided(config, family);
  const auto given = size_of(config, family, name, head_sizes, family.head_dim);
  const Division d = read_division(config, family, false);
  if (!given || !d.hidden || !d.heads || *given == *d.hidden / *d.heads || !config.has(name)) return given;
  const Index quotient = *d.hidden / *d.heads;
  config.note(name, config.path_of(name) + " " + to_text(*given) +
                        " takes precedence over hidden_size / num_attention_heads = " + to_text(quotient) +
                        ": a library that computes the quotient uses heads of that size");
  return given;
}

/// partial_rotary_factors: an item for each layer.
std::optional<double> listed_fraction(const ConfigObject& config, Index layer) {
  if (!config.has("partial_rotary_factors")) return std::nullopt;
  const auto listed = config.numbers("partial_rotary_factors", fractions);
  if (!listed || layer >= std::ssize(*listed)) return std::nullopt;
  return (*listed)[static_cast<std::size_t>(layer)];
}

std::string fraction_key(const ConfigObject& config) {
  return config.first_of({"partial_rotary_factor", "rotary_pct", "rope_pct", "rotary_emb_fraction"});
}

/// partial_rotary_factor under one of its names; the one inside the scaling wins.
std::optional<double> given_fraction(const ConfigObject& config, const ConfigObject* rope, Index layer) {
  if (const auto listed = listed_fraction(config, layer)) return listed;
  const std::string name = fraction_key(config);
  const auto outside = config.number(name, fractions);
  const auto inside = rope ? rope->number("partial_rotary_factor", fractions) : std::nullopt;
  if (inside && outside && *inside != *outside)
    rope->warning("partial_rotary_factor", fmt::format("{} is {}, {} is {}: Hugging Face uses the former",
                                                       rope->path_of("partial_rotary_factor"), to_text(*inside),
                                                       config.path_of(name), to_text(*outside)));
  return inside ? inside : outside;
}

/// Classes of Hugging Face 5 whose compute_default_rope_parameters has no partial_rotary_factor:
/// Llama's, and those whose modular_*.py takes Llama's rotary embedding or model.
constexpr std::string_view whole_heads[]{"llama", "mistral", "qwen2", "qwen3"};

void report_unread_fraction(const ConfigObject& config, const ConfigObject* rope, const ModelFamily& family,
                            const ConfigHead& head) {
  if (head.rotated() == head.head_dim || std::ranges::find(whole_heads, family.model_type) == std::end(whole_heads))
    return;
  const bool inside = rope && rope->has("partial_rotary_factor");
  const ConfigObject& place = inside ? *rope : config;
  const std::string key = inside ? "partial_rotary_factor" : fraction_key(config);
  place.warning(key, fmt::format("{} rotates {} of {} dimensions in vLLM, but the class of Hugging Face 5 for {} does "
                                 "not read it: all {} rotate with rope_type default, and other types fail",
                                 place.path_of(key), head.rotated(), head.head_dim, family.model_type, head.head_dim));
}

/// The number of rotated dimensions; an MLA family without latent attention writes 0 for it.
std::optional<Index> rotated_size(const ConfigObject& config) {
  const auto* part = config.take("qk_rope_head_dim");
  if (part && part->number() != 0.0) return config.integer("qk_rope_head_dim", head_sizes);
  return config.integer("rotary_dim", head_sizes);
}

}  // namespace

bool has_latent_attention(const ConfigObject& config, const ModelFamily& family) {
  const auto* given = config.value().find("qk_rope_head_dim");
  if (!given) {
    const auto* switched = config.value().find("use_mla");
    return family.latent.qk_rope_head_dim > 0 && !(switched && switched->boolean() && !*switched->boolean());
  }
  if (given->is_null() || given->number() == 0.0) return false;
  if (config.has("qk_nope_head_dim") || config.has("kv_lora_rank")) return true;
  const auto* head = config.value().find("head_dim");  // DeepSeek V4: a part of larger heads rotates
  return !head || head->number().value_or(0) <= given->number().value_or(0);
}

Index head_dim_of(const ConfigObject& config, const ModelFamily& family, std::string_view layers) {
  ConfigLedger aside;
  return head_size(ConfigObject(config.value(), config.path(), aside), family, layers).value_or(0);
}

std::string default_text(const ModelFamily& family, const std::string& value) {
  if (family.remote()) return fmt::format("{}, as in the code of {}", value, family.model_type);
  return fmt::format("{} is the default of {}", value, family.source);
}

std::optional<ConfigHead> read_head(const ConfigObject& config, const ConfigObject* rope, const ModelFamily& family,
                                    std::string_view layers, Index layer) {
  const Index errors = config.ledger().errors();
  ConfigHead head;
  if (has_latent_attention(config, family)) {
    head.latent = true;
    head.head_dim = size_of(config, family, "qk_rope_head_dim", head_sizes, family.latent.qk_rope_head_dim).value_or(0);
    config.take("qk_nope_head_dim");
    config.take("head_dim");
  } else {
    head.head_dim = head_size(config, family, layers).value_or(0);
  }
  const auto given = head.latent ? std::nullopt : given_fraction(config, rope, layer);
  const auto rotary_dim = head.latent ? std::nullopt : rotated_size(config);
  if (config.ledger().errors() > errors) return std::nullopt;
  const bool whole = head.latent || config.is_null("rotary_dim");  // GPT-J, CodeGen: all of the head if it is null
  const double fraction = whole ? given.value_or(1) : given.value_or(family.rotated);
  Index rotated = static_cast<Index>(std::trunc(static_cast<double>(head.head_dim) * fraction));
  const Index own = rotary_dim.value_or(rotated);
  if (given && own != rotated && family.model_type.starts_with("minimax"))
    config.warning("rotary_dim",
                   fmt::format("{} is {}, head_dim · partial_rotary_factor is {}: SGLang and llama.cpp use the former, "
                               "Hugging Face 5 and vLLM the latter",
                               config.path_of("rotary_dim"), own, rotated));
  rotated = own;
  if (!given && !rotary_dim && fraction != 1)
    config.note("partial_rotary_factor", fmt::format("{} is not given: {}", config.path_of("partial_rotary_factor"),
                                                     default_text(family, to_text(fraction))));
  const std::string culprit = rotary_dim ? "rotary_dim" : given ? "partial_rotary_factor" : "head_dim";
  if (rotated < 2 || rotated % 2 != 0 || rotated > head.head_dim || head.head_dim % 2 != 0) {
    config.error(
        culprit,
        fmt::format("{} of {} dimensions of a head are rotated; must be an even number from 2 to an even head size",
                    rotated, head.head_dim));
    return std::nullopt;
  }
  head.rotary_dim = rotated == head.head_dim ? 0 : rotated;
  if (given && !rotary_dim) report_unread_fraction(config, rope, family, head);
  return head;
}

}  // namespace vqscope

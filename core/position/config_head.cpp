// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position/config_head.h"

#include "core/base/text.h"

#include <cmath>

namespace vqscope {
namespace {

constexpr NumberRange sizes{2, 4096};
constexpr NumberRange widths{1, 1 << 24};
constexpr NumberRange heads{1, 1 << 16};
constexpr NumberRange shares{0, 1, true};

/// hidden_size / num_attention_heads, nothing where one is missing or they do not divide.
std::optional<Index> divided(const ConfigObject& config, bool needed) {
  const std::string width = config.first_of({"hidden_size", "n_embd", "d_model"});
  const std::string count = config.first_of({"num_attention_heads", "n_head", "n_heads"});
  const auto hidden = config.integer(width, widths);
  const auto number = config.integer(count, heads);
  if (!needed) return hidden && number ? std::optional(*hidden / *number) : std::nullopt;
  if (!hidden || !number) {
    const std::string missing = hidden ? count : width;
    if (!config.has(missing))
      config.error(missing,
                   config.path_of(missing) + " is not given, and no head_dim is: the size of a head is unknown");
    return std::nullopt;
  }
  const std::string sentence = config.path_of(width) + " " + to_text(*hidden) + " / " + count + " " + to_text(*number);
  if (*hidden % *number != 0) return config.error(width, sentence + " is no whole number"), std::nullopt;
  if (sizes.holds(static_cast<double>(*hidden / *number))) return *hidden / *number;
  return config.error(width, sentence + " is " + to_text(*hidden / *number) + ", a head must have " + sizes.text() +
                                 " dimensions"),
         std::nullopt;
}

std::optional<Index> head_size(const ConfigObject& config) {
  const std::string name = config.first_of({"head_dim", "kv_channels", "attention_head_dim"});
  if (!config.has(name)) return divided(config, true);
  const auto given = config.integer(name, sizes);
  const auto quotient = divided(config, false);
  if (given && quotient && *given != *quotient)
    config.note(name, config.path_of(name) + " " + to_text(*given) + " wins over hidden_size / num_attention_heads = " +
                          to_text(*quotient) + ": a reader that divides rotates " + to_text(*quotient / 2) +
                          " pairs instead of " + to_text(*given / 2));
  return given;
}

/// partial_rotary_factor under one of its names, from the scaling first.
std::optional<double> rotated_share(const ConfigObject& config, const ConfigObject* rope) {
  const std::string name = config.first_of({"partial_rotary_factor", "rotary_pct", "rope_pct"});
  const auto outside = config.number(name, shares);
  const auto inside = rope ? rope->number("partial_rotary_factor", shares) : std::nullopt;
  if (inside && outside && *inside != *outside)
    rope->warning("partial_rotary_factor", rope->path_of("partial_rotary_factor") + " is " + to_text(*inside) + ", " +
                                               config.path_of(name) + " is " + to_text(*outside) +
                                               ": Hugging Face takes the former");
  return inside ? inside : outside;
}

}  // namespace

std::optional<ConfigHead> read_head(const ConfigObject& config, const ConfigObject* rope) {
  const Index errors = config.ledger().errors();
  ConfigHead head;
  if (config.has("qk_rope_head_dim")) {
    head.latent = true;
    head.head_dim = config.integer("qk_rope_head_dim", sizes).value_or(0);
    config.take("qk_nope_head_dim");
    config.take("head_dim");
  } else {
    head.head_dim = head_size(config).value_or(0);
  }
  const auto share = head.latent ? std::nullopt : rotated_share(config, rope);
  const auto rotary_dim = config.integer("rotary_dim", sizes);
  if (config.ledger().errors() > errors) return std::nullopt;
  Index rotated = head.head_dim;
  if (share) rotated = static_cast<Index>(std::trunc(static_cast<double>(head.head_dim) * *share));
  if (rotary_dim) rotated = *rotary_dim;
  const std::string culprit = rotary_dim ? "rotary_dim" : share ? "partial_rotary_factor" : "head_dim";
  if (rotated < 2 || rotated % 2 != 0 || rotated > head.head_dim || head.head_dim % 2 != 0) {
    config.error(culprit, to_text(rotated) + " of " + to_text(head.head_dim) +
                              " dimensions of a head are rotated, both must be even, and 2 at least");
    return std::nullopt;
  }
  head.rotary_dim = rotated == head.head_dim ? 0 : rotated;
  return head;
}

}  // namespace vqscope

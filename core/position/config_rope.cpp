// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/position/config_rope.h"

#include "core/base/text.h"
#include "core/position/config_keys.h"
#include "core/position/rope_formulas.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr NumberRange lengths{1, 2147483648.0};
constexpr NumberRange thetas{1, 1e12, true};
constexpr NumberRange factors{1, 1024};
constexpr NumberRange turns{0.01, 65536};
constexpr NumberRange turns_or_default{0, 65536};
constexpr NumberRange frequency_factors{0.001, 65536};
constexpr NumberRange list_factors{0.001, 1e6};
constexpr NumberRange attention_factors{0, 100, true};
constexpr NumberRange mscales{0, 100};

constexpr Index assumed_length = 2048;

class RopeReader {
 public:
  RopeReader(const ConfigObject& config, const ConfigRopeSource& source, const ConfigHead& head)
      : m_config(config), m_source(source), m_rope(source.object), m_head(head) {}

  /// Nothing where the type is not known.
  const RopeTypeKeys* type();
  RopeUse read(const RopeTypeKeys& type);

 private:
  void read_lengths();
  void read_theta();
  void tell_inner_theta();
  void read_factor();
  void check_ratio();
  void read_yarn();
  void read_llama3();
  void read_longrope();
  void read_sections();
  void require(const RopeTypeKeys& type);
  std::optional<double> turns_of(std::string_view key, double fallback);
  bool is(std::string_view id) const { return m_use.scaling.rope_type == id; }
  std::string path(std::string_view key) const { return m_rope->path_of(key); }

  const ConfigObject& m_config;
  const ConfigRopeSource& m_source;
  const ConfigObject* m_rope;
  const ConfigHead& m_head;
  RopeUse m_use;
  bool m_trained_given = false;
  std::optional<Index> m_served;
};

const RopeTypeKeys* RopeReader::type() {
  if (!m_rope) return find_rope_type_keys("default");
  const auto current = m_rope->text("rope_type");
  const auto old = m_rope->text("type");
  if (current && old && *current != *old)
    m_rope->warning("type", path("type") + " is \"" + *old + "\" and rope_type is \"" + *current +
                                "\": Hugging Face takes the latter");
  else if (old && !current)
    m_rope->note("type", path("type") + " is the old name of rope_type: Hugging Face, vLLM and llama.cpp take both");
  if (!current && !old) {
    const bool bad = m_rope->has("rope_type") || m_rope->has("type");
    if (!bad && m_rope->has("factor"))
      m_rope->warning("rope_type",
                      path("rope_type") + " is not given: Hugging Face takes default, and factor is ignored");
    return bad ? nullptr : find_rope_type_keys("default");
  }
  const std::string key = current ? "rope_type" : "type";
  std::string id = current ? *current : *old;
  if (id == "su") {
    m_rope->note(key, path(key) + " su is the old name of longrope");
    id = "longrope";
  } else if (id == "mrope") {
    m_rope->note(key, path(key) + " mrope is the old name of default with mrope_section");
    id = "default";
  } else if (id == "deepseek_yarn") {
    m_rope->note(key, path(key) + " deepseek_yarn is vLLM's name of yarn");
    id = "yarn";
  }
  const auto* found = find_rope_type_keys(id);
  std::vector<std::string> known;
  for (const auto& each : rope_type_keys())
    if (each.hugging_face) known.push_back(each.id);
  if (!found)
    m_rope->error(key, path(key) + " is \"" + id.substr(0, 40) + "\", must be one of " + join(known, ", ") +
                           did_you_mean(id, known));
  else if (!found->hugging_face)
    m_rope->warning(key, path(key) + " is \"" + id + "\", which Hugging Face does not know and refuses; it knows " +
                             join(known, ", "));
  return found;
}

RopeUse RopeReader::read(const RopeTypeKeys& type) {
  m_use.layers = m_source.layers;
  m_use.path = m_rope ? m_rope->path() : "";
  m_use.place = m_rope ? m_rope->value().place : m_config.value().place;
  m_use.scaling.rope_type = type.id;
  m_use.scaling.head_dim = m_head.head_dim;
  m_use.scaling.rotary_dim = m_head.rotary_dim;
  m_use.scaling.factor = 1;
  if (m_rope) require(type);
  read_lengths();
  read_theta();
  if (!m_rope) return m_use;
  if (type.knows("factor")) read_factor();
  if (is("yarn")) read_yarn();
  if (is("llama3")) read_llama3();
  if (is("longrope")) read_longrope();
  read_sections();
  return m_use;
}

void RopeReader::require(const RopeTypeKeys& type) {
  for (const auto& key : type.required)
    if (!m_rope->has(key) && !(key == "factor" && type.id == "yarn"))
      m_rope->error(key, path(key) + " is not given, rope_type " + type.id + " needs it");
}

/// The trained length and what is served. Types without a trained length of their own were trained at
/// max_position_embeddings.
void RopeReader::read_lengths() {
  const std::string name =
      m_config.first_of({"max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "seq_length"});
  m_served = m_config.integer(name, lengths);
  const std::string original = "original_max_position_embeddings";
  const auto beside = m_config.integer(original, lengths);
  const bool reads = m_rope && find_rope_type_keys(m_use.scaling.rope_type)->knows(original);
  const auto inside = reads ? m_rope->integer(original, lengths) : std::nullopt;
  if (inside && beside && *inside != *beside)
    m_rope->warning(original, path(original) + " is " + to_text(*inside) + ", " + m_config.path_of(original) + " is " +
                                  to_text(*beside) + ": Hugging Face takes the former");
  const auto trained = inside ? inside : reads ? beside : std::nullopt;
  m_trained_given = trained.has_value();
  if (!trained && !m_served && !m_config.has(name))
    m_config.note(name, m_config.path_of(name) + " is not given: " + to_text(assumed_length) +
                            " is assumed, Hugging Face's default for Llama");
  m_use.scaling.original_max_position_embeddings = trained.value_or(m_served.value_or(assumed_length));
  m_use.max_position_embeddings = m_served.value_or(m_use.scaling.original_max_position_embeddings);
  if (m_use.max_position_embeddings < m_use.scaling.original_max_position_embeddings)
    m_config.warning(name, m_config.path_of(name) + " is " + to_text(m_use.max_position_embeddings) +
                               ", less than the trained length " +
                               to_text(m_use.scaling.original_max_position_embeddings));
  if (reads && !trained && (is("yarn") || is("longrope")))
    m_rope->note(original, path(original) + " is not given: " + name + " = " + to_text(m_use.max_position_embeddings) +
                               " is taken for the trained length; vLLM stops with a KeyError");
}

void RopeReader::read_theta() {
  const std::string name = m_source.theta_key == "rope_theta"
                               ? m_config.first_of({"rope_theta", "rotary_emb_base", "rope_base"})
                               : m_source.theta_key;
  const auto beside = m_config.number(name, thetas);
  const auto inside = m_rope ? m_rope->number("rope_theta", thetas) : std::nullopt;
  if (inside && beside && *inside != *beside && m_source.layers.empty())
    m_rope->warning("rope_theta", path("rope_theta") + " is " + plain_text(*inside) + ", " + m_config.path_of(name) +
                                      " is " + plain_text(*beside) +
                                      ": Hugging Face 5 takes the former, everything older the latter");
  else if (inside && !beside && m_source.layers.empty())
    tell_inner_theta();
  const auto theta = inside ? inside : beside;
  m_use.scaling.rope_theta = theta.value_or(10000);
  if (!theta && !m_config.has(name) && !(m_rope && m_rope->has("rope_theta")))
    m_config.note(name, m_config.path_of(name) + " is not given: 10000 is assumed, which most models default to");
}

/// Theta inside the scaling is the layout of Hugging Face 5 when the object has its new name.
void RopeReader::tell_inner_theta() {
  if (m_rope->path().ends_with("rope_scaling"))
    m_rope->warning("rope_theta", path("rope_theta") +
                                      " stands in rope_scaling: readers look for rope_theta beside it, "
                                      "or in rope_parameters, and take their default, mostly 10000");
  else
    m_rope->note("rope_theta", path("rope_theta") +
                                   " is where Hugging Face 5 has it: older readers look for rope_theta "
                                   "beside rope_parameters, and take their default, mostly 10000");
}

void RopeReader::read_factor() {
  const auto given = m_rope->number("factor", factors);
  const double trained = static_cast<double>(m_use.scaling.original_max_position_embeddings);
  const double ratio = static_cast<double>(m_use.max_position_embeddings) / trained;
  const bool follows = is("yarn") || is("longrope");
  if (!given && follows && !m_rope->has("factor")) {
    m_use.scaling.factor = std::clamp(ratio, factors.low, factors.high);
    m_rope->note("factor", path("factor") + " is not given: max_position_embeddings / trained length = " +
                               to_text(m_use.max_position_embeddings) + " / " + plain_text(trained) + " = " +
                               to_text(ratio) + " is taken");
    return;
  }
  m_use.scaling.factor = given.value_or(1);
  if (given && std::holds_alternative<Index>(m_rope->take("factor")->data))
    m_rope->note("factor", path("factor") + " is the integer " + to_text(*given) +
                               ", for which some versions of Hugging Face warn that it is no float; the number is the "
                               "same");
  if (given && follows && m_served) check_ratio();
}

void RopeReader::check_ratio() {
  const double trained = static_cast<double>(m_use.scaling.original_max_position_embeddings);
  const double ratio = static_cast<double>(*m_served) / trained;
  if (!m_trained_given || std::abs(m_use.scaling.factor / ratio - 1) < 1e-3) return;
  const std::string before = is("yarn") ? "Hugging Face took the ratio for some versions, and takes factor since"
                                        : "Hugging Face takes factor, vLLM the ratio for the attention factor";
  m_rope->warning("factor", path("factor") + " is " + plain_text(m_use.scaling.factor) +
                                ", max_position_embeddings / trained length is " + to_text(*m_served) + " / " +
                                plain_text(trained) + " = " + to_text(ratio, 6) + ": " + before);
}

/// 0 is read as not given, which is what `get() or default` does.
std::optional<double> RopeReader::turns_of(std::string_view key, double fallback) {
  const auto given = m_rope->number(key, turns_or_default);
  if (given && *given == 0) {
    m_rope->note(key, path(key) + " is 0, which Hugging Face reads as not given: " + plain_text(fallback));
    return fallback;
  }
  if (given && *given < turns.low)
    m_rope->error(key, path(key) + " is " + to_text(*given) + ", must be 0 or " + turns.text());
  return given;
}

void RopeReader::read_yarn() {
  auto& s = m_use.scaling;
  s.beta_fast = turns_of("beta_fast", 32).value_or(32);
  s.beta_slow = turns_of("beta_slow", 1).value_or(1);
  if (s.beta_fast < s.beta_slow)
    m_rope->error("beta_fast", path("beta_fast") + " is " + plain_text(s.beta_fast) +
                                   ", must be at least beta_slow = " + plain_text(s.beta_slow) +
                                   ": else slow pairs are kept and fast ones interpolated");
  s.truncate = m_rope->boolean("truncate").value_or(true);
  s.attention_factor = m_rope->number("attention_factor", attention_factors).value_or(0);
  s.mscale = m_rope->number("mscale", mscales).value_or(0);
  s.mscale_all_dim = m_rope->number("mscale_all_dim", mscales).value_or(0);
  if ((s.mscale > 0) != (s.mscale_all_dim > 0)) {
    const std::string alone = s.mscale > 0 ? "mscale" : "mscale_all_dim";
    m_rope->note(alone, path(alone) + " counts for cos and sin only with both of mscale and mscale_all_dim above 0");
  }
  if (s.attention_factor > 0 && s.mscale > 0 && s.mscale_all_dim > 0)
    m_rope->warning("attention_factor", path("attention_factor") + " wins over mscale and mscale_all_dim");
  if (m_head.latent && s.mscale_all_dim > 0)
    m_use.softmax_factor = std::pow(yarn_mscale(s.factor, s.mscale_all_dim), 2);
}

void RopeReader::read_llama3() {
  auto& s = m_use.scaling;
  s.low_freq_factor = m_rope->number("low_freq_factor", frequency_factors).value_or(1);
  s.high_freq_factor = m_rope->number("high_freq_factor", frequency_factors).value_or(4);
  if (m_rope->has("low_freq_factor") && m_rope->has("high_freq_factor") && s.high_freq_factor <= s.low_freq_factor)
    m_rope->error("high_freq_factor", path("high_freq_factor") + " is " + plain_text(s.high_freq_factor) +
                                          ", must be above low_freq_factor = " + plain_text(s.low_freq_factor));
}

void RopeReader::read_longrope() {
  auto& s = m_use.scaling;
  s.attention_factor = m_rope->number("attention_factor", attention_factors).value_or(0);
  if (s.original_max_position_embeddings < 2)
    m_rope->error("original_max_position_embeddings", "the trained length is 1, must be at least 2 with longrope");
  for (const std::string key : {"short_factor", "long_factor"}) {
    auto list = m_rope->numbers(key, list_factors);
    if (!list) continue;
    if (const auto count = static_cast<Index>(list->size()); count != s.pairs())
      m_rope->error(key, path(key) + " has " + to_text(count) + " items, must have " + to_text(s.pairs()) +
                             ", half the rotated dimensions");
    (key == "short_factor" ? s.short_factor : s.long_factor) = std::move(*list);
  }
}

/// mrope: the pairs are shared out to time, height and width; the frequencies are those of default.
void RopeReader::read_sections() {
  const auto sections = m_rope->numbers("mrope_section", {0, 4096});
  if (!sections) return;
  double sum = 0;
  for (const double each : *sections) sum += each;
  if (sum != static_cast<double>(m_use.scaling.pairs()))
    m_rope->warning("mrope_section", path("mrope_section") + " adds up to " + plain_text(sum) + ", must be " +
                                         to_text(m_use.scaling.pairs()) + ", half the rotated dimensions");
}

}  // namespace

std::optional<RopeUse> read_rope(const ConfigObject& config, const ConfigRopeSource& source,
                                 std::vector<ConfigKey>& keys) {
  const Index errors = config.ledger().errors();
  const auto head = read_head(config, source.object);
  RopeReader reader(config, source, head.value_or(ConfigHead{}));
  const auto* type = reader.type();
  if (source.object && type) {
    const auto all = rope_keys(*source.object, *type);
    keys.insert(keys.end(), all.begin(), all.end());
  }
  if (!head || !type) return std::nullopt;
  RopeUse use = reader.read(*type);
  if (config.ledger().errors() > errors) return std::nullopt;
  if (auto checked = use.scaling.check(); !checked) {
    config.ledger().add(ConfigSeverity::error, use.path, use.place, checked.error().message);
    return std::nullopt;
  }
  return use;
}

ParameterValues rope_values(const RopeUse& use) {
  const RopeScaling& s = use.scaling;
  ParameterValues values;
  values.set("rope_type", s.rope_type);
  values.set("head_dim", s.head_dim);
  values.set("rotary_dim", s.rotary_dim);
  values.set("rope_theta", s.rope_theta);
  values.set("factor", s.factor);
  values.set("original_max_position_embeddings", s.original_max_position_embeddings);
  values.set("seq_len", rope_type(s.rope_type).reads("seq_len") ? use.seq_len : Index{0});
  values.set("beta_fast", s.beta_fast);
  values.set("beta_slow", s.beta_slow);
  values.set("truncate", s.truncate);
  values.set("yarn_ramp", std::string("dimension_index"));
  values.set("attention_factor", s.attention_factor);
  values.set("mscale", s.mscale);
  values.set("mscale_all_dim", s.mscale_all_dim);
  values.set("low_freq_factor", s.low_freq_factor);
  values.set("high_freq_factor", s.high_freq_factor);
  values.set("short_factor", s.short_factor);
  values.set("long_factor", s.long_factor);
  return values;
}

}  // namespace vqscope

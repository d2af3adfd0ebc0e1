// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/base/sentence.h"
#include "core/config/family/family_reading.h"
#include "core/config/rope/rope_reading.h"
#include "core/encoding/rope/rope_formulas.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr NumberRange factors{0.01, 1024};

constexpr Index assumed_length = 2048;

class RopeReader {
 public:
  RopeReader(const ConfigObject& config, const ConfigRopeSource& source, const ConfigHead& head)
      : m_config(config), m_source(source), m_rope(source.object), m_head(head) {}

  RopeUse read(const RopeTypeKeys& type);

 private:
  void read_lengths();
  void read_theta();
  void report_inner_theta();
  void read_factor();
  void check_ratio();
  void read_truncate();
  void require(const RopeTypeKeys& type);
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

RopeUse RopeReader::read(const RopeTypeKeys& type) {
  m_use.layers = m_source.layers;
  m_use.path = m_rope ? m_rope->path() : "";
  m_use.place = m_rope ? m_rope->value().place : m_config.value().place;
  m_use.scaling.rope_type = m_use.rope_type = type.id;
  m_use.scaling.head_dim = m_head.head_dim;
  m_use.scaling.rotary_dim = m_head.rotary_dim;
  m_use.scaling.factor = 1;
  if (m_rope) require(type);
  read_lengths();
  read_theta();
  read_layout(m_config, m_rope, *m_source.family, m_head, m_use);
  if (!m_rope) return m_use;
  if (is("proportional")) take_proportional(*m_rope, m_use);
  if (is("dynamic")) read_alpha(*m_rope, *m_source.family, m_use);
  if (type.knows("factor")) read_factor();
  if (is("yarn")) read_yarn(*m_rope, m_use.scaling);
  if (is("yarn") && m_source.types) read_truncate();
  if (is("yarn") && m_source.family->plain_yarn && m_use.scaling.attention_factor == 0)
    m_use.scaling.attention_factor = 1;
  if (is("llama3")) read_llama3(*m_rope, m_use.scaling);
  if (is("longrope")) read_longrope(*m_rope, m_use.scaling);
  if (is("longrope")) read_mscales(*m_rope, *m_source.family, m_use);
  check_sections(*m_rope, m_use.scaling.pairs());
  if (m_head.latent && is("yarn") && m_use.scaling.mscale_all_dim > 0)
    m_use.softmax_factor = std::pow(yarn_mscale(m_use.scaling.factor, m_use.scaling.mscale_all_dim), 2);
  return m_use;
}

void RopeReader::require(const RopeTypeKeys& type) {
  for (const auto& key : type.required)
    if (!m_rope->has(key) && !(key == "factor" && type.id == "yarn"))
      m_rope->error(key, fmt::format("{} is not given, but rope_type {} requires it", path(key), type.id));
}

/// Reads the training length and the longest sequence served. Types without a training length of
/// their own were trained at max_position_embeddings.
void RopeReader::read_lengths() {
  const std::string name = length_key(m_config, *m_source.family);
  m_served = m_config.integer(name, lengths);
  if (name != "max_position_embeddings") m_config.take("max_position_embeddings");  // the family's own key wins
  const std::string original = "original_max_position_embeddings";
  const auto beside = m_config.integer(original, lengths);
  const bool reads = m_rope && find_rope_type_keys(m_use.scaling.rope_type)->knows(original);
  const auto inside = reads ? m_rope->integer(original, lengths) : std::nullopt;
  if (inside && beside && *inside != *beside)
    m_rope->warning(original, fmt::format("{} is {}, {} is {}: Hugging Face {}", path(original), *inside,
                                          m_config.path_of(original), *beside,
                                          is("longrope") ? "uses the latter" : "4 uses the former, 5 the latter"));
  const Index within = inside.value_or(0), without = beside.value_or(0);  // 0: not given
  const bool outer = within == 0 || (without > 0 && is("longrope"));
  const Index trained = !outer ? within : reads ? without : 0;
  m_trained_given = trained > 0;
  const Index usual = m_source.family->positions;
  if (!m_served && !m_config.has(name) && (usual > 0 || trained == 0))
    m_config.note(name, fmt::format("{}: {}", m_config.absence(name),
                                    usual > 0 ? default_text(*m_source.family, to_text(usual))
                                              : fmt::format("{} is assumed", assumed_length)));
  const Index default_value = usual > 0 ? usual : trained > 0 ? trained : assumed_length;
  const Index served = m_served.value_or(default_value);
  m_use.scaling.original_max_position_embeddings = trained > 0 ? trained : served;
  m_use.max_position_embeddings = served;
  if (m_served && served < m_use.scaling.original_max_position_embeddings)
    m_config.warning(name, fmt::format("{} is {}, less than the training length {}", m_config.path_of(name), served,
                                       m_use.scaling.original_max_position_embeddings));
  if (reads && trained == 0 && (is("yarn") || is("longrope")))
    m_rope->note(
        original,
        fmt::format(
            "{} is not given: {} = {} is used as the training length; vLLM with Transformers 4 stops with a KeyError",
            path(original), name, m_use.max_position_embeddings));
}

void RopeReader::read_theta() {
  const ConfigTheta outside = read_config_theta(m_config, m_source.theta_key, m_source.layer);
  const std::string& name = outside.key;
  const auto& beside = outside.value;
  const auto common = m_rope ? m_rope->number("rope_theta", thetas) : std::nullopt;
  const bool by_layer = m_source.theta_key == "layer_rope_theta" && beside;  // which overrides that of all layers
  const auto inside = by_layer ? std::nullopt : common;
  if (inside && beside && *inside != *beside && m_source.layers.empty())
    m_rope->warning("rope_theta",
                    fmt::format("{} is {}, {} is {}: Hugging Face 5 uses the former, older readers the latter",
                                path("rope_theta"), plain_text(*inside), m_config.path_of(name), plain_text(*beside)));
  else if (inside && !beside && m_source.layers.empty())
    report_inner_theta();
  const auto theta = inside ? inside : beside;
  m_use.rope_theta = theta.value_or(m_source.theta) * outside.ratio;
  m_use.scaling.rope_theta = m_use.rope_theta;
  if (theta || m_config.has(name) || (m_rope && m_rope->has("rope_theta"))) return;
  const std::string value = plain_text(m_source.theta);
  const std::string times = outside.ratio == 1 ? "" : ", times rope_ratio " + plain_text(outside.ratio);
  m_config.note(name, fmt::format("{}: {}{}", m_config.absence(name),
                                  m_source.family->known() ? default_text(*m_source.family, value)
                                                           : value + " is assumed, which most models default to",
                                  times));
}

/// Hugging Face 5 has theta inside the scaling, under the new name of the object.
void RopeReader::report_inner_theta() {
  if (m_rope->path().ends_with("rope_scaling"))
    m_rope->warning("rope_theta", path("rope_theta") +
                                      " is in rope_scaling: readers look for rope_theta beside it, or in "
                                      "rope_parameters, and otherwise use their default, usually 10000");
  else
    m_rope->note("rope_theta", path("rope_theta") +
                                   " is where Hugging Face 5 expects it: older readers look for rope_theta beside "
                                   "rope_parameters, and otherwise use their default, usually 10000");
}

void RopeReader::read_factor() {
  const auto given = m_rope->number("factor", factors);
  const double trained = static_cast<double>(m_use.scaling.original_max_position_embeddings);
  const double ratio = static_cast<double>(m_use.max_position_embeddings) / trained;
  const bool follows = is("yarn") || is("longrope");
  if (!given && follows && !m_rope->has("factor")) {
    m_use.scaling.factor = std::clamp(ratio, factors.low, factors.high);
    m_rope->note("factor",
                 fmt::format("{} is not given: max_position_embeddings / training length = {} / {} = {} is used",
                             path("factor"), m_use.max_position_embeddings, plain_text(trained), to_text(ratio)));
    return;
  }
  m_use.scaling.factor = given.value_or(1);
  if (given && *given < 1)
    m_rope->warning("factor", fmt::format("{} is {}, less than 1: phases grow faster than in training instead of "
                                          "slower; Hugging Face only warns",
                                          path("factor"), plain_text(*given)));
  if (given && std::holds_alternative<Index>(m_rope->take("factor")->data))
    m_rope->note("factor", fmt::format("{} is the integer {}, for which some versions of Hugging Face warn that it is "
                                       "not a float; the number is the same",
                                       path("factor"), to_text(*given)));
  if (given && follows && m_served) check_ratio();
}

void RopeReader::check_ratio() {
  const double trained = static_cast<double>(m_use.scaling.original_max_position_embeddings);
  const double ratio = static_cast<double>(*m_served) / trained;
  if (!m_trained_given || std::abs(m_use.scaling.factor / ratio - 1) < 1e-3) return;
  const std::string before = is("yarn") ? "some versions of Hugging Face used the ratio, newer ones use factor"
                                        : "Hugging Face uses factor; vLLM uses the ratio for the attention factor";
  m_rope->warning("factor", fmt::format("{} is {}, max_position_embeddings / training length is {} / {} = {}: {}",
                                        path("factor"), plain_text(m_use.scaling.factor), *m_served,
                                        plain_text(trained), to_text(ratio, 6), before));
}

/// For scalings by layer type, Hugging Face 5 reads `truncate` beside them, not inside.
void RopeReader::read_truncate() {
  RopeScaling& s = m_use.scaling;
  const bool inside = s.truncate;
  s.truncate = m_source.types->boolean("truncate").value_or(true);
  if (inside != s.truncate && m_rope->has("truncate"))
    m_rope->warning("truncate", fmt::format("{} is {}: Hugging Face 5 looks for it in {} alone and uses {}; vLLM and "
                                            "SGLang use {}",
                                            path("truncate"), inside, m_source.types->path(), s.truncate, inside));
}

}  // namespace

std::optional<RopeUse> read_rope(const ConfigObject& config, const ConfigRopeSource& source,
                                 std::vector<ConfigKey>& keys) {
  const Index errors = config.ledger().errors();
  const auto head = read_head(config, source.object, *source.family, source.layers, source.layer);
  const auto* type = source.object ? read_rope_type(*source.object, *source.family) : find_rope_type_keys("default");
  if (source.object && type) {
    const auto all = rope_keys(*source.object, *type, *source.family);
    keys.insert(keys.end(), all.begin(), all.end());
  }
  if (!head || !type) return std::nullopt;
  RopeUse use = RopeReader(config, source, *head).read(*type);
  if (config.ledger().errors() > errors) return std::nullopt;
  if (auto checked = use.scaling.check(); !checked) {
    config.ledger().add(ConfigSeverity::error, use.path, use.place, checked.error().message);
    return std::nullopt;
  }
  return use;
}

}  // namespace vqscope

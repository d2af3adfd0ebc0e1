// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/checkpoint/checkpoint.h"
#include "core/config/family/model_family.h"
#include "core/config/report/config_ledger.h"
#include "core/config/rope/rope_reading.h"

namespace vqscope {

/// Whether a report also compares how implementations compute each RoPE, which takes most of the
/// time.
enum class ConfigDetails { all, without_implementations };

/// Examines one config: finds the text model and its family, then its positions.
class ConfigDoctor {
 public:
  explicit ConfigDoctor(const ConfigValue& root, ConfigDetails details = ConfigDetails::all)
      : m_top(root, "", m_ledger), m_details(details) {}

  /// `checkpoint`: the weights beside the config, with which it is compared; null: none.
  Result<ConfigReport> examine(const Checkpoint* checkpoint = nullptr);

 private:
  void find_text_model();
  void find_family();
  void find_family_by_class();
  void report_other_class() const;
  void read_kind();
  void read_encoding();
  void read_ropes();
  void read_rope_of(const ConfigRopeSource& source);
  void read_layers_of(const ConfigObject& object);
  double theta_of(std::string_view layers) const;
  bool is_unread_type(std::string_view name) const;
  void read_missing_layers();
  std::string local_theta_key() const;
  std::string theta_key_of(std::string_view name) const;
  Index layers_of(std::string_view name) const;
  Index first_layer(std::string_view name) const;
  bool read_listed_layers(const ConfigObject* object);
  bool read_thetas_of_layers(const ConfigObject* object);
  void read_unlike_layers(const ConfigObject* object);
  void report_layers_without_rope();
  void collect_keys();
  const ConfigObject& model() const { return m_text ? *m_text : m_top; }

  ConfigLedger m_ledger;
  ConfigObject m_top;
  ConfigDetails m_details;
  std::optional<ConfigObject> m_text;  ///< the text model of a multimodal config
  const ModelFamily* m_family = nullptr;
  ConfigReport m_report;
  std::vector<ConfigKey> m_rope_keys;
};

}  // namespace vqscope

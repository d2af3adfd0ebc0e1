// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"
#include "widgets/page/page_widget.h"

#include <array>
#include <optional>
#include <string>

class QPushButton;

namespace vqscope {

class ModelView;
class Overlay;

/// The layers of the window's model, and what its config means.
class ModelPage : public PageWidget {
  Q_OBJECT
 public:
  ModelPage(Workbench& workbench, const PageInfo& info, QWidget* parent);

  ModelView* view() const { return m_view; }
  /// Report on the session's config; null: the session has none.
  const ConfigReport* report() const { return m_report ? &*m_report : nullptr; }

  void sync() override;
  void forget() override { m_shown.reset(); }
  void fit() override;
  void zoom(double) override {}
  Result<void> goTo(Cell cell) override;
  std::optional<Extent> extent() const override { return std::nullopt; }
  std::vector<ExportTarget> exportTargets() const override;
  const Method* mainMethod() const override;
  bool isBusy() const override { return m_weights.isBusy(); }
  void announce() override { emit readoutShown(std::nullopt); }
  bool hasSides() const override { return false; }

 signals:
  void openRequested();
  void pasteRequested();
  /// The path of a config that the program brings along.
  void sampleRequested(const QString& path);
  /// Pairs, readers and keys of the config.
  void detailsRequested();
  void compareRequested();

 protected:
  bool hasResult() const override { return m_shown.has_value(); }
  void showFreshness() override;

 private:
  void readConfig();
  void readWeights();
  void showLayers();
  void openMask(int layer);
  void openPhases(int layer);
  void moveQuery(Index query, bool finished);
  void setRule(const LayerKindFlags& keeps);

  ModelView* m_view;
  Overlay* m_overlay;
  QWidget* m_bar;
  std::string m_config;  ///< the text of m_report
  std::string m_file;    ///< where it was read
  std::optional<ConfigReport> m_report;
  FieldScheduler m_weights;  ///< compares the config with the weights beside it
  std::optional<ParameterValues> m_shown;
  std::string m_name;
};

}  // namespace vqscope

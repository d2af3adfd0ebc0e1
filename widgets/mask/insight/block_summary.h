// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/map/block_view.h"
#include "widgets/session/field_scheduler.h"

#include <QWidget>

#include <array>

class QLabel;

namespace vqscope {

/// The numbers of full, partial and empty blocks of a mask. Counted in the background; the previous
/// counts stay, greyed, until the new ones are ready.
class BlockSummary : public QWidget {
  Q_OBJECT
 public:
  explicit BlockSummary(QWidget* parent = nullptr);

  /// Nothing: no blocks are shown, and the summary is hidden.
  void setBlocks(std::shared_ptr<const BlockView> blocks);
  bool isBusy() const { return m_scheduler.isBusy(); }

 private:
  void showCounts(const Result<BlockCounts>& counts);
  void setCurrent(bool current);

  std::array<QLabel*, 4> m_values{};  ///< full, partial, empty, sparsity
  QLabel* m_failure = nullptr;        ///< why they are not counted
  std::shared_ptr<const BlockView> m_blocks;
  FieldScheduler m_scheduler;
};

}  // namespace vqscope

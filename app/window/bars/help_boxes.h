// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace vqscope {

// Boxes of the menu Help.
void showKeys(QWidget* window);
void showRecoveryHelp(QWidget* window);
void showAbout(QWidget* window);

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace vqscope {

/// The texts of the menu Help, each in a message box over `window`.
void showKeys(QWidget* window);
void showRecoveryHelp(QWidget* window);
void showAbout(QWidget* window);

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
// What the manual page says beyond the commands.
#pragma once

#include <array>
#include <string_view>

namespace vqscope {

struct ManualEntry {
  std::string_view term;
  std::string_view text;
};

inline constexpr std::array exit_statuses{
    ManualEntry{"0", "Done."},
    ManualEntry{"1",
                "Done, and there is something to look at: findings, differences, missing points. Each command "
                "says above when."},
    ManualEntry{"2", "Refused or failed: one line on standard error, no files written."},
    ManualEntry{"130", "Interrupted with Ctrl+C or SIGTERM."}};

inline constexpr std::array environment_variables{
    ManualEntry{"XDG_CONFIG_HOME", "Folder of the last session and the layout of the window; ~/.config if not set."},
    ManualEntry{"XDG_STATE_HOME", "Folder of the journals of open windows; ~/.local/state if not set."},
    ManualEntry{"XDG_DATA_HOME", "Folder of the kept runs; ~/.local/share if not set."},
    ManualEntry{"XDG_RUNTIME_DIR",
                "Folder of the socket through which a second start hands its files to the window "
                "that is open."},
    ManualEntry{"HF_HUB_CACHE, HF_HOME, XDG_CACHE_HOME, TRANSFORMERS_CACHE",
                "Where models and tokenizers named ORG/NAME are looked for; ~/.cache/huggingface/hub if none is set. "
                "Nothing is downloaded."},
    ManualEntry{"DISPLAY, WAYLAND_DISPLAY, QT_QPA_PLATFORM",
                "The display of the window. If none is set, the program writes the default session into the folder "
                "vqscope-default-session. Commands need no display."},
    ManualEntry{
        "SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_COUNT, SLURM_ARRAY_TASK_MIN, SLURM_ARRAY_TASK_STEP, PARALLEL_SEQ",
        "The part of a sweep that --shard auto computes."},
    ManualEntry{"TERM", "If it is dumb, no progress is shown."},
    ManualEntry{"NO_COLOR", "Commands print no colours, whether it is set or not."}};

inline constexpr std::array manual_files{
    ManualEntry{"FILE.vqscope", "A session: everything that a window shows, as JSON."},
    ManualEntry{"FILE.py", "A mask_mod in the mask language, a subset of FlexAttention's Python."},
    ManualEntry{"~/.config/vqscope", "The session of the window that was closed last, its layout, and recent files."},
    ManualEntry{"~/.local/state/vqscope", "Journals of open windows, from which a session is restored after a crash."},
    ManualEntry{"~/.local/share/vqscope/runs", "Kept runs of experiments."}};

}  // namespace vqscope

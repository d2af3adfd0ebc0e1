// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/action_words.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::string_view pictures = "masks positions attention experiments model";
constexpr std::string_view maps = "masks positions attention";

constexpr ActionWords all[] = {
    {"Export…", pictures, "figure picture image save pdf svg png csv npy json numbers download"},
    {"Export block lists…", "masks", "BlockMask flex attention kv_indices npz safetensors sparse"},
    {"Print…", pictures, "paper printer"},
    {"Report…", pictures, "html markdown share file export"},
    {"Copy command line", pictures, "export script shell terminal"},
    {"Copy code for PyTorch", "positions", "export python snippet torch"},
    {"Copy code for NumPy", "positions", "export python snippet"},
    {"Mask text", "masks", "edit as text editor code flex attention dock"},
    {"Go to cell…", maps, "jump query key"},
    {"Fit", maps, "zoom whole reset"},
    {"Go to the first difference", "masks", "compare A B next"},
    {"What is this mask?", "masks", "recognise pattern name"},
    {"Import mask…", "masks", "open file npy png csv"},
    {"Watch folder…", "masks", "follow reload"},
    {"Open capture…", "model", "dump tensors layers heads rope engine"},
    {"Compare captures…", "model", "parity engines difference cause"},
    {"Open model…", "model", "config json gguf llama qwen gemma"},
    {"Paste model config", "model", "clipboard json"},
    {"Survey of position encodings…", "positions", "compare table list"},
    {"Open…", "*", "load file config mask session tensors"},
    {"New session", "*", "clear reset"},
    {"Save session", "*", "keep store"},
    {"Guide", "*", "help documentation manual"},
    {"Parameter names", "", "preferences settings options ids"},
    {"Theme: Light", "", "preferences settings appearance colours"},
    {"Theme: Dark", "", "preferences settings appearance colours"},
    {"Keys and mouse", "*", "shortcuts keyboard help"},
};

}  // namespace

std::span<const ActionWords> action_words() { return all; }

const ActionWords* find_action_words(std::string_view title) {
  const auto found = std::ranges::find(all, title, &ActionWords::title);
  return found == std::end(all) ? nullptr : &*found;
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_text.h"

#include "core/base/sentence.h"
#include "core/config/config_parts.h"
#include "core/config/report/reader_matrix.h"
#include "core/config/report/report_output.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The first and last lines of a text that is longer than `most` bytes, most of them the first.
std::string within_bytes(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t head = text.rfind('\n', most * 3 / 4), tail = text.find('\n', text.size() - most / 5);
  head = head == std::string::npos ? 0 : head + 1;
  tail = tail == std::string::npos ? text.size() : tail + 1;
  const auto left_out = std::count(text.begin() + static_cast<std::ptrdiff_t>(head),
                                   text.begin() + static_cast<std::ptrdiff_t>(tail), '\n');
  return fmt::format("{}  … {} lines are left out, --json has them …\n{}", text.substr(0, head), left_out,
                     text.substr(tail));
}

/// Right-aligned in a column.
std::string cell(const std::string& text, std::size_t width) {
  return (text.size() < width ? std::string(width - text.size(), ' ') : "") + text;
}

std::string pairs_text(const RopeUse& use) {
  std::string text = cell("pair", 4) + cell("inv_freq", 14) + cell("wavelength", 14) + cell("trained turns", 16) +
                     cell("served turns", 15) + "  fate\n";
  for (std::size_t i = 0; i < use.pairs.size(); ++i) {
    const ConfigPair& pair = use.pairs[i];
    text += cell(to_text(static_cast<Index>(i)), 4) + cell(to_text(pair.inv_freq, 6), 14) +
            cell(to_text(pair.wavelength, 6), 14) + cell(to_text(pair.trained_turns, 6), 16) +
            cell(to_text(pair.served_turns, 6), 15) + "  " + fate_name(pair.fate) + "\n";
  }
  return text;
}

std::string use_text(const RopeUse& use) {
  const RopeScaling& s = use.scaling;
  std::string text = fmt::format(
      "\nRoPE{}: {} of {} dimensions rotated, computed for {} tokens, trained on {}\nattention factor {}, softmax "
      "factor "
      "{}: attention logits × {}\n{}",
      use.layers.empty() ? std::string() : " of " + use.layers, s.rotated(), s.head_dim, use.seq_len,
      s.original_max_position_embeddings, to_text(use.attention_factor, 9), to_text(use.softmax_factor, 9),
      to_text(use.logit_factor(), 9), pairs_text(use));
  if (use.implementations.empty()) return text;
  text += "\nReaders of this config\n";
  for (const auto& each : use.implementations)
    text += fmt::format("  {}, {} tokens: {}\n    {}\n", each.name, each.seq_len, implementation_text(each), each.rule);
  return text;
}

/// Parts other than RoPE that change with the length.
std::string lengths_text(const ConfigReport& report) {
  std::string text;
  if (report.dynamic_ntk_length > 0)
    text += fmt::format(
        "  beyond {} tokens rope_theta is multiplied by a^(d / (d - 2)), a = 2^⌈log2(length / {}) + 1⌉ - 1\n",
        report.dynamic_ntk_length, report.dynamic_ntk_length);
  if (report.logn_length > 0)
    text += fmt::format("  queries at position p beyond {} are multiplied by log(p) / log({})\n", report.logn_length,
                        report.logn_length);
  if (report.dual_chunk)
    text += fmt::format("  vLLM reads longer prompts in chunks of {} positions ({} of them local)\n",
                        report.dual_chunk->chunk_size, report.dual_chunk->local_size);
  return text.empty() ? text : "\nLonger sequences\n" + text;
}

/// The keys that concern positions.
std::string keys_text(const ConfigReport& report) {
  std::string text = "\nKeys\n";
  Index others = 0;
  for (const auto& key : report.keys) {
    if (key.use == KeyUse::unrelated) {
      ++others;
      continue;
    }
    text += fmt::format("  {}  {} = {}", key_use_name(key.use), key.path, key.value);
    if (!key.note.empty()) text += fmt::format(" ({})", key.note);
    text += "\n";
  }
  return fmt::format("{}  {} {} not known to concern positions\n", text, others,
                     others == 1 ? "other key is" : "other keys are");
}

/// "half-split pairs (i, i + 64)".
std::string layout_text(const RopeUse& use) {
  if (use.interleaved) return "interleaved pairs (2i, 2i + 1)";
  return fmt::format("half-split pairs (i, i + {})", use.apart);
}

std::string rope_summary(const RopeUse& use) {
  const RopeScaling& s = use.scaling;
  std::string text = use.layers.empty() ? "" : shortened(use.layers) + ": ";
  text += "rope_type " + use.rope_type;
  if (use.alpha > 0) text += ", alpha " + plain_text(use.alpha);
  if (rope_type(s.rope_type).reads("factor")) text += ", factor " + plain_text(s.factor);
  text += ", rope_theta " + plain_text(use.rope_theta);
  if (use.alpha > 0) text += " taken as " + to_text(s.rope_theta, 6);
  text += fmt::format(", {} of {} dimensions rotated in {}", s.rotated(), s.head_dim, layout_text(use));
  if (const auto& own = use.sections(); !own.empty()) {
    constexpr std::size_t most = 8;  // axes; published models have three or four
    std::vector<std::string> sections, names = use.axis_names();
    for (const double each : own) sections.push_back(plain_text(each));
    if (sections.size() > most) {
      sections.resize(most, "…");
      sections.back() = "…";
      names.resize(1);
      names.front() = fmt::format("0 to {}", own.size() - 1);
    }
    text += use.height_first ? fmt::format(", on axes height, width in turns, then time: {}", join(sections, ", "))
                             : fmt::format(", on axes {}: {}{}", join(names, ", "), join(sections, ", "),
                                           use.mrope_interleaved ? " in turns" : "");
  }
  text +=
      fmt::format(", training length {}; {} pairs: {} kept, {} blended, {} scaled", s.original_max_position_embeddings,
                  s.pairs(), use.count(PairFate::kept), use.count(PairFate::blended), use.count(PairFate::scaled));
  return fmt::format("{}; attention logits × {}", text, to_text(use.logit_factor(), 6));
}

/// One sentence: both RoPEs of two, as published models have; of more, as many as fit.
std::string ropes_summary(const std::vector<RopeUse>& ropes) {
  constexpr std::size_t longest = 320;  // bytes, after the model's name
  std::string text;
  for (std::size_t i = 0; i < ropes.size(); ++i) {
    const std::string one = rope_summary(ropes[i]);
    if (ropes.size() > 2 && i > 0 && text.size() + one.size() > longest) {
      const std::size_t more = ropes.size() - i;
      return fmt::format("{}; and {} {}", text, more, more == 1 ? "other RoPE" : "other RoPEs");
    }
    text += (i > 0 ? "; " : "") + one;
  }
  return text;
}

std::string kind_text(const LayerKind& kind, bool rope) {
  std::string text = fmt::format("{} {}", kind.count, kind.name);
  std::vector<std::string> facts;
  if (kind.attention == LayerAttention::sparse) facts.emplace_back("sparse");
  if (kind.compress_ratio > 0) facts.push_back(fmt::format("compressed 1:{}", kind.compress_ratio));
  if (kind.topk > 0) facts.push_back(fmt::format("top {}", kind.topk));
  if (kind.local_window > 0) facts.push_back(fmt::format("window {} beside", kind.local_window));
  if (kind.window > 0)
    facts.push_back((kind.name == chunked_layers ? "chunks of " : "window ") + to_text(kind.window) +
                    (kind.two_sided ? ", half on either side" : ""));
  else if (kind.two_sided)
    facts.emplace_back("sees both ways");
  if (rope && !kind.rope && attends(kind.name)) facts.emplace_back("no positions");
  return facts.empty() ? text : fmt::format("{} ({})", text, join(facts, ", "));
}

/// Empty if all layers are full or nothing is known about them.
std::string layers_text(const ConfigReport& report) {
  const auto& kinds = report.layers;
  const auto is_plain = [](const LayerKind& kind) {
    return kind.window == 0 && kind.attention != LayerAttention::sparse && kind.compress_ratio == 0;
  };
  if (kinds.empty() || (kinds.size() == 1 && is_plain(kinds.front()))) return {};
  std::vector<std::string> parts;
  for (const auto& kind : kinds) parts.push_back(kind_text(kind, report.kind == PositionScheme::rope));
  return "; layers: " + join(parts, ", ");
}

std::string tables_text(const ConfigReport& report) {
  std::vector<std::string> parts;
  for (const auto& table : report.tables)
    parts.push_back(
        fmt::format("{} positions by {}{}", table.length, table.key, table.learned ? ", learned" : ", computed"));
  return parts.empty() ? "" : ": " + join(parts, "; ");
}

std::string encoding_text(const ConfigReport& report) {
  switch (report.kind) {
    case PositionScheme::t5_buckets: return "relative position buckets as in T5";
    case PositionScheme::alibi: return "ALiBi" + (report.heads > 0 ? fmt::format(", {} heads", report.heads) : "");
    case PositionScheme::learned: return "learned absolute positions" + tables_text(report);
    case PositionScheme::sinusoidal: return "sinusoidal absolute positions" + tables_text(report);
    case PositionScheme::relative: return "relative positions";
    case PositionScheme::convolutional: return "a convolution over the frames instead of position encodings";
    case PositionScheme::none: return "no position encoding";
    case PositionScheme::unknown: return "the position encoding is unknown";
    case PositionScheme::rope: break;
  }
  if (report.ropes.empty()) return "RoPE with parameters that this config does not define";
  return ropes_summary(report.ropes);
}

}  // namespace

std::string config_summary(const ConfigReport& report) {
  const std::string name = report.model_type.empty() ? "" : shortened(report.model_type) + ": ";
  constexpr std::size_t longest = 390;  // the file chooses the names of layers
  return shortened(
      name + encoding_text(report) + layers_text(report) + (report.about.empty() ? "" : "; " + report.about), longest);
}

std::string severity_name(ConfigSeverity severity) {
  switch (severity) {
    case ConfigSeverity::error: return "error";
    case ConfigSeverity::warning: return "warning";
    case ConfigSeverity::note: return "note";
  }
  return {};
}

std::string key_use_name(KeyUse use) {
  switch (use) {
    case KeyUse::read: return "read";
    case KeyUse::ignored: return "ignored";
    case KeyUse::misspelt: return "misspelt";
    case KeyUse::unknown: return "unknown";
    case KeyUse::unrelated: return "unrelated";
  }
  return {};
}

std::string fate_name(PairFate fate) {
  switch (fate) {
    case PairFate::kept: return "kept";
    case PairFate::blended: return "blended";
    case PairFate::scaled: return "scaled";
  }
  return {};
}

std::string kind_name(PositionScheme kind) {
  switch (kind) {
    case PositionScheme::rope: return "rope";
    case PositionScheme::t5_buckets: return "t5_buckets";
    case PositionScheme::alibi: return "alibi";
    case PositionScheme::learned: return "learned";
    case PositionScheme::sinusoidal: return "sinusoidal";
    case PositionScheme::relative: return "relative";
    case PositionScheme::convolutional: return "convolutional";
    case PositionScheme::none: return "none";
    case PositionScheme::unknown: return "unknown";
  }
  return {};
}

std::string finding_text(const ConfigFinding& finding) {
  const std::string line = finding.place.line > 0 ? fmt::format("line {}: ", finding.place.line) : "";
  return fmt::format("{}{}: {}", line, severity_name(finding.severity), finding.sentence);
}

std::string implementation_text(const RopeImplementation& implementation) {
  std::string logits = "attention logits × " + to_text(implementation.logit_factor(), 6);
  if (!implementation.differing_pair) return logits;
  return fmt::format("{}; inv_freq of pair {} × {} of Hugging Face's", logits, *implementation.differing_pair,
                     to_text(implementation.ratio, 6));
}

std::string config_report_text(const ConfigReport& report) {
  std::string findings, ropes;
  for (const auto& finding : report.findings) findings += finding_text(finding) + "\n";
  for (const auto& use : report.ropes) ropes += use_text(use);
  // A file decides how long each part is: a head of 4096 dimensions has 2048 pairs, a config may
  // have 64 RoPEs.
  return report.summary + "\n" + within_bytes(findings, 8000) + findings_text(report) + "\n" +
         within_bytes(schedule_text(report) + lengths_text(report), 6000) + within_bytes(ropes, 34000) +
         cache_text(report) + within_bytes(readers_text(report.readers), 8000) + within_bytes(keys_text(report), 7500);
}

}  // namespace vqscope

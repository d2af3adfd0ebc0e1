// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/process/console.h"
#include "app/window/window_layout.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/field/field.h"
#include "core/mask/preset/text_mask.h"
#include "core/session/session_json.h"
#include "tests/mutate/reader.h"
#include "widgets/parts/text.h"

#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace vqscope::mutate {
namespace {

namespace fs = std::filesystem;

/// The text as the values of `visibility` over a few tokens, and every cell of its mask.
Sentences read_mask_text(const Bytes& bytes) {
  const Method& method = *find_method("visibility");
  ParameterValues values = default_values(method.parameters);
  values.set("mask", std::string(text_mask_id));
  values.set("mask_text", bytes);
  values.set("q_length", Index{12});
  values = completed_values(parameters_of(method, values), values);
  Sentences all = mask_text_warnings(values);
  const auto field = make_field(method, values);
  if (!field) {
    all.push_back(field.error().message);
    return all;
  }
  const Extent extent = (*field)->extent();
  std::vector<std::uint8_t> cells(static_cast<std::size_t>(extent.rows * extent.cols));
  (*field)->read({{0, extent.rows}, {0, extent.cols}}, std::span(cells));
  return all;
}

Corpus mask_corpus() {
  return {.inputs = files_in("tests/fuzz/mask_language"),
          .words = {"q_idx",
                    "kv_idx",
                    "b",
                    "h",
                    " and ",
                    " or ",
                    " not ",
                    "if ",
                    " else ",
                    "return ",
                    "lambda ",
                    "def ",
                    " // ",
                    " % ",
                    " ** ",
                    "<<",
                    "document_id[",
                    "]",
                    "(",
                    "torch.",
                    "abs(",
                    "min(",
                    "prefix_length[b]",
                    "padding",
                    "kv_length",
                    "\n",
                    "    ",
                    "==",
                    "<=",
                    "for ",
                    "x = 1\n",
                    "\"\"\"",
                    "#"}};
}

Sentences session_sentences(const Bytes& bytes) {
  const auto session = parse_session(bytes);
  if (!session) return {session.error().message};
  (void)session_text(session->session);
  if (session->notes.empty()) return {};
  return {summary(session->notes)};
}

Corpus session_corpus() {
  Session other = default_session();
  other.current = "masks";
  const Bytes whole = session_text(default_session());
  return {.inputs = {whole, session_text(other), R"({"vqscope": 1, "current": "masks", "workspaces": []})",
                     R"({"vqscope": 1, "workspaces": [{"id": "masks", "values": {"q_length": 64}}]})"},
          .words = {"\"id\":", "\"values\":{", "\"method\":", "null", "\"masks\"", "\"vqscope\":2", "[]", "{}",
                    "\\udcff", "\"q_length\":", "\"ranges\":[0,1e300]"}};
}

Sentences read_layout(const Bytes& bytes) {
  QString remark;
  const auto layout = layoutFromJson(bytes, remark);
  return {layout ? bytesOf(remark) : layout.error().message};
}

Corpus layout_corpus() {
  return {.inputs = {R"({"docks": {"checks": {"size": 264, "visible": true}, "parameters": {"size": 300, "visible": )"
                     R"(false}}, "layout": 2, "raised": "checks", "theme": "dark", "window": {"height": 900, )"
                     R"("maximized": false, "width": 1440, "x": 0, "y": 0}})",
                     R"({"checksum": "00ff", "docks": "AAAA/w==", "geometry": "AdnQywADAAA=", "theme": ""})"},
          .words = {"\"size\":2147483647", "\"visible\":", "\"docks\":{", "1e308", "true", "\"window\":"}};
}

constexpr char between = '\n';

Bytes words(const std::vector<std::string>& all) {
  Bytes bytes;
  for (const auto& word : all) bytes += (bytes.empty() ? "" : std::string(1, between)) + word;
  return bytes;
}

Corpus command_corpus() {
  return {
      .inputs = {words({"export", "t5_bucket", "--set", "q_length=8", "--rows", "0:4", "--out", "a.csv"}),
                 words({"export", "visibility", "--set", "mask=sliding_window", "--set", "q_length=8", "--out=a.npy"}),
                 words({"export", "alibi", "--minus", "num_heads=4", "--set", "q_length=4", "--out", "a.json"}),
                 words({"list", "t5_bucket", "--json"}), words({"list"}),
                 words({"row", "3", "--set", "q_length=8", "--keys", "0:4", "--json"}),
                 words({"check", "--set", "q_length=8", "--objective", "causal", "--window", "4"}),
                 words({"recognise", "--set", "q_length=8", "--set", "mask=causal", "--json"}),
                 words({"dialects", "--set", "q_length=8", "--snippet", "flex_attention"}),
                 words({"diff", "--set", "q_length=8", "--minus", "mask=causal"}),
                 words({"config", "--json", "none.json"}), words({"--version"}), words({"row", "--help"}),
                 words({"run", "vq_attention", "--array", "q=none.npy", "--out", "o.npy"}),
                 words({"export", "t5_bucket", "--array", "document_lengths=4,4", "--width", "84mm", "--dpi", "96",
                        "--log", "xy", "--colour-map", "viridis", "--out", "a.csv", "b.npy"})},
      .words = {"\n--set\n",
                "\n--minus\n",
                "\n--out\n",
                "\n--rows\n1:2",
                "\n--mask\n",
                "\n--session\nnone.vqscope",
                "\n--array\n",
                "=",
                ":",
                ",",
                "--",
                "-",
                "mask_text=q_idx >= kv_idx",
                "padding=3",
                "document_lengths=4,4",
                "\n--force",
                "\n--json",
                "mask=",
                "\n--threshold\n0.5",
                "prefix_length=2"}};
}

/// Writes nowhere but here, and requests no figure, whose application is made once a process.
bool is_harmless(const Bytes& bytes) {
  for (const char* word : {"/", "..", ".png", ".svg", ".pdf", "\n-\n"})
    if (bytes.find(word) != Bytes::npos) return false;
  return true;
}

/// The command's stderr gives the lines of the sentences; its output is discarded.
Sentences read_command(const Bytes& bytes) {
  static std::FILE* const log = std::tmpfile();
  static const bool ready = [] {
    std::freopen("/dev/null", "w", stdout);
    std::freopen("/dev/null", "r", stdin);
    return ::dup2(::fileno(log), STDERR_FILENO) >= 0;
  }();
  if (!ready || !is_harmless(bytes)) return {};
  std::vector<std::string> arguments;
  for (const auto word : split(bytes, between)) arguments.emplace_back(word.substr(0, word.find('\0')));
  if (!isCommand(arguments)) return {};
  const int status = runCommandLine(arguments);
  const auto size = ::lseek(STDERR_FILENO, 0, SEEK_CUR);
  std::string output(static_cast<std::size_t>(size), '\0');
  Sentences all;
  if (::pread(STDERR_FILENO, output.data(), output.size(), 0) != size) all.push_back("\n");
  if (::ftruncate(STDERR_FILENO, 0) != 0 || ::lseek(STDERR_FILENO, 0, SEEK_SET) != 0) all.push_back("\n");
  for (const auto line : split(output, '\n')) all.emplace_back(line);
  if (status == exitRefused && !output.starts_with("vqscope: ")) all.push_back("refused without a sentence\n" + output);
  for (const auto& entry : fs::directory_iterator(".")) fs::remove_all(entry);
  return all;
}

}  // namespace

std::vector<Bytes> files_in(const std::string& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(VQSCOPE_SOURCE_DIR) / folder)) paths.push_back(entry);
  std::ranges::sort(paths);
  std::vector<Bytes> all;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return all;
}

std::vector<Reader> program_readers() {
  return {{"mask_text", mask_corpus(), read_mask_text},
          {"session", session_corpus(), session_sentences},
          {"layout", layout_corpus(), read_layout},
          {"command", command_corpus(), read_command}};
}

}  // namespace vqscope::mutate

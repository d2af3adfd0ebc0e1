// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "app/cli/mcp/mcp_tools.h"
#include "app/process/console.h"
#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/embed/base64.h"

#include <stdlib.h>
#include <algorithm>
#include <filesystem>

namespace vqscope {
namespace {

constexpr std::size_t mostAnswerBytes = std::size_t{4} << 20;

/// A folder for the files of one call, removed with the object.
class CallFolder {
 public:
  CallFolder() {
    std::error_code failed;
    std::string name = (std::filesystem::temp_directory_path(failed) / "vqscope-mcp-XXXXXX").string();
    if (!failed && ::mkdtemp(name.data())) m_path = name;
  }
  CallFolder(const CallFolder&) = delete;
  CallFolder& operator=(const CallFolder&) = delete;
  ~CallFolder() {
    std::error_code failed;
    if (!m_path.empty()) std::filesystem::remove_all(m_path, failed);
  }

  const std::string& path() const { return m_path; }

  /// The text with files of the folder by the names of the arguments: mask_text in place of FOLDER/mask_text.py.
  std::string withoutPaths(std::string text) const {
    const std::string prefix = m_path + "/";
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at))
      text.erase(at, prefix.size());
    return text;
  }

 private:
  std::string m_path;
};

JsonObject textContent(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

JsonObject answer(JsonArray content, bool isError) { return {{"content", std::move(content)}, {"isError", isError}}; }

JsonObject refusal(const std::string& sentence) { return answer({textContent(sentence)}, true); }

/// The lines of stderr without the program's name.
std::string sentencesOf(std::string_view lines) {
  std::string text;
  for (std::string_view line : split(lines, '\n')) {
    constexpr std::string_view name = "vqscope: ";
    if (line.starts_with(name)) line.remove_prefix(name.size());
    if (!line.empty()) text += (text.empty() ? "" : "\n") + std::string(line);
  }
  return text;
}

std::vector<std::string> namesOf(const McpTool& tool) {
  std::vector<std::string> names;
  for (const McpTool::Argument& each : tool.arguments) names.push_back(each.name);
  return names;
}

/// Names that the tool does not have are parameters: members of `set`, if it has that.
ConfigValue withParameters(const McpTool& tool, const ConfigValue& arguments) {
  const auto known = namesOf(tool);
  const ConfigValue* given = arguments.find("set");
  if (std::ranges::count(known, "set") == 0 || (given && !given->object())) return arguments;
  ConfigValue::Object all;
  ConfigValue::Object set = given ? *given->object() : ConfigValue::Object();
  for (const ConfigValue& member : arguments.object()->members)
    if (member.key != "set") (std::ranges::count(known, member.key) > 0 ? all : set).members.push_back(member);
  all.members.push_back({.data = std::move(set), .key = "set"});
  return {.data = std::move(all)};
}

std::optional<std::string> wrongArgument(const McpTool& tool, const ConfigValue& arguments) {
  const auto known = namesOf(tool);
  for (const ConfigValue& member : arguments.object()->members)
    if (std::ranges::count(known, member.key) == 0)
      return fmt::format("unknown argument {} of {}{}", shortened(member.key), tool.name,
                         did_you_mean(member.key, known));
  for (const McpTool::Argument& each : tool.arguments)
    if (each.required && !arguments.find(each.name))
      return fmt::format("{} needs the argument {}", tool.name, each.name);
  return std::nullopt;
}

/// What the command wrote into the folder: the picture, if it is the answer.
Result<std::optional<std::string>> pictureIn(const CallFolder& folder) {
  const std::string path = folder.path() + "/picture.png";
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return std::optional<std::string>();
  auto bytes = read_text(path, mostAnswerBytes);
  if (!bytes) return within("the picture", bytes.error());
  return std::optional(std::move(*bytes));
}

/// JSON without its indentation, which costs an agent as much as words.
std::string compacted(const std::string& text) {
  if (!text.starts_with('{')) return text;
  std::string compact;
  for (std::string_view line : split(text, '\n')) compact += trimmed(line);
  return compact;
}

JsonObject contentOf(const CapturedOutput& output, const CallFolder& folder, const ConfigValue& arguments) {
  JsonArray content;
  const auto picture = pictureIn(folder);
  if (!picture) return refusal(picture.error().message);
  if (*picture)
    content.push_back(JsonObject{{"type", "image"}, {"data", to_base64(**picture)}, {"mimeType", "image/png"}});
  if (output.out.size() > mostAnswerBytes)
    return refusal(fmt::format("the answer has {}, more than {}; ask for less, such as one sample",
                               byte_count(static_cast<double>(output.out.size())),
                               byte_count(static_cast<double>(mostAnswerBytes))));
  if (!output.out.empty()) content.push_back(textContent(folder.withoutPaths(compacted(output.out))));
  const std::string remarks = folder.withoutPaths(sentencesOf(output.err));
  if (!remarks.empty()) content.push_back(textContent(remarks));
  const ConfigValue* out = arguments.find("out");
  if (content.empty()) content.push_back(textContent(out && out->text() ? "wrote " + *out->text() : "done"));
  return answer(content, false);
}

}  // namespace

JsonObject callOf(const McpTool& tool, const ConfigValue& given) {
  const auto done = guarded([&]() -> Result<JsonObject> {
    const ConfigValue arguments = withParameters(tool, given);
    if (const auto wrong = wrongArgument(tool, arguments)) return refusal(*wrong);
    const CallFolder folder;
    if (folder.path().empty()) return refusal("no temporary folder can be made");
    const auto words = tool.words(arguments, folder.path());
    if (!words) return refusal(words.error().message);
    CapturedOutput output;
    const int status = runCommandLine(*words);
    if (status == exitDone || status == exitFindings) return contentOf(output, folder, arguments);
    return refusal(folder.withoutPaths(sentencesOf(output.err)));
  });
  return done ? *done : refusal(done.error().message);
}

}  // namespace vqscope

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp/mcp_server.h"

#include "app/cli/mcp/mcp_tools.h"
#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/io/json/json_reader.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

enum class RpcCode { parseError = -32700, invalidRequest = -32600, unknownMethod = -32601, invalidParams = -32602 };

/// The newest version first.
constexpr std::array<std::string_view, 4> protocolVersions{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

std::string errorOf(const JsonValue& id, RpcCode code, const std::string& message) {
  return compact_json(JsonObject{
      {"jsonrpc", "2.0"}, {"id", id}, {"error", JsonObject{{"code", static_cast<int>(code)}, {"message", message}}}});
}

std::string resultOf(const JsonValue& id, JsonValue result) {
  return compact_json(JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

/// A text, a number or null; nothing: another value, which is no id.
std::optional<JsonValue> idOf(const ConfigValue& id) {
  if (const std::string* text = id.text()) return JsonValue(*text);
  if (const auto* whole = std::get_if<Index>(&id.data)) return JsonValue(*whole);
  if (const auto* real = std::get_if<double>(&id.data)) return JsonValue(*real);
  return id.is_null() ? std::optional(JsonValue()) : std::nullopt;
}

JsonObject serverDescription(const ConfigValue* params) {
  const ConfigValue* wanted = params ? params->find("protocolVersion") : nullptr;
  const std::string* version = wanted ? wanted->text() : nullptr;
  const bool isKnown = version && std::ranges::count(protocolVersions, *version) > 0;
  return {
      {"protocolVersion", isKnown ? *version : std::string(protocolVersions.front())},
      {"capabilities", JsonObject{{"tools", JsonObject{}}}},
      {"serverInfo", JsonObject{{"name", "vqscope"}, {"version", VQSCOPE_VERSION}}},
      {"instructions",
       "VQScope lints, recognises and explains attention masks and position encodings, exactly at any length. Give a "
       "mask as a file or a preset (mask) or as FlexAttention's Python (mask_text), and parameters beside it: "
       "{\"mask\": \"packed\", \"q_length\": 4096}. list describes the methods and their parameters."}};
}

std::string callTool(const JsonValue& id, const ConfigValue* params) {
  const ConfigValue* named = params ? params->find("name") : nullptr;
  const std::string* name = named ? named->text() : nullptr;
  if (!name) return errorOf(id, RpcCode::invalidParams, "tools/call needs the name of a tool");
  const McpTool* tool = findTool(*name);
  if (!tool) {
    std::vector<std::string> known;
    for (const McpTool& each : mcpTools()) known.push_back(each.name);
    return errorOf(id, RpcCode::invalidParams, "unknown tool " + shortened(*name) + did_you_mean(*name, known));
  }
  static const ConfigValue nothing{.data = ConfigValue::Object{}};
  const ConfigValue* arguments = params->find("arguments");
  if (arguments && !arguments->object() && !arguments->is_null())
    return errorOf(id, RpcCode::invalidParams, "the arguments of a tool must be an object");
  return resultOf(id, callOf(*tool, arguments && arguments->object() ? *arguments : nothing));
}

std::string answerToRequest(const JsonValue& id, const std::string& method, const ConfigValue* params) {
  if (method == "initialize") return resultOf(id, serverDescription(params));
  if (method == "ping") return resultOf(id, JsonObject{});
  if (method == "tools/list") return resultOf(id, JsonObject{{"tools", describedTools()}});
  if (method == "tools/call") return callTool(id, params);
  return errorOf(id, RpcCode::unknownMethod, "unknown method " + shortened(method));
}

std::string answerTo(const ConfigValue& message) {
  const ConfigValue* version = message.find("jsonrpc");
  const ConfigValue* method = message.find("method");
  const ConfigValue* id = message.find("id");
  const std::optional<JsonValue> known = id ? idOf(*id) : JsonValue();
  if (!known) return errorOf({}, RpcCode::invalidRequest, "an id must be a text or a number");
  // An answer to a question, which this server never asks.
  if (message.object() && !method && (message.find("result") || message.find("error"))) return {};
  if (!version || !version->text() || *version->text() != "2.0" || !method || !method->text())
    return errorOf(*known, RpcCode::invalidRequest, "a message must be a request of JSON-RPC 2.0");
  if (!id) return {};
  return answerToRequest(*known, *method->text(), message.find("params"));
}

}  // namespace

std::string answerToMessage(std::string_view line) {
  const auto answer = guarded([&]() -> Result<std::string> {
    const auto message = read_json(line);
    if (!message) return errorOf({}, RpcCode::parseError, message.error().message);
    return answerTo(*message);
  });
  return answer ? *answer : errorOf({}, RpcCode::invalidRequest, answer.error().message);
}

std::string answerToLongMessage() {
  return errorOf({}, RpcCode::invalidRequest, fmt::format("a message has at most {} bytes", mostMessageBytes));
}

}  // namespace vqscope

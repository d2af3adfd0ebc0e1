// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/experiment/decode/decode_lane.h"
#include "core/experiment/decode/paged_cache.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr double most_positions = 1048576;
constexpr Index most_lanes = 64;

struct PolicyChoice {
  CachePolicy policy;
  const char* id;
  const char* help;
};
constexpr PolicyChoice policies[]{
    {CachePolicy::full, "full", "every token; slots for all steps are allocated at the start"},
    {CachePolicy::paged, "paged", "every token; blocks that all lanes share are taken when they are needed"},
    {CachePolicy::window, "window", "the newest window tokens, in a ring"},
    {CachePolicy::sinks, "sinks", "the first sinks tokens, and the newest window in a ring"},
    {CachePolicy::transformer_xl, "transformer_xl", "the segment so far and the memory before it"},
    {CachePolicy::memorizing, "memorizing", "as transformer_xl, but the memory is searched"},
    {CachePolicy::infini, "infini", "the segment so far; earlier segments are in a matrix"},
    {CachePolicy::vq, "vq", "the newest two blocks; earlier tokens are counted by codeword"}};

CachePolicy policy_of(const std::string& id) { return std::ranges::find(policies, id, &PolicyChoice::id)->policy; }

ParameterSpec size_of_cache(const char* name, const char* help, Index default_value, double minimum,
                            std::vector<std::string> of) {
  return make_parameter(name, "Cache", help,
                        {.default_value = default_value,
                         .minimum = minimum,
                         .maximum = most_positions,
                         .logarithmic = minimum > 0,
                         .unit = "tokens",
                         .relevant = {{"policy", std::move(of)}}});
}

Index step_of(const ParameterValues& values) {
  const auto* step = values.find("step");
  return step ? std::min(values.integer("step"), values.integer("steps")) : values.integer("steps");
}

}  // namespace

std::vector<ParameterSpec> step_parameter(const ParameterValues& values) {
  const Index steps = values.find("steps") ? std::clamp<Index>(values.integer("steps"), 1, Index{1} << 20) : 32;
  return {make_parameter("step", "Batch", "Number of new tokens so far. Press ▶ to see the cache fill.",
                         {.label = "Step",
                          .default_value = steps,
                          .minimum = 0,
                          .maximum = static_cast<double>(steps),
                          .playable = true})};
}

std::vector<ParameterSpec> decode_parameters() {
  std::vector<Choice> of_policy, of_fault;
  for (const PolicyChoice& each : policies) of_policy.push_back({each.id, each.help});
  for (const DecodeFaultInfo& each : decode_fault_infos())
    of_fault.push_back({std::string(each.id), std::string(each.help)});
  std::vector<ParameterSpec> specs{
      make_parameter("lengths", "Batch",
                     "Number of prompt tokens of each lane. Shorter prompts are padded on the left.",
                     {.default_value = std::vector<Index>{9, 14, 6}, .minimum = 1, .maximum = most_positions}),
      make_parameter(
          "new_tokens", "Batch",
          "Number of new tokens of each lane, of which the last ends the lane. A lane that has ended neither "
          "reads nor writes.",
          {.default_value = std::vector<Index>{},
           .minimum = 0,
           .maximum = most_positions,
           .automatic = "no lane ends"}),
      make_parameter("steps", "Batch", "Total number of new tokens.",
                     {.default_value = Index{32}, .minimum = 1, .maximum = most_positions, .logarithmic = true})};
  for (auto& spec : step_parameter({})) specs.push_back(std::move(spec));
  add_parameter(specs, "policy", "Cache", "Tokens that the cache keeps.",
                {.default_value = std::string("sinks"), .choices = std::move(of_policy)});
  specs.push_back(size_of_cache("window", "Number of newest tokens.", 8, 1, {"window", "sinks"}));
  specs.push_back(size_of_cache("sinks", "Number of first tokens.", 2, 0, {"sinks"}));
  specs.push_back(
      size_of_cache("segment_len", "Number of tokens in a segment.", 8, 1, {"transformer_xl", "memorizing", "infini"}));
  specs.push_back(size_of_cache("memory_len", "Number of tokens in the memory before the segment.", 8, 0,
                                {"transformer_xl", "memorizing"}));
  specs.push_back(size_of_cache("block_size", "Number of slots in a block of the paged cache.", 4, 1, {"paged"}));
  specs.push_back(size_of_cache("block_len", "Number of tokens in a block.", 4, 1, {"vq"}));
  add_parameter(specs, "fault", "Fault", "A deliberate mistake of the decoding loop.",
                {.default_value = std::string("none"), .choices = std::move(of_fault)});
  return specs;
}

namespace {

Result<void> check_paged(const ParameterValues& values) {
  if (values.choice("policy") != "paged") return {};
  const Index block_size = values.integer("block_size");
  Index needed = 0;  // at most 64 lanes of 2^21 tokens
  for (const Index prompt : values.integers("lengths"))
    needed += (prompt + values.integer("steps") + block_size - 1) / block_size * block_size;
  if (needed <= PagedCache::most_tokens) return {};
  return invalid("lengths and steps need {} slots in blocks of {} but must need at most {}", needed, block_size,
                 PagedCache::most_tokens);
}

}  // namespace

Result<void> check_decode(const ParameterValues& values) {
  const auto& lengths = values.integers("lengths");
  if (lengths.empty()) return invalid("lengths is empty but must have the prompt length of at least one lane");
  if (static_cast<Index>(lengths.size()) > most_lanes)
    return invalid("lengths has {} lanes but must have at most {}", lengths.size(), most_lanes);
  const auto& ends = values.integers("new_tokens");
  if (!ends.empty() && ends.size() != lengths.size())
    return invalid("new_tokens has {} entries but must have {}, one for each lane", ends.size(), lengths.size());
  return check_paged(values);
}

DecodeBatch decode_batch(const ParameterValues& values) {
  DecodeBatch batch{.lanes = {}, .step = step_of(values)};
  for (const DecodeFaultInfo& info : decode_fault_infos())
    if (info.id == values.choice("fault")) batch.fault = info.fault;
  const auto& lengths = values.integers("lengths");
  const CacheSizes sizes{.policy = policy_of(values.choice("policy")),
                         .window = values.integer("window"),
                         .sinks = values.integer("sinks"),
                         .segment_len = values.integer("segment_len"),
                         .memory_len = values.integer("memory_len"),
                         .block_len = values.integer("block_len"),
                         .block_size = values.integer("block_size")};
  const Index padded = std::ranges::max(lengths);
  for (const Index prompt : lengths)
    batch.lanes.push_back({.sizes = sizes, .prompt = prompt, .padded = padded, .steps = values.integer("steps")});
  const auto& ends = values.integers("new_tokens");
  for (std::size_t i = 0; i < ends.size(); ++i) batch.lanes[i].ends = ends[i];
  return batch;
}

namespace {

/// The first lane whose newest token is wrong by itself.
std::string lane_fault(const DecodeBatch& batch) {
  for (std::size_t i = 0; i < batch.lanes.size(); ++i) {
    const DecodeLane& lane = batch.lanes[i];
    const Index newest = batch.newest(lane);
    if (batch.rests(lane)) continue;
    const std::string wrong = fault_sentence(lane, batch.fault, newest);
    if (wrong.empty()) continue;
    const std::string check = fault_check(lane, batch.fault, newest);
    return fmt::format("lane {}: {}{}", i, wrong, check.empty() ? "" : "; found by " + check);
  }
  return {};
}

}  // namespace

std::string decode_remark(const ParameterValues& values, const Work&) {
  if (!check_decode(values)) return {};
  const DecodeBatch batch = decode_batch(values);
  if (batch.fault == DecodeFault::none) return {};
  std::string wrong = batch.is_paged() ? paged_fault_sentence(batch) : std::string();
  if (wrong.empty()) wrong = lane_fault(batch);
  return wrong.empty() ? "this fault has no effect at this step" : wrong;
}

}  // namespace vqscope

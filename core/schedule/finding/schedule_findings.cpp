// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/finding/findings.h"

#include "core/base/sentence.h"
#include "core/schedule/reach/layer_reach.h"
#include "core/schedule/text/layer_texts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace vqscope {
namespace {

using Findings = std::vector<ScheduleFinding>;

const ModelLayer& layer_of(const LayerSight& sight, Index layer) {
  return sight.schedule().layers[static_cast<std::size_t>(layer)];
}

template <class Predicate>
std::vector<Index> layers_where(const LayerSight& sight, const Predicate& holds) {
  std::vector<Index> layers;
  for (Index l = 0; l < sight.layers(); ++l)
    if (holds(layer_of(sight, l), l)) layers.push_back(l);
  return layers;
}

Range last_reach(const LayerSight& sight, Index query) { return reach_after(sight, sight.layers() - 1, query); }

bool is_state(const ModelLayer& layer) { return layer.attention == LayerAttention::state; }

/// The first token of a document that sees one before it in the layer, or is seen from there.
std::optional<Index> crossed_start(const LayerSight& sight, Index layer) {
  for (Index document = 1; document < sight.documents(); ++document) {
    const Index start = sight.document(document).begin;
    if (sight.keys_of(layer, start).begin < start || sight.keys_of(layer, start - 1).end > start) return start;
  }
  return std::nullopt;
}

/// Layers of one sort, attention or states, that let documents meet.
void find_meeting_documents(const LayerSight& sight, Index query, bool states, Findings& findings) {
  std::optional<Index> start;
  // Layers alike cross the same documents, of which there may be many.
  std::map<std::tuple<LayerAttention, Index, bool>, std::optional<Index>> known;
  const auto layers = layers_where(sight, [&](const ModelLayer& each, Index l) {
    if (is_state(each) != states || !looks_around(each) || sight.keeps_documents(l)) return false;
    const auto [crossed, added] = known.try_emplace({each.attention, each.window, each.two_sided});
    if (added) crossed->second = crossed_start(sight, l);
    if (!start) start = crossed->second;
    return crossed->second.has_value();
  });
  if (layers.empty()) return;
  const Index first = layers.front(), document = sight.document_number(*start);
  const bool back = sight.keys_of(first, *start).begin < *start;
  const Index reader = back ? *start : *start - 1, read = back ? *start - 1 : *start;
  const Index foreign =
      last_reach(sight, query).size() - common(last_reach(sight, query), sight.document_of(query)).size();
  const std::string rule =
      states ? "The state is not reset at document starts in" : "Other documents are not masked in";
  findings.push_back(
      {ScheduleSeverity::leak,
       states ? fmt::format("Recurrent state crosses documents from layer {} on", first)
              : fmt::format("Documents meet from layer {} on", first),
       fmt::format("{} {}: token {} of document {} depends on token {} of document {}. After the last layer, query {} "
                   "depends on {} tokens of other documents.",
                   rule, named_layers(layers), reader, back ? document : document - 1, read,
                   back ? document - 1 : document, query, foreign),
       first, reader, read});
}

void find_future(const LayerSight& sight, Findings& findings) {
  const auto attending = layers_where(sight, [](const ModelLayer& each, Index) { return looks_around(each); });
  const auto both =
      layers_where(sight, [](const ModelLayer& each, Index) { return looks_around(each) && each.two_sided; });
  const Range valid = sight.sequence().valid;
  if (both.empty() || both.size() == attending.size() || valid.size() < 2) return;
  const Index seen = sight.keys_of(both.front(), valid.begin).end - 1;
  if (seen == valid.begin) return;
  findings.push_back({ScheduleSeverity::leak, fmt::format("Future tokens leak from layer {} on", both.front()),
                      fmt::format("A causal model has two-sided attention in {}: token {} depends on token {}, so a "
                                  "next-token loss is trained on targets that the model sees.",
                                  named_layers(both), valid.begin, seen),
                      both.front(), valid.begin, seen});
}

/// The limit of the reach, in words.
std::string limit_text(const LayerSight& sight) {
  const auto chunks =
      layers_where(sight, [](const ModelLayer& each, Index) { return each.attention == LayerAttention::chunked; });
  const auto windows =
      layers_where(sight, [](const ModelLayer& each, Index) { return each.attention == LayerAttention::sliding; });
  if (!chunks.empty() && windows.empty())
    return fmt::format("{} chunked layers and none that leaves its chunk", chunks.size());
  Index back = 0;
  for (const Index l : windows) {
    const ModelLayer& each = layer_of(sight, l);
    back += each.two_sided ? each.window / 2 : each.window - 1;
  }
  if (chunks.empty()) return fmt::format("{} sliding layers, which together look {} tokens back", windows.size(), back);
  return fmt::format("{} sliding and {} chunked layers", windows.size(), chunks.size());
}

void find_unreached(const LayerSight& sight, Index query, Findings& findings) {
  const Range document = sight.document_of(query), reach = last_reach(sight, query);
  if (reach.begin <= document.begin) return;
  findings.push_back({ScheduleSeverity::loss,
                      fmt::format("Tokens {} to {} never reach query {}", document.begin, reach.begin - 1, query),
                      fmt::format("The model has {}; {} of {} earlier tokens have no path to the query at any depth.",
                                  limit_text(sight), reach.begin - document.begin, query - document.begin),
                      sight.layers() - 1, query, reach.begin - 1});
}

/// A note on what would be lost if `changed` were the layers.
void note_if_lost(const LayerSight& sight, const LayerSchedule& changed, Index query, const ScheduleFinding& note,
                  const char* sentence_of_tokens, Findings& findings) {
  // Tokens of other documents are no loss.
  const Range document = sight.document_of(query);
  const Index now = common(last_reach(sight, query), document).begin;
  const Index then = common(last_reach(sight.with(changed), query), document).begin;
  if (then <= now) return;
  findings.push_back(note);
  ScheduleFinding& made = findings.back();
  made.sentence += fmt::format(fmt::runtime(sentence_of_tokens), now, then - 1, query);
  made.query = query;
  made.token = then - 1;
}

void note_window_for_all(const LayerSight& sight, Index query, Findings& findings) {
  const auto change = windows_everywhere(sight.schedule());
  if (!change) return;
  note_if_lost(sight, change->schedule, query,
               {ScheduleSeverity::note, "Far tokens need the full layers",
                fmt::format("With the mask of the {} layers ({} tokens) in {} too, ", change->kind, change->window,
                            named_layers(change->layers)),
                change->layers.front()},
               "tokens {} to {} would not reach query {}.", findings);
}

void note_nope_path(const LayerSight& sight, Index query, Findings& findings) {
  const auto change = without_nope_layers(sight.schedule());
  if (!change) return;
  note_if_lost(sight, change->schedule, query,
               {ScheduleSeverity::note, "Far tokens have no position",
                fmt::format("Only attention without positions ({}) connects ", named_layers(change->layers)),
                change->layers.front()},
               "tokens {} to {} to query {}: what it reads there does not depend on the distance.", findings);
}

void note_shared_keys(const LayerSight& sight, Index query, Findings& findings) {
  const auto shared = layers_where(sight, [](const ModelLayer& each, Index) { return each.shares_kv_with >= 0; });
  if (shared.empty()) return;
  Index last = 0;  // the last layer with keys of its own
  for (Index l = 0; l < sight.layers(); ++l)
    if (looks_around(layer_of(sight, l)) && sight.source_of(l) == l) last = l;
  std::string sentence = fmt::format("Keys and values of earlier layers are used in {}. ", named_layers(shared));
  if (last < shared.back())
    sentence += fmt::format("What a token gains from layer {} on reaches no other token. ", last);
  const Index now = last_reach(sight, query).begin,
              own = last_reach(sight.with(with_own_keys(sight.schedule())), query).begin;
  if (own < now)
    sentence += fmt::format("Query {} is reached from token {} on; with keys of their own, from token {} on. ", query,
                            now, own);
  sentence.pop_back();
  findings.push_back({ScheduleSeverity::note, fmt::format("{} layers share keys and values", shared.size()),
                      std::move(sentence), shared.front(), query, own < now ? now - 1 : -1});
}

void note_unlike_windows(const LayerSight& sight, Index query, Findings& findings) {
  for (const UnlikeLayers& unlike : unlike_windows(sight.schedule())) {
    const Index now = last_reach(sight, query).begin, alike = last_reach(sight.with(unlike.alike), query).begin;
    const bool chunked = unlike.kind == LayerAttention::chunked;
    std::string sentence =
        fmt::format("{} of {} tokens in {}, of {} in the other {} {} layers. ", chunked ? "Chunks" : "A window",
                    unlike.window, named_layers(unlike.layers), unlike.usual, unlike.others, name_of(unlike.kind));
    sentence += now == alike ? fmt::format("Query {} is reached from token {} on either way.", query, now)
                             : fmt::format("Query {} is reached from token {} on; if all were alike, from token {} on.",
                                           query, now, alike);
    findings.push_back(
        {now > alike ? ScheduleSeverity::loss : ScheduleSeverity::note,
         fmt::format("{} of layer {} differs", chunked ? "The chunk" : "The window", unlike.layers.front()),
         std::move(sentence), unlike.layers.front(), query, std::min(now, alike)});
  }
}

/// Tokens whose way to the query depends on what indexers select.
void note_selection(const LayerSight& sight, Index query, Findings& findings) {
  const auto selecting = layers_where(sight, [](const ModelLayer& each, Index) { return selects_keys(each); });
  if (selecting.empty()) return;
  const auto reach = LayerReach::make(sight, query);
  if (!reach) return;
  const Index last = sight.layers() - 1;
  const Index possible = reach->reach(last).begin, certain = reach->certain(last).begin;
  if (certain <= possible) return;
  const ModelLayer& first = layer_of(sight, selecting.front());
  const std::string read = first.topk > 0 ? fmt::format("at most {} {}", first.topk,
                                                        first.compress_ratio > 0 ? "compressed entries" : "keys")
                                          : std::string("a part of the keys");
  findings.push_back(
      {ScheduleSeverity::note, fmt::format("{} layers select what a query reads", selecting.size()),
       fmt::format("An indexer selects {} for a query in {}: tokens {} to {} reach query {} only if they, or tokens on "
                   "the way, are selected.",
                   read, named_layers(selecting), possible, certain - 1, query),
       selecting.front(), query, certain - 1});
}

}  // namespace

std::vector<ScheduleFinding> find_in_schedule(const LayerSight& sight, Index query) {
  Findings findings;
  find_meeting_documents(sight, query, false, findings);
  find_meeting_documents(sight, query, true, findings);
  find_future(sight, findings);
  find_unreached(sight, query, findings);
  note_unlike_windows(sight, query, findings);
  note_window_for_all(sight, query, findings);
  note_nope_path(sight, query, findings);
  note_selection(sight, query, findings);
  note_shared_keys(sight, query, findings);
  std::ranges::stable_sort(findings, {}, &ScheduleFinding::severity);
  return findings;
}

std::vector<ScheduleFinding> compare_schedules(const LayerSight& intended, const LayerSight& given, Index query) {
  if (intended.layers() != given.layers())
    return {{ScheduleSeverity::loss, "The number of layers differs",
             fmt::format("Found {}, intended {}.", given.layers(), intended.layers())}};
  Findings findings;
  for (const ScheduleChange& change : changes_between(intended, given)) {
    const Index first = change.layers.front();
    findings.push_back(
        {ScheduleSeverity::note, fmt::format("Layer {} is not as intended", first),
         fmt::format("Found {} instead of {} in {}.", change.given, change.intended, named_layers(change.layers)),
         first});
  }
  const auto last_of = [&](const LayerSight& sight) { return last_reach(sight, query); };
  const Range now = last_of(given), then = last_of(intended);
  if (now.begin > then.begin)
    findings.push_back(
        {ScheduleSeverity::loss, fmt::format("{} tokens are lost", now.begin - then.begin),
         fmt::format("Query {} is reached from token {} on instead of token {}.", query, now.begin, then.begin),
         given.layers() - 1, query, then.begin});
  if (now.begin < then.begin || now.end > then.end)
    findings.push_back({ScheduleSeverity::leak,
                        fmt::format("{} more tokens reach the query", now.size() - common(now, then).size()),
                        fmt::format("Query {} is reached from tokens {} to {} instead of {} to {}.", query, now.begin,
                                    now.end - 1, then.begin, then.end - 1),
                        given.layers() - 1, query, now.begin < then.begin ? now.begin : now.end - 1});
  std::ranges::stable_sort(findings, {}, &ScheduleFinding::severity);
  return findings;
}

}  // namespace vqscope

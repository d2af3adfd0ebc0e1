// SPDX-License-Identifier: GPL-3.0-or-later
// The cache in which huggingface_hub keeps models: models--ORG--NAME with refs, snapshots and blobs. It is read as it
// is, nothing is downloaded.
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// HF_HUB_CACHE, else HF_HOME/hub, else XDG_CACHE_HOME/huggingface/hub, else ~/.cache/huggingface/hub;
/// then TRANSFORMERS_CACHE, to which transformers before version 5 downloads. Empty variables count as
/// not set, "~" and $NAME are expanded.
std::vector<std::string> hub_caches();

/// "ORG/NAME" or "NAME", with "@REVISION" if one is given.
struct ModelId {
  std::string id;
  std::string revision;  ///< a branch, a tag, a commit or the beginning of one; empty: main
};

/// Nothing if the text cannot be the id of a model.
std::optional<ModelId> parse_model_id(std::string_view text);

/// Whether a folder is that of a model in a cache: it has a folder "snapshots".
bool is_hub_model(const std::string& folder);
/// "ORG/NAME" of the folder models--ORG--NAME, also of a snapshot in it, then with
/// "@" and the beginning of the commit; empty for other folders.
std::string hub_model_name(const std::string& folder);

/// A snapshot of a model in the cache.
struct HubSnapshot {
  std::string folder;
  std::string commit;  ///< name of the folder
};

/// The snapshot that refs/main names, else the newest one. With a revision, that of the branch, of
/// the tag or of the only commit that begins with it. Errors name the model and the revisions that
/// it has.
Result<HubSnapshot> find_snapshot(const std::string& model_folder, const std::string& revision);

/// The same for an id in the first of the caches that has it. An unknown id is Errc::not_found and
/// names the first cache.
Result<HubSnapshot> find_snapshot(const ModelId& id, const std::vector<std::string>& caches);

/// Ids of the models in some caches.
std::vector<std::string> hub_models(const std::vector<std::string>& caches);

/// Refuses a cache with the ids of its models; nothing if the folder is none.
std::optional<Error> refusal_of_cache(const std::string& folder);

}  // namespace vqscope

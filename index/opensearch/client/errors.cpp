#include <regex>
#include <string>

#include "index/opensearch/client/client.h"

namespace akin::opensearch {
namespace {

struct Failure {
  std::string type, reason;
};

/// Those of an error's cause, if it has one.
Failure described(const Json& body) {
  if (!body.is_object() || !body.contains("error")) return {};
  Json error = body["error"];
  if (const Json roots = error.is_object() ? error.value("root_cause", Json()) : Json(); !roots.empty())
    error = roots.front();
  if (!error.is_object()) return {"", error.is_string() ? error.get<std::string>() : ""};
  const auto field = [&](const char* name) {
    const Json value = error.value(name, Json());
    return value.is_string() ? value.get<std::string>() : "";
  };
  return {field("type"), field("reason")};
}

bool is_flood(const Failure& error) {
  return error.type == "cluster_block_exception" && (error.reason.find("flood-stage") != std::string::npos ||
                                                     error.reason.find("allow delete") != std::string::npos);
}

/// Whether no node will ever take the request: it is longer than all that may be written at a time.
bool is_too_much(const Failure& error) {
  static const std::regex kBytes("_operation_bytes=([0-9]{1,18}), max_[a-z_]*bytes=([0-9]{1,18})");
  std::smatch bytes;
  return error.type == "rejected_execution_exception" && std::regex_search(error.reason, bytes, kBytes) &&
         std::stoll(bytes[1]) > std::stoll(bytes[2]);
}

/// Whether a failure of a type ends by itself, whatever the status.
bool is_of_passing_type(const std::string& type) {
  static const std::regex kPassing(
      "("
      // A shard starts, moves or closes.
      "already_closed|illegal_index_shard_state|index_shard_(closed|not_started|recovering|relocated)|"
      "no_shard_available_action|primary_missing_action|primary_shard_closed|shard_lock_obtain_failed|"
      "shard_not_found|shard_not_in_primary_mode|unavailable_shards|(flush|refresh)_failed_engine|"
      // A node does.
      "node_.*|.*transport|no_node_available|no_such_node|"
      // The cluster looks for a new master.
      "cluster_manager_(not_discovered|throttling)|coordination_state_rejected|"
      "failed_to_commit_cluster_state|incompatible_cluster_state_version|master_not_discovered|"
      "not_cluster_manager|not_master|process_cluster_event_timeout|"
      // There is too much to do.
      "circuit_breaking|rejected_execution|timeout)_exception");
  return std::regex_match(type, kPassing);
}

}  // namespace

bool is_passing(const Answer& answer) {
  if (answer.status >= 200 && answer.status < 300) return false;
  const auto error = described(answer.body);
  if (is_flood(error) || is_too_much(error) || error.type == "search_phase_execution_exception") return false;
  return answer.status == 429 || answer.status == 503 || is_of_passing_type(error.type);
}

Error no_answer(std::string reason) {
  return Error{Errc::unavailable, "cluster", std::move(reason), "check --store, and that its nodes run"};
}

Error error_of(const Answer& answer) {
  const auto error = described(answer.body);
  const std::string reason = error.reason.empty()
                                 ? "it answered with the status " + std::to_string(answer.status)
                                 : error.type + ": " + error.reason;
  if (is_flood(error)) {
    return Error{Errc::disk_full, "cluster", "the disk of a node is over the flood stage: " + reason,
                 "make room on its nodes, or add one"};
  }
  if (is_too_much(error)) {
    return Error{Errc::too_large, "document", "it takes more of a node's memory than one may: " + reason,
                 "give the cluster's nodes a larger heap, of which a tenth is for what is being written"};
  }
  const bool is_busy = answer.status == 429 || (answer.status >= 502 && answer.status <= 504);
  const bool has_lost_point = error.reason.starts_with("no node found for id");  // the node of a shard
  if (is_busy || has_lost_point || is_of_passing_type(error.type))
    return Error{Errc::unavailable, "cluster", reason, "try again when all of its nodes are there"};
  switch (answer.status) {
    case 401:
    case 403:
      return Error{Errc::io, "cluster", "access refused: " + reason,
                   "check the user and its password, and its role"};
    case 404:
      return Error{Errc::not_found, "cluster", reason, "check --store, or index something into it first"};
    case 409:
      return Error{Errc::busy, "cluster", reason, "try again"};
    case 413:
      return Error{Errc::too_large, "document", "the cluster takes no request of its length",
                   "raise http.max_content_length of its nodes"};
    default:
      return Error{Errc::internal, "cluster", reason, "report it, with the version of the cluster"};
  }
}

Result<void> check_shards(const Json& answer) {
  const auto shards = answer.find("_shards");
  if (shards == answer.end() || shards->value("failed", 1) != 0 ||
      shards->value("successful", 0) != shards->value("total", 1) || answer.value("timed_out", false)) {
    return Error{Errc::unavailable, "cluster",
                 "a shard has not answered, so that the answer would lack documents",
                 "try again when all of its shards are there"};
  }
  return {};
}

}  // namespace akin::opensearch

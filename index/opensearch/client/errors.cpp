#include <algorithm>
#include <array>
#include <regex>
#include <string_view>
#include <utility>

#include "index/opensearch/client/client.h"

namespace akin::opensearch {
namespace {

/// The type and the reason of an error: those of its cause, if it has one.
std::pair<std::string, std::string> described(const Json& body) {
  if (!body.is_object() || !body.contains("error")) return {};
  const Json& error = body["error"];
  if (!error.is_object()) return {"", error.is_string() ? error.get<std::string>() : ""};
  const Json* cause = &error;
  if (const auto roots = error.find("root_cause");
      roots != error.end() && roots->is_array() && !roots->empty())
    cause = &roots->front();
  const auto field = [&](const char* name) {
    const auto found = cause->find(name);
    return found != cause->end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  return {field("type"), field("reason")};
}

bool is_flood(const std::pair<std::string, std::string>& error) {
  return error.first == "cluster_block_exception" && (error.second.find("flood-stage") != std::string::npos ||
                                                      error.second.find("allow delete") != std::string::npos);
}

/// Whether no node will ever take the request: it is longer than all that may be written at a time.
bool is_too_much(const std::pair<std::string, std::string>& error) {
  static const std::regex kBytes("_operation_bytes=([0-9]{1,18}), max_[a-z_]*bytes=([0-9]{1,18})");
  std::smatch bytes;
  return error.first == "rejected_execution_exception" && std::regex_search(error.second, bytes, kBytes) &&
         std::stoll(bytes[1]) > std::stoll(bytes[2]);
}

/// Types of failures that end by themselves, whatever the status, and without "_exception" at their ends.
constexpr std::array<std::string_view, 29> kPassing{
    // A shard starts, moves or closes.
    "already_closed", "illegal_index_shard_state", "index_shard_closed", "index_shard_not_started",
    "index_shard_recovering", "index_shard_relocated", "no_shard_available_action", "primary_missing_action",
    "primary_shard_closed", "shard_lock_obtain_failed", "shard_not_found", "shard_not_in_primary_mode",
    "unavailable_shards", "flush_failed_engine", "refresh_failed_engine",
    // A node does. Others have names that begin with "node_" or end with "transport".
    "no_node_available", "no_such_node",
    // The cluster looks for a new master.
    "cluster_manager_not_discovered", "cluster_manager_throttling", "coordination_state_rejected",
    "failed_to_commit_cluster_state", "incompatible_cluster_state_version", "master_not_discovered",
    "not_cluster_manager", "not_master", "process_cluster_event_timeout",
    // There is too much to do.
    "circuit_breaking", "rejected_execution", "timeout"};

bool is_of_passing_type(std::string_view type) {
  constexpr std::string_view kEnd = "_exception";
  if (!type.ends_with(kEnd)) return false;
  type.remove_suffix(kEnd.size());
  return type.starts_with("node_") || type.ends_with("transport") ||
         std::ranges::find(kPassing, type) != kPassing.end();
}

/// A point in time has a shard of a node that is gone: another point is needed.
bool is_of_lost_point(const std::pair<std::string, std::string>& error) {
  return error.second.starts_with("no node found for id");
}

}  // namespace

bool is_passing(const Answer& answer) {
  if (answer.status >= 200 && answer.status < 300) return false;
  const auto error = described(answer.body);
  if (is_flood(error) || is_too_much(error) || error.first == "search_phase_execution_exception")
    return false;
  return answer.status == 429 || answer.status == 503 || is_of_passing_type(error.first);
}

Error no_answer(std::string reason) {
  return Error{Errc::unavailable, "cluster", std::move(reason), "check --store, and that its nodes run"};
}

Error error_of(const Answer& answer) {
  const auto error = described(answer.body);
  const std::string reason = error.second.empty()
                                 ? "it answered with the status " + std::to_string(answer.status)
                                 : error.first + ": " + error.second;
  if (is_flood(error)) {
    return Error{Errc::disk_full, "cluster", "the disk of a node is over the flood stage: " + reason,
                 "make room on its nodes, or add one"};
  }
  if (is_too_much(error)) {
    return Error{Errc::too_large, "document", "it takes more of a node's memory than one may: " + reason,
                 "give the cluster's nodes a larger heap, of which a tenth is for what is being written"};
  }
  if (is_of_passing_type(error.first) || is_of_lost_point(error))
    return Error{Errc::unavailable, "cluster", reason, "try again when all of its nodes are there"};
  switch (answer.status) {
    case 401:
    case 403:
      return Error{Errc::io, "cluster", "access refused: " + reason,
                   "check the user and its password, and its role"};
    case 404:
      return Error{Errc::not_found, "cluster", reason, "check --store"};
    case 409:
      return Error{Errc::busy, "cluster", reason, "try again"};
    case 413:
      return Error{Errc::too_large, "document", "the cluster takes no request of its length",
                   "raise http.max_content_length of its nodes"};
    case 429:
    case 502:
    case 503:
    case 504:
      return Error{Errc::unavailable, "cluster", reason, "try again when all of its shards are there"};
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

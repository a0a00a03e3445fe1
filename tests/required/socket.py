"""The control socket: where it is, what goes over it, who may do what there."""

from __future__ import annotations

from tests.required import Requirement, held, planned

ROWS: tuple[Requirement, ...] = (
    planned(
        "sock-01", "Its folder is for this user alone, and both sides check whom they speak with.", "000"
    ),
    planned(
        "sock-02",
        "Its path follows from the user alone; one that is too long has a short name elsewhere.",
        "",
    ),
    planned("sock-03", "A private desk has everything under the folder that SAYSO_HOME names.", ""),
    planned("sock-04", "A living desk is never displaced, a stale socket is; a home has one desk.", "000"),
    held(
        "sock-05",
        "A line to the desk has at most 1 MiB; a longer one is refused, as soon as it is too long.",
        "000",
        "tests/wire/test_jsonrpc.py::test_a_line_of_exactly_the_limit_is_one",
        "tests/wire/test_jsonrpc.py::test_a_longer_one_is_refused_whether_it_has_ended_or_not",
        "tests/wire/test_jsonrpc.py::test_it_is_refused_as_soon_as_it_is_too_long",
    ),
    held(
        "sock-06",
        "Snapshots come in pieces of at most 256 KiB.",
        "",
        "tests/wire/test_chunks.py::test_in_pieces_and_whole_again",
        "tests/wire/test_chunks.py::test_no_piece_of_a_full_desk_is_longer_than_the_wire_allows",
    ),
    held(
        "sock-07",
        "Errors are objects for JSON-RPC callers, and plain strings for all others.",
        "001",
        "tests/wire/test_jsonrpc.py::test_an_error_is_an_object_for_who_does",
        "tests/wire/test_jsonrpc.py::test_an_error_is_a_string_for_who_does_not_speak_json_rpc",
    ),
    planned("sock-08", "Requests on one connection run side by side; those of a closed one are over.", "000"),
    planned("sock-09", "An ask is acknowledged before its result; an empty result decides nothing.", "000"),
    held(
        "sock-10",
        "A live id is refused; an unknown one that a hook brings is taken, as after a restart.",
        "",
        "tests/core/test_asking.py::test_a_taken_id_is_refused_and_nothing_changes",
        "tests/core/test_asking.py::test_case_09_a_hook_that_comes_back_has_its_request_again",
    ),
    held(
        "sock-11",
        "A receipt counts only from the process that asked.",
        "",
        "tests/core/test_delivery.py::test_only_the_waiter_of_a_request_may_give_its_receipt",
        "tests/core/test_delivery.py::test_receipts_that_make_no_sense_are_refused",
    ),
    held(
        "sock-12",
        "Every route names its power and a method of the desk's table.",
        "",
        "tests/daemon/test_http.py::test_every_route_has_a_power_and_a_method_of_the_desk",
        "tests/daemon/test_http_openapi.py::test_every_operation_names_its_power_and_its_errors",
        "tests/wire/test_protocol.py::test_every_method_has_a_power_and_words",
    ),
    held(
        "sock-13",
        "What decides needs the power to answer; what hooks call needs no more than asking.",
        "",
        "tests/wire/test_protocol.py::test_case_51_what_decides_needs_the_power_to_answer",
        "tests/wire/test_protocol.py::test_case_51_what_hooks_call_needs_no_more_than_asking",
        "tests/wire/test_protocol.py::test_each_power_includes_the_ones_below",
    ),
    held(
        "sock-14",
        "A process below an agent, or with an agent's marks, may not answer; it is told why.",
        "",
        "tests/end_to_end/test_access.py::test_the_agents_own_shell_cannot_answer_for_the_person",
    ),
    planned("sock-15", "Whether a process may answer is checked at each call, by pid and start time.", ""),
    planned("sock-16", "The person is told when an agent tries to answer.", ""),
    planned("sock-17", "Only paired devices answer where the setting says so.", ""),
    planned("sock-18", "An event counts only for the session whose agent is an ancestor of its hook.", ""),
    held(
        "sock-19",
        "A session goes on under a new process when its old one is dead; two living ones are two.",
        "measured",
        "tests/core/test_sessions.py::test_a_resumed_session_goes_on_in_its_new_process",
        "tests/core/test_sessions.py::test_two_living_processes_are_two_sessions",
        "tests/end_to_end/test_sessions.py::test_a_resumed_session_keeps_its_id_under_another_process",
    ),
    held(
        "sock-20",
        "A private desk may be told which process is the agent, so that it works below one.",
        "",
        "tests/demo/test_demo.py::test_it_also_plays_under_an_agent",
    ),
    held(
        "sock-21",
        "A hook that is newer than the desk decides nothing.",
        "",
        "tests/wire/test_codec.py::test_an_ask_that_does_not_fit",
        "tests/wire/test_codec.py::test_an_event_of_a_newer_hook_says_nothing",
    ),
    held(
        "sock-22",
        "A desk that does not acknowledge within 250 ms counts as absent.",
        "",
        "tests/intake/test_silence.py::test_a_listener_that_says_nothing_counts_as_absent",
        "tests/intake/test_silence.py::test_a_listener_that_reads_nothing",
        "tests/intake/test_silence.py::test_beside_the_terminals_own_dialog_the_hook_waits_on",
    ),
    planned("sock-23", "Methods of the ask protocol.", "001"),
    held(
        "sock-24",
        "A watching channel says every 30 s whether its person is there, and on what they look.",
        "",
        "tests/channels/screen/test_deck.py::test_presence_names_the_open_card_alone",
        "tests/channels/screen/test_deck.py::test_presence_is_told_to_another_connection_at_once",
    ),
    planned("sock-25", "The usual desk takes no word on which process is the agent."),
    planned("sock-26", "After a line that is too long the connection closes.", "000"),
)

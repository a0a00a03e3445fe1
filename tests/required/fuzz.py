"""What is sent that nobody should send: an answer in shape, and no harm to anybody else."""

from __future__ import annotations

from tests.required import Requirement, held

HTTP = "tests/fuzz/test_http.py"
FLOODS = "tests/fuzz/test_http_floods.py"
SOCKET = "tests/fuzz/test_socket.py"
SOCKET_FLOODS = "tests/fuzz/test_socket_floods.py"

ROWS: tuple[Requirement, ...] = (
    held(
        "fuzz-01",
        "Every route answers whatever comes in one shape and in time; what it refuses changes nothing.",
        "",
        f"{HTTP}::test_a_request_with_a_few_things_wrong",
        f"{HTTP}::test_a_body_that_nobody_should_send",
        "tests/fuzz/test_http_document.py::test_whatever_fits_the_document_or_does_not",
    ),
    held(
        "fuzz-02",
        "The control socket answers whatever comes, in any pieces, and serves the others meanwhile.",
        "",
        f"{SOCKET}::test_connections_that_say_anything",
        f"{SOCKET}::test_every_line_that_is_no_call_is_answered",
        "tests/properties/test_asks_socket.py::test_every_call_is_answered_once",
    ),
    held(
        "fuzz-03",
        "Who connects over HTTP and says nothing whole loses the connection; what is held does not.",
        "",
        "tests/daemon/test_http_connection.py::test_who_says_nothing_whole_loses_the_connection",
        "tests/daemon/test_http_connection.py::test_nor_does_it_help_to_have_been_answered_before",
        "tests/daemon/test_http_connection.py::test_what_is_held_is_no_late_head",
        "tests/daemon/test_http_heads.py::test_a_head_that_does_not_end_is_not_kept",
        "tests/daemon/test_http_heads.py::test_what_follows_a_body_without_end_is_not_kept",
        "tests/daemon/test_http_heads.py::test_heads_that_do_not_end_are_bounded_together",
        f"{FLOODS}::test_connections_that_say_nothing_take_nothing_from_others",
    ),
    held(
        "fuzz-04",
        "A flood of connections over HTTP leaves the control socket its own, and is not logged line by line.",
        "",
        f"{FLOODS}::test_more_connections_than_files_leave_the_others_theirs",
        "tests/daemon/test_files.py::test_http_stops_before_the_socket_does",
        "tests/daemon/test_reports.py::test_the_same_is_said_once_in_a_while",
    ),
    held(
        "fuzz-05",
        "Requests may come before those ahead of them are answered; a held one still hears its client leave.",
        "",
        f"{FLOODS}::test_thousands_of_requests_at_once_on_one_connection",
        "tests/daemon/test_http_connection.py::test_requests_that_come_all_at_once_are_answered_in_their_order",
        "tests/daemon/test_http_connection.py::"
        "test_a_held_request_hears_its_client_leave_though_another_came_behind_it",
    ),
    held(
        "fuzz-06",
        "Whoever may ask cannot fill the desk's memory: events, sessions and ended requests are bounded.",
        "",
        f"{SOCKET_FLOODS}::test_sessions_that_nobody_has",
        f"{SOCKET_FLOODS}::test_large_events_of_many_sessions",
        f"{SOCKET_FLOODS}::test_large_asks_that_are_taken_back",
        "tests/core/test_much.py::test_the_events_of_all_sessions_fit_into_one_bound",
        "tests/core/test_much.py::test_sessions_are_not_listed_without_end",
        "tests/core/test_much.py::test_ended_requests_are_bounded_in_size_the_oldest_go",
        "tests/daemon/test_changes.py::test_what_is_too_much_makes_room",
    ),
    held(
        "fuzz-07",
        "Nor can lines that do not end, subscriptions without number, or streams whose readers left.",
        "",
        f"{SOCKET_FLOODS}::test_lines_that_do_not_end",
        f"{SOCKET_FLOODS}::test_one_connection_that_subscribes_again_and_again",
        f"{FLOODS}::test_streams_whose_readers_leave_are_gone",
        "tests/daemon/test_control_bounds.py::test_lines_that_do_not_end_are_bounded_together",
        "tests/daemon/test_control_bounds.py::test_who_does_not_read_its_answers_is_not_listened_to",
    ),
    held(
        "fuzz-08",
        "An agent's server that sends frames of any sort is answered or left; pieces cost nothing.",
        "",
        "tests/fuzz/test_websocket.py::test_any_bytes_in_any_pieces",
        "tests/fuzz/test_websocket.py::test_pieces_without_end_and_without_content_cost_nothing",
    ),
)

"""Types of the code in words, and which of them the page of shapes describes."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from enum import Enum

import msgspec

from sayso.channels import stream
from sayso.core import types as core
from sayso.daemon import bridge_routes, http_devices, http_routes, methods, pair_methods, push
from sayso.daemon.http_errors import ErrorBody
from sayso.wire import interaction, interaction_answers, protocol, views, webhooks

GROUPS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "What a channel is shown": (
        views.Snapshot,
        views.Change,
        views.RequestView,
        views.SuggestionView,
        core.Row,
        core.Question,
        core.Option,
        core.Field,
        core.Choice,
        core.Answerer,
        views.SessionView,
        views.MessageView,
        views.AlertView,
        views.GrantView,
        core.Settings,
        methods.Health,
    ),
    "What a person says": (
        core.Reply,
        core.ListedAnswer,
        protocol.QueueParams,
        protocol.PresenceParams,
        interaction.RespondBody,
        interaction_answers.Response,
        http_devices.PairBody,
        http_devices.PairingBody,
        protocol.PushSubscription,
        protocol.PushKeys,
        protocol.PushAnswerParams,
    ),
    "What hooks say and are told": (
        core.Ask,
        core.HookEvent,
        core.Decision,
        core.Answer,
    ),
    "What programs send to the interaction bridge": (
        interaction.RegisterBody,
        interaction.RequestBody,
        interaction.NotifyBody,
    ),
    "What the interaction bridge tells": (
        interaction.Answered,
        interaction.Listed,
        interaction.Interaction,
        interaction.Alert,
        interaction.DesktopState,
        interaction.DesktopSession,
        bridge_routes.Done,
    ),
    "Parameters of methods": (
        protocol.AnswerParams,
        protocol.IdParams,
        protocol.RowParams,
        protocol.SubscribeParams,
        protocol.WrittenParams,
        protocol.GoneParams,
        protocol.TakeParams,
        protocol.SessionParams,
        protocol.MuteParams,
        protocol.DevicesParams,
        protocol.PairingParams,
        protocol.PairParams,
        protocol.PushParams,
        webhooks.WebhooksParams,
        webhooks.WebhookView,
        webhooks.WebhookAdded,
        webhooks.WebhookTested,
        protocol.StopParams,
    ),
    "What programs elsewhere are told": (
        stream.Beside,
        stream.Absent,
        webhooks.Event,
        webhooks.EventData,
        webhooks.EventRequest,
        webhooks.EventRow,
        webhooks.EventQuestion,
        webhooks.EventNote,
        webhooks.EventAlert,
    ),
    "Results over HTTP": (
        http_routes.Pending,
        http_routes.Sessions,
        http_routes.Settled,
        http_routes.Okay,
        http_devices.WhoAmI,
        http_devices.DeviceId,
        http_devices.DevicesList,
        http_devices.DeviceView,
        http_devices.DeviceGone,
        http_devices.PairedView,
        pair_methods.Pairing,
        push.PushKey,
        ErrorBody,
    ),
}
DESCRIBED = frozenset(shape for group in GROUPS.values() for shape in group)
_PLAIN = {str: "string", int: "integer", float: "number", bool: "true or false", type(None): "null"}


def link(shape: type) -> str:
    """Return a shape's name, as a link to its description if it has one."""
    if shape is http_routes.Nothing:
        return "none, or `{}`"
    if shape in DESCRIBED:
        return f"[{shape.__name__}](shapes.md#{shape.__name__.lower()})"
    return f"`{shape.__name__}`"


def words(kind: object) -> str:
    """Return a type as people say it."""
    if kind is typing.Any:
        return "anything"
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union or origin is types.UnionType:
        return " or ".join(words(each) for each in inner)
    if origin in (tuple, list):
        return f"list of {words(inner[0])}"
    if origin in (dict, Mapping):
        return f"object of {words(inner[1])}"
    if origin is typing.Literal:
        return ", ".join(f"`{each}`" for each in inner)
    if isinstance(kind, type):
        if kind in _PLAIN:
            return _PLAIN[kind]
        if issubclass(kind, Enum):
            return ", ".join(f"`{each.value}`" for each in kind)
        return link(kind)
    return str(kind)

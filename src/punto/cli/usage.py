"""The words of a command that are wrong, in the language of this run. Cyclopts knows them in English alone."""

from __future__ import annotations

from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING, Any, get_args

from cyclopts import exceptions as wrong

from punto.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable


def sentence_of(error: wrong.CycloptsError, language: str) -> str:
    """The sentence for wrong words."""
    match error:
        case wrong.UnknownOptionError(token=token, argument_collection=known):
            given = token.keyword or token.value
            return _unknown("usage-option", language, given, [name for each in known for name in each.names])
        case wrong.UnknownCommandError(unused_tokens=[given, *_], app=app):
            return _unknown("usage-command", language, given, app or ())
        case wrong.UnusedCliTokensError(unused_tokens=given):
            return text("commands", "usage-too-much", language, given=given)
        case wrong.RepeatArgumentError(token=token):
            return text("commands", "usage-repeated", language, name=token.keyword)
        case wrong.MissingArgumentError(argument=argument, keyword=keyword) if argument:
            return text("commands", "usage-missing", language, name=keyword or argument.name)
        case wrong.CoercionError(token=token, argument=argument, target_type=kind) if token:
            choices = [str(each.value if isinstance(each, Enum) else each) for each in get_args(kind)]
            return _refused_value(language, token, argument, choices=choices)
        case wrong.ValidationError(argument=argument) if argument and argument.tokens:
            range_: Any = argument.parameter.validator  # the only kind that we use
            return _refused_value(language, argument.tokens[0], argument, least=range_[0].gte, most=range_[0].lte)
    return text("commands", "usage-other", language, detail=str(error))


def _unknown(key: str, language: str, given: str, known: Iterable[str]) -> str:
    return text("commands", key, language, given=given, like=get_close_matches(given, known, n=1))


def _refused_value(language: str, token: Any, argument: Any, **parameters: object) -> str:
    name = token.keyword or argument.name
    return text("commands", "usage-value", language, None, name=name, given=token.value, **parameters)

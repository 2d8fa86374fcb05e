"""Values by name, such as prices by bet, that are rows too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, TypeVar

from punto.rules.tabular import Tabular

Value = TypeVar("Value")


class ByName(Tabular, Mapping[str, Value]):
    """A mapping of what the field `_values` holds."""

    __slots__ = ()
    _values: ClassVar[str]

    @property
    def _by_name(self) -> Mapping[str, Value]:
        found: Mapping[str, Value] = getattr(self, self._values)
        return found

    def __getitem__(self, name: str) -> Value:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

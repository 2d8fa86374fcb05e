/** Small hooks the pages share. */
import { signal, type Signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { get, type Problem } from "./api";
import { tokens, type Kind } from "./session";
import { Table } from "./table";
import type { Sheet } from "./wire";

/** The live table of a page; another table, or another person, is another connection. */
export function useTable(id: string, kind: Kind | null): Table {
  const token = kind && tokens[kind].value;
  const table = useMemo(() => new Table(id, kind), [id, kind, token]);
  useEffect(() => () => table.close(), [table]);
  return table;
}

const sheets = new Map<string, Promise<Sheet>>();

/** A game's rule sheet, fetched once. */
export function useSheet(game: string | undefined): Sheet | null {
  const [sheet, setSheet] = useState<Sheet | null>(null);
  useEffect(() => {
    if (!game) return;
    const fetched = sheets.get(game) ?? get<Sheet>(`/api/games/${encodeURIComponent(game)}`);
    sheets.set(game, fetched);
    fetched.then(setSheet, () => sheets.delete(game));
  }, [game]);
  return sheet?.id === game ? sheet : null;
}

export interface Fetched<T> {
  data: T | null;
  problem: Problem | null;
  again: () => void;
}

/** What a path answers; asked again every `every` milliseconds where given, or by `again`. */
export function useFetch<T>(path: string | null, kind: Kind | null = null, every = 0): Fetched<T> {
  const [state, setState] = useState<{ data: T | null; problem: Problem | null }>({ data: null, problem: null });
  const [turn, setTurn] = useState(0);
  const token = kind && tokens[kind].value;
  useEffect(() => {
    if (!path) return;
    let current = true;
    const ask = () =>
      get<T>(path, kind).then(
        (data) => current && setState({ data, problem: null }),
        (problem: Problem) => current && setState((before) => ({ ...before, problem })),
      );
    void ask();
    const timer = every ? setInterval(ask, every) : 0;
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [path, kind, token, every, turn]);
  return { ...state, again: () => setTurn(turn + 1) };
}

/** Whole seconds until a moment of the server's clock; null when there is none. */
export function useCountdown(endsAt: number | null, skew: number): number | null {
  const left = () => (endsAt === null ? null : Math.max(0, Math.ceil((endsAt - Date.now() - skew) / 1000)));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (endsAt === null) return;
    const timer = setInterval(() => setSeconds(left()), 200);
    return () => clearInterval(timer);
  }, [endsAt, skew]);
  return seconds;
}

/** What is read out to those who cannot see the page. */
export const announced: Signal<string> = signal("");

export const announce = (words: string): void => {
  announced.value = words;
};

/** What is said at the foot of the page for a moment. */
export const toast: Signal<string | null> = signal(null);
let fading = 0;

export function say(words: string): void {
  toast.value = words;
  announce(words);
  clearTimeout(fading);
  fading = window.setTimeout(() => (toast.value = null), 6000);
}

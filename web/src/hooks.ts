/** Hooks that the pages share: a live table, a rule sheet, an answer of the server, a countdown. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { get, type Problem } from "./api";
import { LiveFloor } from "./live-floor";
import { LiveTable } from "./live-table";
import { sessions, type AccountKind } from "./session";
import type { Bet, Claim, RoundRecord, Sheet, Snapshot } from "./wire";

/** A table as it is now, and the rules it is played by: what most parts of a page are drawn from. */
export interface TableView {
  snapshot: Snapshot;
  sheet: Sheet;
}

/** The live table of a page, its view once that is known, and the seconds until the phase ends. Another person is another connection. */
export function useLiveTable(id: string, kind: AccountKind | null): { table: LiveTable; view: TableView | null; seconds: number | null } {
  const session = kind && sessions[kind].value;
  const table = useMemo(() => new LiveTable(id, kind), [id, kind, session]);
  useEffect(() => () => table.close(), [table]);
  const snapshot = table.shown.value;
  const sheet = useSheet(snapshot?.table.game);
  const seconds = useCountdown(snapshot?.ends_at_ms ?? null, table.clockSkewMs);
  return { table, view: snapshot && sheet && { snapshot, sheet }, seconds };
}

const sheets = new Map<string, Promise<Sheet>>();

/** A game's rule sheet, fetched once for all who ask; a failure is not kept. */
function fetchSheet(game: string): Promise<Sheet> {
  const fetched = sheets.get(game) ?? get<Sheet>(`/api/games/${encodeURIComponent(game)}`);
  sheets.set(game, fetched);
  fetched.catch(() => sheets.get(game) === fetched && sheets.delete(game));
  return fetched;
}

/** A game's rule sheet, or why there is none. */
export function useSheetAnswer(game: string | undefined): Pick<Fetched<Sheet>, "data" | "problem"> {
  const { data, problem } = useAnswer(game ? () => fetchSheet(game) : null, 0, game);
  return { data: data && data.id === game ? data : null, problem };
}

/** A game's rule sheet. */
export const useSheet = (game: string | undefined): Sheet | null => useSheetAnswer(game).data;

/** The rule sheets of several games, by their ids. */
export function useSheets(games: readonly string[]): ReadonlyMap<string, Sheet> {
  const { data } = useAnswer(() => Promise.all(games.map(fetchSheet)), 0, games.join());
  return new Map(data?.map((sheet) => [sheet.id, sheet]));
}

interface Fetched<T> {
  data: T | null;
  problem: Problem | null;
  refetch: () => void;
}

/** Answers that say: ask again in a while. 0 is none at all. */
const PASSES = new Set([0, 429, 502, 503, 504]);
const RETRY_MS = 1000;

/** What `ask` answers; asked again every `every` milliseconds where given, when something in `about` is another, or by `refetch`. */
function useAnswer<T>(ask: (() => Promise<T>) | null, every: number, ...about: unknown[]): Fetched<T> {
  const [state, setState] = useState<Omit<Fetched<T>, "refetch">>({ data: null, problem: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!ask) return;
    let current = true;
    let timer = 0;
    const again = (after: number) => {
      if (after) timer = window.setTimeout(askOnce, after);
    };
    const askOnce = () =>
      void ask().then(
        (data) => {
          if (!current) return;
          setState({ data, problem: null });
          again(every);
        },
        (problem: Problem) => {
          if (!current) return;
          setState((before) => ({ ...before, problem }));
          again(every || (PASSES.has(problem.status) ? RETRY_MS : 0));
        },
      );
    askOnce();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [...about, every, turn]);
  return { ...state, refetch: () => setTurn(turn + 1) };
}

/** What a path answers; asked again every `every` milliseconds where given, when `version` is another, or by `refetch`. */
export function useFetch<T>(path: string | null, kind: AccountKind | null = null, every = 0, version: unknown = null): Fetched<T> {
  const session = kind && sessions[kind].value;
  return useAnswer(path ? () => get<T>(path, kind) : null, every, path, kind, session, version);
}

/** What can be ticked off the record of an earlier round. */
export interface PastRound {
  bets: readonly Bet[];
  claims: readonly Claim[];
}

/** The bets and claims of an earlier round by its record; none without a round. */
export function usePastRound(table: string, round: number | null | undefined): PastRound {
  const { data } = useFetch<RoundRecord>(round ? `/api/tables/${table}/rounds/${round}` : null, "staff");
  if (!data || data.round !== round) return { bets: [], claims: [] };
  return { bets: data.lines.map((line) => line.bet), claims: data.claims ?? [] };
}

/** The time of the server's clock, read again every so often, for what is said to have lasted. */
export function useNow(skewMs: number, everyMs = 10_000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now + skewMs;
}

/** The floor, followed for as long as the page is open. Another person is another connection. */
export function useLiveFloor(kind: AccountKind): LiveFloor {
  const session = sessions[kind].value;
  const floor = useMemo(() => new LiveFloor(kind), [kind, session]);
  useEffect(() => () => floor.close(), [floor]);
  return floor;
}

/** Whether the window fits a media query, followed as it changes. */
export function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const [matches, setMatches] = useState(media.matches);
  useEffect(() => {
    const follow = () => setMatches(media.matches);
    follow();
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [media]);
  return matches;
}

/** Whole seconds until a moment of the server's clock; null when there is none. */
function useCountdown(endsAt: number | null, skew: number): number | null {
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

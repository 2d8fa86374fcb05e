/** Rounds of the past, always marked as a replay. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { BetResults } from "../components/bet-results";
import { Hands } from "../components/hands";
import { Dialog } from "../components/page-frame";
import { useFetch } from "../hooks";
import type { AccountKind } from "../session";
import { moment, sheetWords, t, word } from "../texts";
import type { RoundRecord, Sheet } from "../wire";

export function PastRounds({ table, sheet, kind, onClose }: { table: string; sheet: Sheet; kind: AccountKind; onClose: () => void }): JSX.Element {
  const list = useFetch<RoundRecord[]>(`/api/tables/${table}/rounds?limit=50`, kind);
  const [picked, setPicked] = useState<number | null>(null);
  const number = picked ?? list.data?.[0]?.round ?? null;
  const one = useFetch<RoundRecord>(number ? `/api/tables/${table}/rounds/${number}` : null, kind);
  return (
    <Dialog title={t("past-rounds")} onClose={onClose} wide>
      <div class="past">
        <ol>
          {list.data?.map((record) => (
            <li key={record.round}>
              <button type="button" aria-pressed={record.round === number} onClick={() => setPicked(record.round)} data-test={`past-${record.round}`}>
                {t("round-number", { round: record.round })} <span>{summary(record)}</span>
              </button>
            </li>
          ))}
          {list.data?.length === 0 && <li>{t("no-rounds")}</li>}
        </ol>
        {one.data && <Replay record={one.data} sheet={sheet} />}
      </div>
    </Dialog>
  );
}

function summary(record: RoundRecord): string {
  const { winner } = record;
  if (record.void || !winner) return t("void");
  const points = [record.player_points ?? 0, record.banker_points ?? 0];
  return `${word("winner", winner)} ${Math.max(...points)}–${Math.min(...points)}`;
}

function Replay({ record, sheet }: { record: RoundRecord; sheet: Sheet }): JSX.Element {
  const points = { player: record.player_points ?? null, banker: record.banker_points ?? null };
  return (
    <article class="replay" data-test="replay">
      <p class="stamp">
        {t("replay")} · {t("round-number", { round: record.round })} · {summary(record)} {record.settled_at_ms ? `· ${moment(record.settled_at_ms)}` : ""}
      </p>
      {record.reason && <p>{sheetWords(sheet, record.reason)}</p>}
      <Hands cards={record.laid_out} points={points} winner={record.winner ?? null} />
      <BetResults lines={record.lines} sheet={sheet} title={t("bets")} named />
    </article>
  );
}

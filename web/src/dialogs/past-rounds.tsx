/** Rounds of the past, always marked as a replay, each with its correction beside it. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { BetResults } from "../components/bet-results";
import { SmallCards } from "../components/card-picker";
import { Field } from "../components/field";
import { Form } from "../components/forms";
import { Hands } from "../components/hands";
import { Dialog } from "../components/page-frame";
import { Waiting } from "../components/waiting";
import { read } from "../field-readers";
import { useFetch } from "../hooks";
import { signed } from "../money";
import type { AccountKind } from "../session";
import { moment, patronName, sheetWords, t, word } from "../texts";
import type { RoundRecord, Sheet } from "../wire";

interface Props {
  table: string;
  sheet: Sheet;
  kind: AccountKind;
  /** The round that is shown first; without one, the newest. */
  start?: number | null;
}

export function PastRounds({ onClose, ...rounds }: Props & { onClose: () => void }): JSX.Element {
  return <Dialog title={t("past-rounds")} onClose={onClose} wide><Rounds {...rounds} /></Dialog>;
}

/** The newest rounds of a table, any of which can be shown, and any other by its number. */
export function Rounds({ table, sheet, kind, start = null }: Props): JSX.Element {
  const list = useFetch<RoundRecord[]>(`/api/tables/${table}/rounds?limit=50`, kind);
  const [picked, setPicked] = useState<number | null>(start);
  const number = picked ?? list.data?.[0]?.round ?? null;
  const one = useFetch<RoundRecord>(number ? `/api/tables/${table}/rounds/${number}` : null, kind);
  return (
    <div class="past">
      <div>
        {kind === "staff" && (
          <Form name="recall" class="inline" onSubmit={(form) => setPicked(Number(read("number", "round", form)))}>
            <Field name="round" kind="number" label={t("recall-round")} required minimum={1} />
            <button type="submit">{t("recall")}</button>
          </Form>
        )}
        <ol>
          {list.data?.map((record) => (
            <li key={record.round}>
              <button type="button" aria-pressed={record.round === number} onClick={() => setPicked(record.round)} data-test={`past-${record.round}`}>
                {t("round-number", { round: record.round })} <span>{roundSummary(record)}{record.adjusted && " *"}</span>
              </button>
            </li>
          ))}
          {list.data?.length === 0 && <li>{t("no-rounds")}</li>}
        </ol>
      </div>
      {(one.problem ?? list.problem) && <Waiting problem={one.problem ?? list.problem} />}
      {!one.problem && one.data && <Replay record={one.data} sheet={sheet} />}
    </div>
  );
}

/** How a round ended, in short. */
export function roundSummary(record: RoundRecord): string {
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
        {t("replay")} · {t("round-number", { round: record.round })} · {roundSummary(record)} {record.settled_at_ms ? `· ${moment(record.settled_at_ms)}` : ""}
      </p>
      {record.reason && <p>{sheetWords(sheet, record.reason)}</p>}
      <Hands cards={record.laid_out} points={points} winner={record.winner ?? null} />
      {record.adjusted && <Correction record={record} />}
      <BetResults lines={record.lines} sheet={sheet} title={t("bets")} named />
    </article>
  );
}

/** A round as it was recorded first, beside what it was corrected to. */
function Correction({ record }: { record: RoundRecord }): JSX.Element {
  const { cards, cards_before: before, winner_before: winner, amounts = [], rule } = record;
  return (
    <dl class="correction" data-test="correction">
      <div><dt>{t("recorded-first")}</dt><dd><SmallCards cards={before ?? cards} />{winner && ` · ${word("winner", winner)}`}</dd></div>
      <div><dt>{t("corrected-to")}{rule && ` ¶ ${rule}`}</dt><dd>{record.void ? t("void") : <SmallCards cards={cards} />}{record.winner && ` · ${word("winner", record.winner)}`}</dd></div>
      {amounts.map(({ patron, name, amount_cents, reason }, place) => <div key={place}><dt>{patronName({ [patron]: name }, patron)}{reason && ` · ${reason}`}</dt><dd>{signed(amount_cents)}</dd></div>)}
    </dl>
  );
}

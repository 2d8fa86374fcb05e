/** Setting a table up: game, layout, limits and pace, within what its sheet allows. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { post, problemText } from "../api";
import { Form, Select } from "../components/forms";
import { Dialog } from "../components/page-frame";
import { useFetch, useSheet } from "../hooks";
import { parseMoney } from "../money";
import { capital, sheetWords, t, word } from "../texts";
import type { GameSummary, NewTable, Snapshot } from "../wire";

const MODES = ["automatic", "live"] as const;
const DEVICES = ["card-shoe", "shuffler"] as const;
const CONSENTS = ["ask", "always", "never"] as const;
const SECOND_ROLES = ["pit-supervisor", "pit-manager", "shift-manager"] as const;

/** One of the known values; the first where none was picked. */
const oneOf = <T extends string>(known: readonly [T, ...T[]], value: unknown): T => known.find((each) => each === value) ?? known[0];

/** What opens a closed table again as it was; null for one that was never opened. */
export function setUpAgain({ table }: Snapshot): NewTable | null {
  const { id, title, layout, boxes, mode, decks, limits, device, burn, second_role, notice_rule, standing_order, ...rest } = table;
  if (!mode || !decks || !limits || !device || !burn) return null;
  return { ...rest, ...limits, ...(layout ? { layout } : { boxes }), table: id, mode, decks, device, burn, second_role: oneOf(SECOND_ROLES, second_role) };
}

export function NewTableDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const games = useFetch<GameSummary[]>("/api/games");
  const [game, setGame] = useState("");
  const [mode, setMode] = useState<(typeof MODES)[number]>("automatic");
  const chosen = game || games.data?.[0]?.id || "";
  const sheet = useSheet(chosen);
  const [refused, setRefused] = useState<string | null>(null);
  const layouts = sheet?.boxes.layouts ?? [];
  const send = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const cents = (name: string) => parseMoney(text(name)) ?? 0;
    const newTable: NewTable = {
      table: text("table"),
      game: chosen,
      decks: Number(text("decks")),
      mode,
      minimum_cents: cents("minimum"),
      differential_cents: cents("differential"),
      unit_cents: cents("unit"),
      face_down: form.has("face_down"),
      without_insurance: form.has("without_insurance"),
      second_person: form.has("second_person"),
      second_role: oneOf(SECOND_ROLES, form.get("second_role")),
      private: form.has("private"),
      ...(form.has("waiver_consent") ? { waiver_consent: oneOf(CONSENTS, form.get("waiver_consent")) } : {}),
      device: oneOf(DEVICES, form.get("device")),
      burn: form.has("burn") ? "first-card" : "none",
      ...(layouts.length ? { layout: text("layout") } : { boxes: Number(text("boxes")) }),
      sides: Object.values(sheet?.bets ?? {}).filter((bet) => bet.hand === null && text("side-maximum")).map((bet) => ({ on: bet.id, minimum_cents: cents("side-minimum"), maximum_cents: cents("side-maximum") })),
    };
    try {
      await post("/api/tables", "staff", newTable);
      onClose();
    } catch (error) {
      setRefused(problemText(error, sheet ?? undefined));
    }
  };
  return (
    <Dialog title={t("set-up-table")} onClose={onClose} wide>
      <Form class="set-up" onSubmit={send}>
        <label>{t("table")} <input name="table" required pattern="[a-z0-9\-]+" maxLength={40} placeholder="tiger-2" /></label>
        <Select label={t("game")} name="game" value={chosen} options={games.data?.map(({ id, title }) => [id, title]) ?? []} onPick={setGame} />
        {layouts.length > 0 ? (
          <Select label={t("layout")} name="layout" options={layouts.map(({ id, name, boxes }) => [id, `${sheet && sheetWords(sheet, name)} · ${boxes}`])} />
        ) : (
          <label>{t("terminals")} <input name="boxes" type="number" min={1} max={500} defaultValue="8" required /></label>
        )}
        <label>{t("decks")} <input name="decks" type="number" min={sheet?.decks.minimum} max={sheet?.decks.maximum} defaultValue="8" required /></label>
        <label>{t("minimum")} <input name="minimum" inputMode="decimal" defaultValue="50" required /></label>
        <label>{t("differential")} <input name="differential" inputMode="decimal" defaultValue="10000" required /></label>
        <label>{t("smallest-chip")} <input name="unit" inputMode="decimal" defaultValue="1" required /></label>
        <label>{t("side-bets-from")} <input name="side-minimum" inputMode="decimal" defaultValue="10" /></label>
        <label>{t("side-bets-to")} <input name="side-maximum" inputMode="decimal" defaultValue="1000" /></label>
        <Select label={t("run-by")} name="mode" value={mode} options={MODES.map((each) => [each, word("mode", each)])} onPick={(picked) => setMode(picked === "live" ? "live" : "automatic")} />
        {sheet?.play.shuffler_rule && <Select label={t("dealt-from")} name="device" options={DEVICES.map((each) => [each, word("device", each)])} />}
        {sheet?.insurance && <Select key={mode} label={t("banker-third-first")} name="waiver_consent" value={mode === "live" ? "ask" : "never"} options={CONSENTS.map((each) => [each, word("waiver_consent", each)])} />}
        <Select label={t("second-person")} name="second_role" options={SECOND_ROLES.map((each) => [each, word("authority", each)])} />
        <label class="tick"><input type="checkbox" name="face_down" /> {t("cards-face-down")}</label>
        <label class="tick"><input type="checkbox" name="burn" /> {t("first-card-burned")}</label>
        {sheet?.insurance?.private_table_rule && <label class="tick"><input type="checkbox" name="private" /> {capital(word("event_note", "private"))}</label>}
        {sheet?.insurance?.private_table_rule && <label class="tick"><input type="checkbox" name="without_insurance" /> {t("without-insurance")}</label>}
        <label class="tick"><input key={mode} type="checkbox" name="second_person" defaultChecked={mode === "live"} /> {t("second-person-confirms")}</label>
        {refused && <p role="alert" class="loss">{refused}</p>}
        <button type="submit" class="gold" data-test="set-up-send">{t("open-the-table")}</button>
      </Form>
    </Dialog>
  );
}

/** What every bet pays, the limits of this table, and the paragraph for each line: always one tap away. */
import type { JSX } from "preact";
import { DataTable, type Column } from "../components/data-table";
import { Dialog } from "../components/page-frame";
import { Rule } from "../components/rule";
import type { TableView } from "../hooks";
import { money } from "../money";
import { capital, maximumName, sheetWords, t, word } from "../texts";
import type { Insurance } from "../wire";

export function PayTable({ sheet, snapshot, onClose }: TableView & { onClose: () => void }): JSX.Element {
  const { limits, decks, face_down, without_insurance, private: isPrivate, device, burn, waiver_consent, standing_order } = snapshot.table;
  const asks = sheet.insurance && (face_down || !sheet.insurance.waiver_face_down) && !without_insurance;
  const lines = Object.values(sheet.bets).flatMap((bet) => {
    const limit = limits?.sides.find((each) => each.on === bet.id);
    const paid = bet.pays.map(({ says, odds, rule }) => ({ when: sheetWords(sheet, says), pays: odds, rule }));
    const returned = bet.returned_rule ? [{ when: word("winner", "tie"), pays: word("bet_result", "returned"), rule: bet.returned_rule }] : [];
    const first = { name: sheetWords(sheet, bet.name), limits: limit ? `${money(limit.minimum_cents)}–\u2060${money(limit.maximum_cents)}` : "" }; // on one line
    return [...paid, ...returned].map((line, place) => ({ ...line, ...(place ? { name: "", limits: "" } : first) }));
  });
  const columns: Column<(typeof lines)[number]>[] = [
    { title: t("bet"), cell: ({ name }) => name, class: "heading" },
    { title: t("wins-when"), cell: ({ when }) => when },
    { title: t("pays"), cell: ({ pays }) => pays, class: "number" },
    { title: t("limits"), cell: ({ limits }) => limits, class: "number" },
    { title: "¶", cell: ({ rule }) => <Rule rule={rule} sheet={sheet} />, class: "rule" },
  ];
  return (
    <Dialog title={t("pays-and-limits", { title: sheet.title }, sheet)} onClose={onClose} wide>
      <p class="limits">
        {limits && <span>{t("minimum")} <b>{money(limits.minimum_cents)}</b></span>}
        {limits && <span>{maximumName(sheet)} <b>{money(limits.differential_cents)}</b></span>}
        <span>{t("decks")} <b>{decks}</b></span>
        <span>{t("in-force-from")} <b>{sheet.effective}</b></span>
      </p>
      <p class="limits" data-test="settings">
        {device && <span>{t("dealt-from")} <b>{word("device", device)}</b></span>}
        {burn === "first-card" && <span>{t("first-card-burned")}</span>}
        {isPrivate && <span>{capital(word("event_note", "private"))}</span>}
        {asks && waiver_consent && <span>{t("banker-third-first")} <b>{word("waiver_consent", waiver_consent)}</b></span>}
        {standing_order && <span>{t("interrupted-round")} <b>{word("standing_order", standing_order)}</b></span>}
      </p>
      <DataTable rows={lines} columns={columns} rowProps={({ name }) => ({ class: name && "first" })} />
      {sheet.insurance && !without_insurance && <InsuranceTable rows={sheet.insurance.rows} sheet={sheet} />}
    </Dialog>
  );
}

/** Points in short: 0–4, 6. */
const spread = (points: readonly number[]): string => (points.length > 1 ? `${points[0]}–${points.at(-1)}` : `${points[0]}`);

/** The insurance pay table of a sheet. */
function InsuranceTable({ rows, sheet }: Pick<Insurance, "rows"> & Pick<TableView, "sheet">): JSX.Element {
  const columns: Column<Insurance["rows"][number]>[] = [
    { title: t("offered"), cell: ({ window }) => word("window", window) },
    { title: t("insures"), cell: ({ hand }) => word("hand", hand), class: "heading" },
    { title: t("player-has"), cell: ({ player }) => spread(player), class: "number" },
    { title: t("banker-has"), cell: ({ banker }) => spread(banker), class: "number" },
    { title: t("pays"), cell: ({ odds, tie_wins_rule }) => `${odds}${tie_wins_rule ? ` (${t("tie-wins-too")})` : ""}`, class: "number" },
    { title: "¶", cell: ({ rule }) => <Rule rule={rule} sheet={sheet} />, class: "rule" },
  ];
  return <DataTable rows={rows} columns={columns} caption={t("insurance-terms")} />;
}

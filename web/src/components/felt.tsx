/** The betting layout, drawn from the sheet at hand. No bet is known here by name. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { shortLabels } from "../bet-labels";
import type { BetControls } from "../bet-controls";
import { refusalOf, waysTo, type WayTo } from "../choices";
import type { TableView } from "../hooks";
import { money, short, signed, winSize, type Cents } from "../money";
import { flyChips } from "../terminal/chip-flight";
import { boxesToChangeTo, changeSeat } from "../terminal/take-seat";
import { betName, refusalText, sheetWords, t } from "../texts";
import type { BetLine, OfferedBet, Sheet, Snapshot } from "../wire";
import { outcomeOf } from "./bet-results";
import { Stakes } from "./chip";
import { Rule, RuleDialog } from "./rule";

/** A patron's table and what they do there. */
export interface SeatProps extends TableView {
  controls: BetControls;
  /** Whether the connection and the table let anything be done. */
  enabled: boolean;
}

/** What a bet pays, and when, where that is not the same whenever it wins. */
function Pays({ bet, sheet }: { bet: OfferedBet; sheet: Sheet }): JSX.Element {
  const [only, ...more] = bet.pays;
  if (only && !more.length) return <span class="pays"><b>{only.odds}</b></span>;
  const labels = shortLabels(bet.pays.map(({ says }) => sheetWords(sheet, says)));
  return (
    <span class="pays several">
      {bet.pays.map(({ odds, says }, place) => <span key={says}><b>{odds}</b> <small>{labels[place]}</small></span>)}
    </span>
  );
}

/** What a bet pays, in one line. */
export function paysText(bet: OfferedBet, sheet: Sheet): string {
  const [only, ...more] = bet.pays;
  if (only && !more.length) return t("pays-odds", { odds: only.odds });
  return bet.pays.map(({ odds, says }) => t("pays-when", { odds, when: sheetWords(sheet, says) })).join(", ");
}

/** What became of the patron's bets in the round that is shown. */
const linesOf = ({ me, round }: Snapshot): readonly BetLine[] => (me?.lines_round === round ? me.lines : []);

/** What lies on a bet as the page may show it: the stake while the round lasts, then what came back and what it won. */
function placedOn({ me }: Snapshot, on: string, line: BetLine | undefined): { placed: Cents; won: Cents } {
  if (!line) return { placed: me?.bets.find((bet) => bet.on === on && bet.box === me.box)?.stake_cents ?? 0, won: 0 };
  return { placed: line.result === "lose" ? 0 : line.bet.stake_cents, won: Math.max(0, line.net_cents) };
}

/** How many chips come to a bet that won, by how large the win is. */
const CHIPS_OF_WIN = [0, 1, 4, 8];

/** What became of a bet in a few words, with its paragraph. */
const verdictText = (line: BetLine): string => [line.net_cents ? signed(line.net_cents) : outcomeOf(line), line.rule && `¶ ${line.rule}`].filter(Boolean).join(" ");

/** What became of the bets that have no spot of their own, and of all of them for those who cannot see the felt. */
export function Verdicts({ snapshot, sheet }: TableView): JSX.Element | null {
  const lines = linesOf(snapshot).filter(({ bet }) => !sheet.bets[bet.on]);
  if (!lines.length) return null;
  return (
    <p class="hint verdicts">
      {lines.map((line, place) => <span key={place} class={line.result} data-test={`verdict-${line.bet.on}`}>{betName(sheet, line.bet.on)} <b>{line.net_cents ? signed(line.net_cents) : outcomeOf(line)}</b> {line.rule && <Rule rule={line.rule} sheet={sheet} />}</span>)}
    </p>
  );
}

function Spot({ bet, sheet, snapshot, controls, enabled }: SeatProps & { bet: OfferedBet }): JSX.Element {
  const { totals_cents, table: { limits } } = snapshot;
  const line = linesOf(snapshot).find((each) => each.bet.on === bet.id);
  const { placed, won } = placedOn(snapshot, bet.id, line);
  const [isRuleOpen, setRuleOpen] = useState(false);
  const rule = line?.rule ?? null;
  const isHere = (way: WayTo<"place-bets">) => way.on === bet.id && way.box === (snapshot.me?.box ?? null);
  const way = waysTo(snapshot, "place-bets").find(isHere);
  const refusal = refusalOf(snapshot, "place-bets", isHere);
  const wanted = way ? (controls.wanted.value[bet.id] ?? 0) : placed;
  const lacking = controls.lacking.value[bet.id] ?? 0;
  const inAll = totals_cents[bet.id] ?? 0;
  const can = enabled && way !== undefined;
  const name = sheetWords(sheet, bet.name);
  const told = [
    placed && t("placed", { stake_cents: placed }),
    wanted !== placed && t("staged", { stake_cents: wanted }),
    lacking && t("more-needed", { amount_cents: lacking }),
    line && `${outcomeOf(line)} ${signed(line.net_cents)}`,
    rule && t("open-rule", { rule }),
    inAll && t("on-table", { amount_cents: inAll }),
  ];
  const bounds = way?.amount ? t("amount-bounds", way.amount) : refusal ? refusalText(refusal, sheet) : "";
  const element = useRef<HTMLButtonElement>(null);
  const before = useRef({ wanted, result: line?.result });
  useEffect(() => {
    const { wanted: last, result } = before.current;
    before.current = { wanted, result: line?.result };
    if (!element.current) return;
    if (!line && wanted > last) flyChips(".chips [aria-checked=true]", element.current);
    else if (line && !result && line.result === "lose") flyChips(element.current, ".area.cards");
    else if (line && !result && line.result === "win") flyChips(".area.cards", element.current, CHIPS_OF_WIN[winSize(line.net_cents, line.bet.stake_cents)]);
    else if (!line && result && result !== "lose") flyChips(element.current, ".purse");
  }, [wanted, line?.result]);
  const press = () => {
    if (can) controls.place(bet.id, controls.chip.value);
    else if (rule) setRuleOpen(true);
  };
  return (
    <>
      <button
        ref={element}
        type="button"
        class={`spot ${bet.hand ?? "side"} ${line?.result ?? ""} ${bet.pays.length > 1 ? "varied" : ""}`}
        aria-disabled={!can && !rule}
        aria-label={[name, paysText(bet, sheet), ...told].filter(Boolean).join(", ")}
        title={bounds}
        data-test={`spot-${bet.id}`}
        data-placed={placed}
        data-pending={Math.max(0, wanted - placed)}
        data-wanted={wanted}
        onClick={press}
      >
        <span class="name">{name}</span>
        <Pays bet={bet} sheet={sheet} />
        <Stakes placed={placed} wanted={wanted} won={won} chips={limits?.chips_cents ?? []} />
        <span class="foot">
          {line ? <em class={`verdict ${line.result}`} data-test={`verdict-${bet.id}`}>{verdictText(line)}</em> : lacking > 0 ? <em class="lacking">{t("more-needed", { amount_cents: lacking })}</em> : inAll > 0 && <small class="in-all">{t("on-table", { amount_cents: inAll })}</small>}
        </span>
      </button>
      {rule && isRuleOpen && <RuleDialog rule={rule} sheet={sheet} onClose={() => setRuleOpen(false)} />}
    </>
  );
}

/** The spots as they lie: the original bets left and right, the first side bet between them, the others above. */
function Layout({ sheet, spot }: { sheet: Sheet; spot: (bet: OfferedBet) => JSX.Element }): JSX.Element {
  const bets = Object.values(sheet.bets);
  const [between, ...above] = bets.filter((bet) => bet.hand === null);
  const original = (hand: string) => bets.find((bet) => bet.hand === hand)!;
  return (
    <div class="felt" role="group" aria-label={t("betting-layout")}>
      {above.length > 0 && (
        <div class="row above" style={{ "--spots": above.length }}>{above.map(spot)}</div>
      )}
      <div class="row main">
        {spot(original("player"))}
        {between && spot(between)}
        {spot(original("banker"))}
      </div>
    </div>
  );
}

export const Felt = (props: SeatProps): JSX.Element => <Layout sheet={props.sheet} spot={(bet) => <Spot key={bet.id} bet={bet} {...props} />} />;

/** The felt of a table that is still to be set up: its boxes, and each bet with what it pays and its limits. */
export function FeltPreview({ sheet, boxes, limitsOf }: { sheet: Sheet; boxes: number; limitsOf: (bet: OfferedBet) => string }): JSX.Element {
  return (
    <section class="felt-preview" aria-label={t("felt-preview")} data-test="felt-preview">
      <ol class="boxes" style={{ "--boxes": boxes }}>{Array.from({ length: boxes }, (_, place) => <li key={place}><span class="box"><b>{place + 1}</b></span></li>)}</ol>
      <Layout
        sheet={sheet}
        spot={(bet) => (
          <div key={bet.id} class={`spot ${bet.hand ?? "side"}`} data-test={`preview-${bet.id}`}>
            <span class="name">{sheetWords(sheet, bet.name)}</span>
            <Pays bet={bet} sheet={sheet} />
            <span class="foot"><small>{limitsOf(bet)}</small></span>
          </div>
        )}
      />
    </section>
  );
}

/** With more boxes than this, a phone shows them in two rows. */
const MANY_BOXES = 6;

/** The boxes of the layout: who sits, who stands behind, what is bet; those that may be taken. */
export function Boxes({ snapshot, sheet, controls, narrow }: SeatProps & { narrow: boolean }): JSX.Element {
  const mine = snapshot.me?.box ?? null;
  const [all, setAll] = useState(false);
  // On a phone free seats give way once the patron has one; a tap on it shows them again.
  const gives = narrow && mine !== null;
  const shown = gives && !all ? snapshot.boxes.filter(({ box, seated, total_cents }) => box === mine || seated || total_cents > 0) : snapshot.boxes;
  const others = boxesToChangeTo(snapshot);
  return (
    <ol class="boxes" aria-label={t("boxes")} style={{ "--boxes": shown.length, "--half": Math.ceil(shown.length / 2) }} data-many={shown.length > MANY_BOXES || undefined}>
      {shown.map(({ box, seated, standing, total_cents: total }, place) => {
        const changes = others.includes(box);
        const kind = changes ? "sit" : (["sit", "stand"] as const).find((each) => waysTo(snapshot, each).some((way) => way.box === box));
        const refusal = kind ? null : refusalOf(snapshot, "sit");
        const who = mine === box ? t("you") : (seated ?? t("free"));
        const label = `${t("box-number", { box })}: ${who}${total ? `, ${money(total)}` : ""}${standing ? `, ${t("standing-count", { n: standing })}` : ""}`;
        return (
          <li key={box} style={{ "--place": place }}>
            <button
              type="button"
              class={mine === box ? "box mine" : seated ? "box taken" : "box"}
              aria-disabled={!kind && !(gives && mine === box)}
              aria-label={kind ? `${label}. ${kind === "sit" ? t("sit-here") : t("stand-behind")}` : label}
              title={refusal && mine !== box ? refusalText(refusal, sheet) : ""}
              data-test={`box-${box}`}
              onClick={() => {
                if (kind) void (changes ? changeSeat(controls, box) : controls.send({ kind, box }));
                setAll(gives && mine === box && !all);
              }}
            >
              <b>{box}</b>
              <span>{total > 0 ? <em key={total}>{short(total)}</em> : who}{standing ? ` +${standing}` : ""}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** The player terminal: one patron's place at one table. */
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { addressOf } from "../base";
import { BetControls } from "../bet-controls";
import { waysTo } from "../choices";
import { BetResults } from "../components/bet-results";
import { Call, NEARLY_OVER, resultOf } from "../components/call";
import { Boxes, Felt, Verdicts, type SeatProps } from "../components/felt";
import { Hands } from "../components/hands";
import { InsurancePanel } from "../components/insurance";
import { PatronNotices } from "../components/notices";
import { Bar, ConnectionState, Dialog, TableTitle } from "../components/page-frame";
import { Road, ShoeStatistics } from "../components/roads";
import { SignIn, WithAccount } from "../components/sign-in";
import { SqueezeTable } from "../components/squeeze";
import { Cashier } from "../dialogs/cashier";
import { Help } from "../dialogs/help";
import { PastRounds } from "../dialogs/past-rounds";
import { PayTable } from "../dialogs/pay-table";
import { ShoeCommitment } from "../dialogs/shoe-commitment";
import { Statement } from "../dialogs/statement";
import { useLiveTable, useMedia, type TableView } from "../hooks";
import { signed } from "../money";
import { sessions } from "../session";
import { useShortcuts } from "../shortcuts";
import { setSilent, silent } from "../sounds";
import { FirstSteps } from "../terminal/first-steps";
import { netResult, roundWinSize, useHeard } from "../terminal/heard";
import { HeldRound } from "../terminal/held-round";
import { LeaveQuestion } from "../terminal/leave-button";
import { useNeedOfCredits } from "../terminal/need-credits";
import { SqueezeRequest } from "../terminal/squeeze-request";
import { useSeat } from "../terminal/take-seat";
import { Tray } from "../terminal/tray";
import { reasonText, t } from "../texts";

/** Windows with no room for a margin; the style sheet draws the stage of a phone for the same. */
const NARROW = "(max-width: 700px), (max-height: 500px)";
/** What such a window shows of the big road, in the place of the cards while bets are open. */
const MINI_ROAD_COLUMNS = 16;

export function Terminal({ id }: { id: string }): JSX.Element {
  const { table, view, seconds } = useLiveTable(id, "patron");
  const controls = useMemo(() => new BetControls(table), [table]);
  useEffect(() => () => controls.close(), [controls]);
  const [dialog, setDialog] = useState<"pays" | "rounds" | "statement" | "commitment" | "cashier" | "credits" | "roads" | "help" | null>(null);
  const close = () => setDialog(null);
  const snapshot = view?.snapshot;
  const me = table.me.value;
  const link = table.connection.value;
  const narrow = useMedia(NARROW);
  // Who is not signed in sees that there is such a table before they are asked for a name.
  const signedIn = sessions.patron.value !== null;
  useShortcuts(signedIn ? view?.sheet : null);
  const enabled = link === "live" && !snapshot?.suspended && signedIn;
  useSeat(controls, enabled);
  useNeedOfCredits(controls, () => setDialog("credits"));
  const connection = <ConnectionState link={link} waiting={table.pending.value.length} />;
  return (
    <div class={`page terminal ${link === "live" ? "" : "dim"}`}>
      <WithAccount kind="patron">
        <Bar
          title={view ? <TableTitle {...view} /> : t("table-name", { table: id })}
          aside={signedIn && (
            <>
              <PatronNotices table={table} />
              {view && narrow && <button type="button" class="quiet" onClick={() => setDialog("roads")} data-test="open-roads">{t("roads")}</button>}
            </>
          )}
        >
          {signedIn && (
            <>
              <button type="button" class="quiet" onClick={() => setDialog("pays")} data-test="open-pays">{t("pays-limits")}</button>
              <button type="button" class="quiet" onClick={() => setDialog("rounds")} data-test="open-rounds">{t("past-rounds")}</button>
              <button type="button" class="quiet" onClick={() => setDialog("statement")} data-test="open-statement">{t("statement")}</button>
              {snapshot?.shoe?.commitment && <button type="button" class="quiet" onClick={() => setDialog("commitment")} data-test="open-commitment">{t("fair-shoe")}</button>}
              {view && <button type="button" class="quiet" onClick={() => setDialog("help")} data-test="open-help">{t("help")}</button>}
            </>
          )}
          <SoundSwitch />
        </Bar>
      </WithAccount>
      {view ? (
        <>
          <Seat {...view} controls={controls} enabled={enabled} seconds={seconds} link={connection} narrow={narrow} watched={!signedIn} onCashier={() => setDialog("cashier")} />
          {!signedIn && <main class="at-the-door"><SignIn kind="patron" /></main>}
        </>
      ) : (
        <main class="centre">{connection}{link === "unknown" && <a class="gold" href={addressOf("/")}>{t("back-to-tables")}</a>}</main>
      )}
      {view && dialog === "roads" && <Dialog title={t("roads")} onClose={close}><Margin {...view} /></Dialog>}
      {view && dialog === "help" && <Help {...view} onClose={close} />}
      {view && <LeaveQuestion {...view} controls={controls} enabled={enabled} />}
      {view && dialog === "pays" && <PayTable {...view} onClose={close} />}
      {view && dialog === "rounds" && <PastRounds table={id} sheet={view.sheet} kind="patron" onClose={close} />}
      {dialog === "statement" && <Statement onClose={close} />}
      {dialog === "commitment" && snapshot?.shoe && <ShoeCommitment table={id} shoe={snapshot.shoe} onClose={close} />}
      {(dialog === "cashier" || dialog === "credits") && <Cashier balance={me?.balance_cents ?? 0} owed={me?.owed_cents ?? 0} needed={dialog === "credits"} onClose={close} />}
    </div>
  );
}

interface Props extends SeatProps {
  seconds: number | null;
  /** What is said of the connection. */
  link: JSX.Element;
  /** Whether there is no room for a margin. */
  narrow: boolean;
  /** Whether someone looks on who has not said their name yet. */
  watched: boolean;
  onCashier: () => void;
}

function Seat({ seconds, link, narrow, watched, onCashier, ...seat }: Props): JSX.Element {
  const { snapshot } = seat;
  const { suspended, round, result, table: { notice_rule } } = snapshot;
  const { table } = seat.controls;
  const why = !snapshot.case && !result && snapshot.next.reason ? reasonText(snapshot.next.reason) : "";
  const [squeezed] = waysTo(snapshot, "open-card").flatMap(({ place }) => place ?? []);
  const openCard = (place: number) => seat.controls.send({ kind: "open-card", place });
  const liftCard = async (place: number): Promise<boolean> => {
    table.reveal.lift();
    const opened = await openCard(place);
    if (!opened) table.reveal.lay();
    return opened;
  };
  useHeard(seat, seconds);
  // Whoever still looks at a card sees in time that insurance is offered.
  const isOffered = squeezed !== undefined && (table.snapshot.value?.offers.length ?? 0) > 0 && seconds !== null && seconds <= NEARLY_OVER;
  useEffect(() => {
    if (isOffered) table.reveal.lay();
  }, [isOffered]);
  const Stage = watched ? "div" : "main"; // of a page that asks for a name, the question is the main part
  return (
    <Stage class={notice_rule ? "stage noticed" : "stage"} inert={watched}>
      <section class="area status" aria-label={t("table-says")}>
        <Call {...seat} {...(squeezed === undefined ? { seconds } : { seconds: null, text: t("open-your-cards") })}>
          <NetResult {...seat} />
        </Call>
        <div class="note">
          {suspended ? (
            <p class="hint" role="note">{t("table-suspended")}</p>
          ) : (
            <SqueezeRequest {...seat}><FirstSteps {...seat} /><Verdicts {...seat} />{why && <p key={why} class="hint">{why}</p>}</SqueezeRequest>
          )}
          {notice_rule && <p class="notice" role="note">{t("no-insurance", { rule: notice_rule })}</p>}
        </div>
        {link}
      </section>
      <section class="area cards">
        {narrow && snapshot.phase === "betting" ? (
          <Road road="big_road" data={snapshot.roads} columns={MINI_ROAD_COLUMNS} />
        ) : (
          <Hands cards={snapshot.cards} points={snapshot.points} winner={resultOf(snapshot)?.winner ?? null} me={snapshot.me} />
        )}
      </section>
      {!narrow && <aside class="area margin"><Margin {...seat} /></aside>}
      <section class="area felt">
        <Boxes {...seat} narrow={narrow} />
        <Felt {...seat} />
        <InsurancePanel {...seat} seconds={seconds} />
        <HeldRound {...seat} />
      </section>
      {squeezed !== undefined && (
        <SqueezeTable
          key={`${round}-${squeezed}`}
          cards={snapshot.cards}
          place={squeezed}
          points={snapshot.points}
          face={table.snapshot.value?.cards[squeezed - 1]?.card ?? null}
          seconds={snapshot.phase === "opening" ? seconds : null}
          onLift={() => liftCard(squeezed)}
          onLaid={() => table.reveal.lay()}
          onOpen={() => void openCard(squeezed)}
          onPass={() => void seat.controls.send({ kind: "pass-squeeze", place: squeezed })}
        />
      )}
      <section class="area tray"><Tray {...seat} onCashier={onCashier} /></section>
    </Stage>
  );
}

/** What was: the roads, and what became of the patron's bets. */
function Margin({ snapshot: { roads, me }, sheet }: TableView): JSX.Element {
  return (
    <>
      <ShoeStatistics roads={roads} sheet={sheet} size="small" />
      <BetResults lines={me?.lines ?? []} sheet={sheet} title={t("your-bets", { round: me?.lines_round ?? 0 })} />
    </>
  );
}

/** What the round brought the patron. */
function NetResult({ snapshot }: SeatProps): JSX.Element | null {
  const net = netResult(snapshot);
  return net === null ? null : <em class={net > 0 ? `gain won-${roundWinSize(snapshot)}` : net < 0 ? "loss" : ""}>{signed(net)}</em>;
}

/** Silences the page, or lets it be heard again. */
function SoundSwitch(): JSX.Element {
  return (
    <button type="button" class="quiet" aria-pressed={!silent.value} onClick={() => setSilent(!silent.value)} data-test="sound">
      {silent.value ? t("sound-off") : t("sound-on")}
    </button>
  );
}

/** The people of the house: let in, given a position, a new token with a second person's consent, and dismissed. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { post, Problem, problemText } from "../api";
import { addressOf } from "../base";
import { Action } from "../components/action";
import { DataTable, type Column } from "../components/data-table";
import { DeskPage } from "../components/desk-page";
import { Field } from "../components/field";
import { CommandButtons, Form, Select } from "../components/forms";
import { Dialog } from "../components/page-frame";
import { Waiting } from "../components/waiting";
import { useDeskTable } from "../desk-table";
import { useFetch, useSheet } from "../hooks";
import { showToast } from "../notices";
import { storeToken } from "../session";
import { t, word } from "../texts";
import type { Admitted, Desk, Floor, FloorTable, Member, Person } from "../wire";

const NAME_LENGTH = 40;
const REASON_LENGTH = 200;
type Duty = { table: FloorTable; position: Person["role"] };
type Doing = { member: Member; what: Member["may"][number] | "position" };

export const People = (): JSX.Element => <DeskPage at="/people">{(desk) => <Members desk={desk} />}</DeskPage>;

function Members({ desk }: { desk: Desk }): JSX.Element {
  const [part, setPart] = useState("");
  const [doing, setDoing] = useState<Doing | null>(null);
  const [given, setGiven] = useState<Admitted | null>(null);
  const people = useFetch<Member[]>(`/api/people?name=${encodeURIComponent(part.trim())}`, "staff", 10_000);
  const floor = useFetch<Floor>("/api/floor", "staff", 10_000);
  const done = (admitted: Admitted | null) => {
    setDoing(null);
    setGiven(admitted);
    people.refetch();
    floor.refetch();
  };
  const dutyOf = ({ id }: Person): Duty[] => floor.data?.tables.flatMap((table) => table.duty.filter((each) => each.id === id).map(({ position }) => ({ table, position }))) ?? [];
  const open = (what: Doing["what"]) => (member: Member) => (
    <button key={what} type="button" class={what === "dismissal" ? "warn" : ""} onClick={() => setDoing({ member, what })} data-test={`${what}-${member.id}`}>{DOING[what]()}</button>
  );
  const columns: Column<Member>[] = [
    { title: t("name"), cell: ({ id, name }) => <>{name}<small>{id}</small></>, class: "heading" },
    { title: t("role-is"), cell: ({ role }) => word("role", role) },
    { title: t("on-duty"), cell: (member) => dutyOf(member).map(({ table, position }) => <span key={table.table}>{table.name} · {word("role", position)}</span>), spare: true },
    { title: t("token"), cell: (member) => <TokenState {...member} />, tone: ({ ended }) => (ended ? "loss" : "") },
    { cell: (member) => <span class="buttons">{dutyOf(member).length > 0 && open("position")(member)}{member.may.map((what) => open(what)(member))}</span> },
  ];
  return (
    <main>
      {desk.admits.length > 0 && <Admission roles={desk.admits} onDone={done} />}
      <section aria-label={t("people")}>
        <Field name="find" label={t("find-by-name")} maximum={NAME_LENGTH} text={part} onText={setPart} />
        {!people.data && <Waiting problem={people.problem} />}
        {people.data && <div class="scroll"><DataTable rows={people.data} columns={columns} rowProps={({ id, ended }) => ({ class: ended ? "closed" : "", "data-test": `person-${id}` })} class="grid" test="people" /></div>}
        {people.data?.length === 0 && <p class="calm">{t("nobody-found")}</p>}
      </section>
      {doing && doing.what !== "position" && <AboutToken {...doing} what={doing.what} me={desk.person} onDone={done} onClose={() => done(null)} />}
      {doing?.what === "position" && <Position member={doing.member} duties={dutyOf(doing.member)} onClose={() => done(null)} />}
      {given && <TokenShown {...given} onClose={() => setGiven(null)} />}
    </main>
  );
}

const DOING = { position: () => t("change-position"), token: () => t("new-token"), consent: () => t("agree-to-token"), dismissal: () => t("dismiss") };

/** Whether someone's token counts, and who waits for a second person to give a new one. */
function TokenState({ ended, asked_by }: Member): JSX.Element {
  return <>{ended && t("token-ended")}{asked_by.length > 0 && <small class="waits">{t("token-asked-by", { names: asked_by.map(({ name }) => name).join(", ") })}</small>}</>;
}

/** Lets someone in, in one of the roles in which this person may. */
export function Admission({ roles, title = t("let-in"), onDone }: { roles: Desk["admits"]; title?: string; onDone: (admitted: Admitted) => void }): JSX.Element {
  const [turn, setTurn] = useState(0);
  const [refused, setRefused] = useState<string | null>(null);
  const send = async (form: FormData) => {
    try {
      const admitted = await post<Admitted>("/api/people", "staff", { name: String(form.get("name")).trim(), role: form.get("role") });
      setTurn(turn + 1);
      setRefused(null);
      onDone(admitted);
    } catch (error) {
      setRefused(problemText(error));
    }
  };
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Form name="admission" key={turn} class="inline admission" onSubmit={send}>
        <Field name="name" label={t("name")} required maximum={NAME_LENGTH} wrong={refused} />
        <Select label={t("role-is")} name="role" options={roles.map((role): [string, string] => [role, word("role", role)])} />
        <button type="submit" class="gold" data-test="admit">{t("let-in")}</button>
      </Form>
    </section>
  );
}

/** A new token asked for, agreed to or given; or someone dismissed. Each says first what it does. */
function AboutToken({ member, what, me, onDone, onClose }: Doing & { what: Member["may"][number]; me: Person; onDone: (given: Admitted | null) => void; onClose: () => void }): JSX.Element {
  const { id, name, asked_by } = member;
  const [said, setSaid] = useState<string | null>(null);
  const others = asked_by.filter((each) => each.id !== me.id && each.id !== id);
  const isGiven = what === "token" && others.length > 0;
  const send = async (form: FormData) => {
    const path = `/api/people/${encodeURIComponent(id)}/`;
    try {
      const given = what === "dismissal" ? null : await post<Admitted>(`${path}token`, "staff", { reason: String(form.get("reason") ?? "").trim() });
      if (given && id === me.id) await storeToken("staff", given.token); // the one of this page has ended
      if (!given) await post(`${path}dismissal`, "staff");
      onDone(given);
    } catch (error) {
      if (error instanceof Problem && error.refusal?.code === "second-person-asked") {
        showToast(problemText(error));
        onDone(null);
      } else setSaid(problemText(error));
    }
  };
  const does = what === "dismissal" ? t("dismissal-does", { name }) : what === "consent" ? t("consent-does", { name }) : isGiven ? t("token-will-be-given", { name, names: others.map((each) => each.name).join(", ") }) : t("token-takes-two", { name });
  return (
    <Dialog title={`${DOING[what]()}: ${name}`} onClose={onClose}>
      <p>{does}</p>
      <Form name="token" class="stacked" onSubmit={send}>
        {what !== "dismissal" && <Field name="reason" label={t("reason")} maximum={REASON_LENGTH} focused />}
        {said && <p role="alert" class="loss">{said}</p>}
        <div class="buttons">
          <button type="submit" class={what === "dismissal" ? "warn" : "gold"} data-test="person-send">{isGiven ? t("give-the-token") : what === "token" ? t("ask-for-token") : DOING[what]()}</button>
          <button type="button" onClick={onClose}>{t("leave-as-is")}</button>
        </div>
      </Form>
    </Dialog>
  );
}

/** A token that is shown this once, for its owner. */
function TokenShown({ person: { name, role }, token, onClose }: Admitted & { onClose: () => void }): JSX.Element {
  const canCopy = "clipboard" in navigator; // not where the page came without encryption
  const copy = () => void navigator.clipboard.writeText(token).then(() => showToast(t("token-copied")));
  return (
    <Dialog title={t("token-of", { name })} onClose={onClose}>
      <output class="token" data-test="token" tabIndex={0}>{token}</output>
      <p>{t("token-shown-once")}</p>
      <p class="hint">{t("sign-in-at", { address: location.origin + addressOf(role === "patron" ? "/" : "/pit") })}</p>
      <div class="buttons">
        <Action can={canCopy} onAct={copy} test="copy-token">{t("copy")}</Action>
        <button type="button" class="gold" onClick={onClose} data-test="token-kept">{t("token-handed-over")}</button>
      </div>
    </Dialog>
  );
}

/** The position in which someone acts at the tables where they are on duty. */
function Position({ member, duties, onClose }: { member: Member; duties: readonly Duty[]; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={`${t("change-position")}: ${member.name}`} onClose={onClose}>
      {duties.map(({ table }) => <PositionAt key={table.table} id={member.id} table={table} />)}
    </Dialog>
  );
}

function PositionAt({ id, table }: { id: string; table: FloorTable }): JSX.Element {
  const sheet = useSheet(table.game);
  const { snapshot, problem, refused, onSend } = useDeskTable(table.table, sheet, table.seq);
  const duty = snapshot?.duty?.find((each) => each.id === id);
  return (
    <section class="stacked" aria-label={table.name}>
      <h3>{table.name}{duty && <small> {word("role", duty.position)}{duty.position !== duty.role && ` ← ${word("role", duty.role)}`}</small>}</h3>
      {snapshot ? <div class="buttons"><CommandButtons kind="assign-position" snapshot={snapshot} sheet={sheet} given={{ person: id }} onSend={onSend} /></div> : <Waiting problem={problem} />}
      {refused && <p role="alert" class="loss">{refused}</p>}
    </section>
  );
}

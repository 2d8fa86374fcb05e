/** Signing in, and the pages that are shown to those who are signed in. */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { post, Problem, problemText } from "../api";
import { SessionsButton } from "../dialogs/sessions";
import { announcement, showToast } from "../notices";
import { lastName, rememberName, storeToken, sessions, type AccountKind } from "../session";
import { refusalText, t } from "../texts";
import type { Admitted, BuyCredits } from "../wire";
import { Field } from "./field";
import { Form } from "./forms";
import { AccountTools, Bar } from "./page-frame";

/** What a newcomer gets in a demonstration; elsewhere the house refuses, and sells credits at its cage. */
const PLAY_CREDITS: BuyCredits = { amount_cents: 1_000_000 };

async function givePlayCredits(): Promise<void> {
  try {
    await post("/api/me/credits", "patron", PLAY_CREDITS);
    announcement.value = t("play-credits", PLAY_CREDITS); // seen in the tray
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** Lets a patron in by name where the house allows it, and anyone by the token they were given. */
export function SignIn({ kind }: { kind: AccountKind }): JSX.Element {
  const [byToken, setByToken] = useState(kind === "staff");
  const enter = async (form: FormData) => {
    const text = String(form.get(byToken ? "token" : "name")).trim();
    try {
      const token = byToken ? text : (await post<Admitted>("/api/join", null, { name: text })).token;
      if (!byToken) rememberName(text);
      if (!(await storeToken(kind, token))) return showToast(refusalText({ code: "token-unknown", rule: null }));
      if (!byToken) await givePlayCredits();
    } catch (error) {
      showToast(problemText(error));
    }
  };
  return (
    <Form name="sign-in" class="sign-in" onSubmit={enter}>
      <h2>{byToken ? t("staff-sign-in") : t("take-a-seat")}</h2>
      {byToken ? <Field key="token" name="token" label={t("your-token")} secret required focused maximum={200} /> : <Field key="name" name="name" label={t("your-name")} start={lastName()} required focused maximum={40} />}
      <button type="submit" class="gold">{t("enter")}</button>
      {kind === "patron" && (
        <button type="button" class="quiet" onClick={() => setByToken(!byToken)}>
          {byToken ? t("enter-by-name") : t("enter-by-token")}
        </button>
      )}
      {kind === "staff" && <p class="hint">{t("where-tokens-are")}</p>}
    </Form>
  );
}

/** Gives the bar of a page what belongs to whoever is signed in. */
export function WithAccount({ kind, children }: { kind: AccountKind; children: ComponentChildren }): JSX.Element {
  return <AccountTools.Provider value={sessions[kind].value ? <SessionsButton kind={kind} /> : null}>{children}</AccountTools.Provider>;
}

/** Shows a page to those who are signed in, and the sign-in to others. */
export function SignedIn({ kind, title, children }: { kind: AccountKind; title: string; children: ComponentChildren }): JSX.Element {
  if (sessions[kind].value) return <WithAccount kind={kind}>{children}</WithAccount>;
  return (
    <div class="page">
      <Bar title={title} />
      <main class="centre"><SignIn kind={kind} /></main>
    </div>
  );
}

/** What every page has: the bar at the top, dialogs, the sign-in, and what is said to everyone. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get, post, problemText } from "../api";
import { keep, tokens, type Kind } from "../session";
import type { Link } from "../table";
import { language, setLanguage, t } from "../texts";
import type { Account, Admitted } from "../wire";
import { announced, say, toast } from "../use";

export function Mark(): JSX.Element {
  return (
    <a href="/" class="mark" aria-label={t("all-tables")}>
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <path d="M20 3L37 20L20 37L3 20Z" fill="none" stroke="currentColor" stroke-width="1.6" />
        <circle cx="20" cy="20" r="6" fill="currentColor" />
      </svg>
      <span>Punto</span>
    </a>
  );
}

export function LanguageSwitch(): JSX.Element {
  const other = language.value === "en" ? "zh-Hans" : "en";
  return (
    <button type="button" class="quiet language" lang={other} onClick={() => setLanguage(other)} data-test="language">
      {other === "zh-Hans" ? "中文" : "English"}
    </button>
  );
}

/** The bar at the top of a page. */
export function Bar({ title, children }: { title: ComponentChildren; children?: ComponentChildren }): JSX.Element {
  return (
    <header class="bar">
      <Mark />
      {title ? <h1>{title}</h1> : <span class="gap" />}
      <nav aria-label={t("tools")}>
        {children}
        <LanguageSwitch />
      </nav>
    </header>
  );
}

/** Says when the table is not live; a lost connection is never silent. */
export function LinkState({ link, waiting }: { link: Link; waiting?: number }): JSX.Element | null {
  if (link === "live") return null;
  return (
    <div class={`link ${link}`} role="status" data-test="link">
      {t(`link-${link}`)}
      {link === "lost" && !!waiting && <strong> {t("not-acknowledged", { n: waiting })}</strong>}
    </div>
  );
}

/** A dialog over the page; Escape, the close button and a tap outside end it. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class={props.wide ? "wide" : ""}
      aria-label={props.title}
      onClose={props.onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="sheet">
        <header>
          <h2>{props.title}</h2>
          <button type="button" class="quiet" aria-label={t("close")} onClick={() => dialog.current?.close()}>
            ✕
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}

/** The words said to everyone, seen and heard. */
export function Voices(): JSX.Element {
  return (
    <>
      <div class="heard" aria-live="polite">
        {announced.value}
      </div>
      {toast.value && (
        <div class="toast" role="alert" data-test="toast">
          {toast.value}
        </div>
      )}
    </>
  );
}

/** Lets a patron in by name where the door is open, and anyone by the token they were given. */
export function SignIn({ kind }: { kind: Kind }): JSX.Element {
  const [text, setText] = useState("");
  const [byToken, setByToken] = useState(kind === "staff");
  const enter = async (event: Event) => {
    event.preventDefault();
    try {
      if (byToken) {
        keep(kind, text.trim());
        await get<Account>("/api/me", kind);
      } else {
        const joined = await post<Admitted>("/api/join", null, { name: text.trim() });
        keep(kind, joined.token);
      }
    } catch (error) {
      if (byToken) keep(kind, null);
      say(problemText(error));
    }
  };
  return (
    <form class="sign-in" onSubmit={enter}>
      <h2>{byToken ? t("staff-sign-in") : t("take-a-seat")}</h2>
      <label>
        {byToken ? t("your-token") : t("your-name")}
        <input
          key={String(byToken)}
          name={byToken ? "token" : "name"}
          type={byToken ? "password" : "text"}
          autocomplete="off"
          required
          maxLength={byToken ? 200 : 40}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="gold">{t("enter")}</button>
      {kind === "patron" && (
        <button type="button" class="quiet" onClick={() => setByToken(!byToken)}>
          {byToken ? t("enter-by-name") : t("enter-by-token")}
        </button>
      )}
      {kind === "staff" && <p class="hint">{t("where-tokens-are")}</p>}
    </form>
  );
}

/** Shows a page to those who are signed in, and the sign-in to others. */
export function Guard({ kind, title, children }: { kind: Kind; title: string; children: ComponentChildren }): JSX.Element {
  if (tokens[kind].value) return <>{children}</>;
  return (
    <div class="page">
      <Bar title={title} />
      <main class="centre">
        <SignIn kind={kind} />
      </main>
    </div>
  );
}

/** What every page has: the bar at the top, the state of its connection, dialogs, and notices to everyone. */
import { createContext, toChildArray, type ComponentChildren, type JSX } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { addressOf } from "../base";
import type { TableView } from "../hooks";
import type { ConnectionStatus } from "../live-socket";
import { announcement, toast } from "../notices";
import { language, setLanguage, t, titleParts } from "../texts";

export function LanguageSwitch(): JSX.Element {
  const other = language.value === "en" ? "zh-Hans" : "en";
  return (
    <button type="button" class="quiet language" lang={other} onClick={() => void setLanguage(other)} data-test="language">
      {other === "zh-Hans" ? "中文" : "English"}
    </button>
  );
}

/** What the bar of every page has for whoever is signed in. */
export const AccountTools = createContext<ComponentChildren>(null);

/** The bar at the top of a page. On a phone its tools are behind one button; what is `aside` stays in sight beside it. */
export function Bar({ title, aside, children }: { title: ComponentChildren; aside?: ComponentChildren; children?: ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false);
  const account = useContext(AccountTools);
  const hasTools = toChildArray([children, account]).length > 0;
  const close = () => setOpen(false);
  return (
    <header class={hasTools ? "bar tools" : "bar"} onKeyDown={({ key }) => key === "Escape" && close()}>
      <a href={addressOf("/")} class="mark" aria-label={t("all-tables")}>
        <svg viewBox="0 0 40 40" aria-hidden="true"><use href="#logo" /></svg>
        <span>Punto</span>
      </a>
      {title ? <h1>{title}</h1> : <span class="gap" />}
      {aside}
      {hasTools && (
        <button type="button" class="quiet menu" aria-label={t("menu")} aria-expanded={open} onClick={() => setOpen(!open)} data-test="menu">☰</button>
      )}
      <nav class={open ? "open" : ""} aria-label={t("tools")} onClick={close}>
        {children}
        {account}
        <LanguageSwitch />
      </nav>
    </header>
  );
}

/** Which table a page shows, for its bar. */
export function TableTitle({ snapshot: { shoe, round, table }, sheet }: TableView): JSX.Element {
  const { name, more } = titleParts(sheet);
  // What comes later in a shoe stands at the end, so that nothing moves.
  const parts = [
    { words: t("table-name", { table: table.name }) },
    shoe && { words: t("shoe-number", { shoe: shoe.number }), style: "spare" },
    round > 0 && { words: t("round-number", { round }) },
    shoe?.last_round && { words: t("last-round-of-shoe"), style: "spare" },
    shoe?.last_round && { words: t("last-round"), style: "short" },
  ].filter((part) => !!part);
  return (
    <>
      <span>{name}{more && <span class="more">{more}</span>}</span>
      <small>{parts.map(({ words, style }) => <span key={words} class={style}>{words}</span>)}</small>
    </>
  );
}

/** Says when the table is not live; a lost connection is never silent. */
export function ConnectionState({ link, waiting }: { link: ConnectionStatus; waiting?: number }): JSX.Element | null {
  if (link === "live") return null;
  return (
    <div class={`link ${link === "forbidden" ? "lost" : link}`} role="status" data-test="link">
      {t(`link-${link}`)}
      {link === "lost" && !!waiting && <strong> {t("not-acknowledged", { n: waiting })}</strong>}
    </div>
  );
}

/** A dialog over the page; Escape, the close button and a tap outside end it. */
export function Dialog(props: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []); // in the same moment, so that no key goes to what lies below
  return (
    <dialog
      ref={dialog}
      class={props.wide ? "wide" : ""}
      aria-label={props.title}
      onClose={props.onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <section class="sheet">
        <header>
          <h2>{props.title}</h2>
          <button type="button" class="quiet" aria-label={t("close")} onClick={() => dialog.current?.close()}>✕</button>
        </header>
        {props.children}
      </section>
    </dialog>
  );
}

/** What is told to everyone, seen and heard. */
export function Notices(): JSX.Element {
  return (
    <>
      <div class="heard" aria-live="polite">{announcement.value}</div>
      {toast.value && <div class="toast" role="alert" data-test="toast">{toast.value}</div>}
    </>
  );
}

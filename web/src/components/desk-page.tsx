/** The frame of the desk's pages: who is signed in, the pages that they may open, and what one says to those who may not. */
import type { ComponentChildren, JSX } from "preact";
import { addressOf } from "../base";
import { useFetch } from "../hooks";
import { storeToken } from "../session";
import { t, word } from "../texts";
import type { Desk } from "../wire";
import { Consoles } from "./consoles";
import { Bar } from "./page-frame";
import { Waiting } from "./waiting";

/** Every page of the desk: its path, the route that whoever opens it must be able to ask for, and its name. */
const PAGES = {
  "/pit": ["GET /api/floor", () => t("pit-desk")],
  "/cage": ["GET /api/cage", () => t("cage")],
  "/people": ["GET /api/people", () => t("people")],
  "/house": ["GET /api/house", () => t("house")],
  "/records": ["GET /api/significant", () => t("records")],
} as const satisfies Record<string, [route: string, name: () => string]>;
type Path = keyof typeof PAGES;

/** What a page is called. */
export const deskTitle = (at: Path): string => PAGES[at][1]();

interface Props {
  at: Path;
  /** What stands behind who is signed in. */
  more?: string | null | undefined;
  /** What the bar has besides. */
  tools?: (desk: Desk) => ComponentChildren;
  children: (desk: Desk) => ComponentChildren;
}

export function DeskPage({ at, more, tools, children }: Props): JSX.Element {
  const { data: desk, problem } = useFetch<Desk>("/api/desk", "staff");
  const pages = (Object.keys(PAGES) as Path[]).filter((path) => desk?.may.includes(PAGES[path][0]));
  const isOpen = pages.includes(at);
  return (
    <div class={`page desk ${at.slice(1)}`}>
      <Bar title={<><span>{deskTitle(at)}</span><small>{desk && `${desk.person.name} · ${word("role", desk.person.role)}`}{more && ` · ${more}`}</small></>}>
        {desk && isOpen && tools?.(desk)}
        <button type="button" class="quiet" onClick={() => storeToken("staff", null)} data-test="sign-out">{t("sign-out")}</button>
      </Bar>
      {pages.length > 1 && (
        <nav class="desk-pages" aria-label={t("desk-pages")}>
          {pages.map((path) => <a key={path} href={addressOf(path)} {...(path === at ? { "aria-current": "page" } : {})} data-test={`page-${path.slice(1)}`}>{deskTitle(path)}</a>)}
        </nav>
      )}
      {desk && isOpen ? children(desk) : (
        <main class="centre">
          {desk ? <p class="link lost" role="status" data-test="link">{t("link-forbidden")}</p> : <Waiting problem={problem} />}
          {desk?.person.role === "dealer" ? <Consoles /> : (desk || problem) && <a class="gold" href={addressOf("/")}>{t("back-to-tables")}</a>}
        </main>
      )}
    </div>
  );
}

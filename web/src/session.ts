/**
 * Who sits at this browser. A patron and a member of staff are kept apart, so that one machine can show both. The token
 * itself is in a cookie that no script can read; what is stored here says only that there is one.
 */
import { signal } from "@preact/signals";
import { addressOf, prefix } from "./base.ts";

export type AccountKind = "patron" | "staff";

/** Houses under several prefixes of one host have sessions of their own. */
const place = (kind: AccountKind) => `punto${prefix}.${kind}`;
const read = (kind: AccountKind) => localStorage.getItem(place(kind));

/** What stands for the session of each account, another for each sign-in; null where nobody is signed in. */
export const sessions = { patron: signal(read("patron")), staff: signal(read("staff")) };

function remember(kind: AccountKind, mark: string | null): void {
  if (mark) localStorage.setItem(place(kind), mark);
  else localStorage.removeItem(place(kind));
  sessions[kind].value = mark;
}

/** Hand a token to the server, which keeps it in a cookie; or end the session. Whether the server knows the token. */
export async function storeToken(kind: AccountKind, token: string | null): Promise<boolean> {
  if (!token) remember(kind, null);
  const body = token ? { account: kind, token } : { account: kind };
  try {
    const headers = { "Content-Type": "application/json" };
    const { ok } = await fetch(addressOf(token ? "/api/session" : "/api/session/end"), { method: "POST", headers, body: JSON.stringify(body) });
    if (token) remember(kind, ok ? `since ${Date.now()}` : null);
    return ok;
  } catch {
    return false;
  }
}

const NAME = "punto.name";
/** The name under which a patron last sat down at this browser. */
export const lastName = (): string => localStorage.getItem(NAME) ?? "";
export const rememberName = (name: string): void => localStorage.setItem(NAME, name);

/** A token handed over in the fragment (`#staff=…`), which never leaves the browser, is taken out of sight at once. */
const fragment = /^#(patron|staff)=([\w-]+)$/.exec(location.hash);
if (fragment) {
  history.replaceState(null, "", location.pathname);
  void storeToken(fragment[1] as AccountKind, fragment[2]!);
}

/** Who sits at this browser. A patron and a member of staff are kept apart, so that one machine can show both. */
import { signal } from "@preact/signals";

export type AccountKind = "patron" | "staff";

const read = (kind: AccountKind) => localStorage.getItem(`punto.${kind}`);

export const tokens = { patron: signal(read("patron")), staff: signal(read("staff")) };

/** Keep a token for this kind of person, or forget it. */
export function storeToken(kind: AccountKind, token: string | null): void {
  if (token) localStorage.setItem(`punto.${kind}`, token);
  else localStorage.removeItem(`punto.${kind}`);
  tokens[kind].value = token;
}

/** A token handed over in the fragment (`#staff=…`), which never leaves the browser, is stored and taken out of sight. */
const fragment = /^#(patron|staff)=([\w-]+)$/.exec(location.hash);
if (fragment) {
  storeToken(fragment[1] as AccountKind, fragment[2]!);
  history.replaceState(null, "", location.pathname);
}

/** One's own tokens: when each ends, who gave it in place of another, and a way to end them when others may have seen one. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { post, problemText } from "../api";
import { Dialog } from "../components/page-frame";
import { Waiting } from "../components/waiting";
import { useFetch } from "../hooks";
import { showToast } from "../notices";
import { storeToken, type AccountKind } from "../session";
import { moment, t } from "../texts";
import type { TokenView } from "../wire";

/** The button that opens the dialog, for the bar of a page. */
export function SessionsButton({ kind }: { kind: AccountKind }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)} data-test="open-sessions">{t("my-token")}</button>
      {open && <Sessions kind={kind} onClose={() => setOpen(false)} />}
    </>
  );
}

function Sessions({ kind, onClose }: { kind: AccountKind; onClose: () => void }): JSX.Element {
  const { data, problem } = useFetch<TokenView[]>("/api/me/tokens", kind);
  const [ending, setEnding] = useState(false);
  const end = async () => {
    try {
      await post("/api/me/tokens/end", kind);
      await storeToken(kind, null);
      showToast(t("token-was-ended"));
    } catch (error) {
      showToast(problemText(error));
    }
  };
  return (
    <Dialog title={t("my-token")} onClose={onClose}>
      {!data && <Waiting problem={problem} />}
      <ul class="sessions" data-test="sessions">
        {data?.map((token, place) => <Token key={place} token={token} />)}
      </ul>
      <p>{t("end-token-does")}</p>
      <div class="buttons">
        <button type="button" onClick={() => void storeToken(kind, null)} data-test="session-sign-out">{t("sign-out")}</button>
        {ending ? (
          <button type="button" class="warn" onClick={() => void end()} data-test="end-token-confirm">{t("end-token-now")}</button>
        ) : (
          <button type="button" onClick={() => setEnding(true)} data-test="end-token">{t("end-token")}</button>
        )}
      </div>
    </Dialog>
  );
}

function Token({ token: { ends_at_ms, given_by = [] } }: { token: TokenView }): JSX.Element {
  return (
    <li>
      {ends_at_ms === null ? t("token-has-no-end") : t("token-ends", { moment: moment(ends_at_ms) })}
      {given_by.length > 0 && <p class="notice" data-test="token-given-by">{t("token-given-by", { names: given_by.join(", ") })}</p>}
    </li>
  );
}

/** Requests that move money: one at a time, under one key until the server has answered. */
import { useState } from "preact/hooks";
import { newKey, post, Problem, problemText } from "./api";
import type { AccountKind } from "./session";

export interface Requests {
  busy: boolean;
  /** Why the last one was not carried out. */
  refused: string | null;
  /** Send one, and hand its answer over. Sent again after an answer that was lost, it does nothing twice. */
  request: <T>(path: string, body: object, done: (answer: T) => void) => Promise<void>;
}

export function useRequests(kind: AccountKind): Requests {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [key, setKey] = useState(newKey);
  const request: Requests["request"] = async (path, body, done) => {
    setBusy(true);
    setRefused(null);
    try {
      done(await post(path, kind, body, key));
      setKey(newKey());
    } catch (error) {
      setRefused(problemText(error));
      if (error instanceof Problem && error.status) setKey(newKey());
    } finally {
      setBusy(false);
    }
  };
  return { busy, refused, request };
}

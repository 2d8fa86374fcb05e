/** HTTP calls. What the server did not do is thrown as a Problem. */
import { addressOf } from "./base.ts";
import { storeToken, sessions, type AccountKind } from "./session.ts";
import { refusalText, t } from "./texts.ts";
import type { Names } from "./templates.ts";
import type { ProblemDetails, Refusal } from "./wire.ts";

/** Why there is no answer: the server's refusal; without one, the status of an answer that nobody reads, or 0 for none. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly refusal: Refusal | null = null,
  ) {
    super(refusal?.code ?? `${status}`);
  }
}

/** What to tell someone about a Problem; any other error is not caught. */
export function problemText(error: unknown, sheet?: Names): string {
  if (!(error instanceof Problem)) throw error;
  return error.refusal ? refusalText(error.refusal, sheet) : t(error.status ? "server-silent" : "server-unreachable");
}

export const newKey = (): string => crypto.randomUUID();

async function call<T>(method: string, path: string, kind: AccountKind | null, body?: unknown, key?: string): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  const session = kind && sessions[kind].value;
  if (session) headers["X-Punto-Account"] = kind;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  let answer: Response;
  try {
    answer = await fetch(addressOf(path), { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new Problem(0);
  }
  const isJson = answer.headers.get("Content-Type")?.includes("json");
  const data = isJson ? await answer.json() : null;
  if (answer.ok) return data;
  if (answer.status === 401 && kind && sessions[kind].value === session) void storeToken(kind, null);
  const refused: ProblemDetails | null = data;
  throw new Problem(answer.status, refused?.refusal);
}

export const get = <T>(path: string, kind: AccountKind | null = null) => call<T>("GET", path, kind);

/** Post; a repeat with the same key after a lost answer is the same request. */
export async function post<T>(path: string, kind: AccountKind | null, body: unknown = {}, key: string = newKey()): Promise<T> {
  try {
    return await call<T>("POST", path, kind, body, key);
  } catch (error) {
    if (error instanceof Problem && error.status === 0) return call<T>("POST", path, kind, body, key);
    throw error;
  }
}

/** Save a file that only those who are signed in may fetch. */
export async function download(path: string, kind: AccountKind, name = path.split("/").pop()!.split("?")[0]!): Promise<void> {
  const answer = await fetch(addressOf(path), { headers: { "X-Punto-Account": kind } });
  if (!answer.ok) throw new Problem(answer.status);
  saveFile(await answer.blob(), name);
}

/** Hand a file to the person at the browser. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

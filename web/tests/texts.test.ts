import { beforeEach, describe, expect, test, vi } from "vitest";
import { render, type Names, type Texts } from "../src/templates.ts";
import type { Refusal } from "../src/wire.ts";

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
vi.stubGlobal("navigator", { language: "en-GB" });
const { actorText, betName, reasonText, refusalText, rulingText, setLanguage, sheetWords, significantText, situationText, t, text, waitsFor, word } = await import("../src/texts.ts");

const SHEET = {
  bets: { tie: { name: "Tie" } },
  insurance: { bets: [{ id: "player-insurance", name: "Player Insurance" }] },
  irregularities: { "late-bet": { situation: "Late bet" } },
  zh: { Tie: "和", "Late bet": "迟注" },
} as unknown as Names;

beforeEach(() => setLanguage("en"));

describe("the texts of the page", () => {
  test("come in the language of the page, and change with it", async () => {
    expect(t("cash-out")).toBe("Cash out");
    await setLanguage("zh-Hans");
    expect(t("cash-out")).toBe("兑现");
    expect(kept.get("punto.lang")).toBe("zh-Hans");
  });

  test("are filled in", () => {
    expect(t("cash-out-confirm", { amount_cents: 123_450 })).toBe("Cash out 1,234.50");
    expect(t("bets-favour-patron", { bets: ["tie", "player-insurance"] }, SHEET)).toBe("Bets that favour the patron now: Tie, Player Insurance.");
    expect(text("roads", "coming", { hand: "banker" })).toBe("If Banker");
    expect(reasonText({ code: "player-draws", player: 4, banker: null, third: null })).toBe("Player has 4 and draws.");
    expect(t("road-entries", { road: "big_road", n: 1 })).toBe("Big road: 1 entry");
  });

  test("name the values of enumerations and the words of a sheet", async () => {
    await setLanguage("zh-Hans");
    expect(word("hand", "player")).toBe("闲");
    expect(betName(SHEET, "tie")).toBe("和");
    expect(betName(SHEET, "player-insurance")).toBe("Player Insurance");
    expect(sheetWords(SHEET, "Tie")).toBe("和");
    expect(waitsFor({ waits: null, role: null })).toBe("无须等待");
    expect(waitsFor({ waits: "choices", role: null })).toBe("等待客人选择");
  });
});

describe("a refusal", () => {
  const CLOSED: Refusal = { code: "table-not-open", rule: null };

  test("is told in the language of the page, with its paragraph", async () => {
    expect(refusalText(CLOSED)).toBe("The table is not open.");
    await setLanguage("zh-Hans");
    expect(refusalText({ ...CLOSED, rule: "3.2" })).toBe("本台未开。（¶\u00a03.2）");
  });

  test("is told with its amounts and the sheet's name of the bet", () => {
    const refusal: Refusal = { code: "stake-above-maximum", rule: "1.5", on: "tie", stake_cents: 150_000, maximum_cents: 100_050 };
    expect(refusalText(refusal, SHEET)).toBe("1,500 on Tie is more than the maximum of 1,000.50. (¶\u00a01.5)");
  });
});

describe("a case", () => {
  test("is described by its sheet, or else by the catalogue", async () => {
    expect(situationText("late-bet", SHEET)).toBe("Late bet");
    expect(situationText("anything-else", SHEET)).toBe("Anything that no paragraph answers");
    await setLanguage("zh-Hans");
    expect(situationText("late-bet", SHEET)).toBe("迟注");
  });

  test("tells what its ruling came to, what it waits for and of whom", () => {
    expect(rulingText({ ruling: "conclude-or-void", finding: null })).toContain("played to its end");
    expect(rulingText({ ruling: "conclude-or-void", finding: "undecided" })).toContain("No bet is decided yet");
    expect(rulingText({ ruling: null, finding: null })).toBeNull();
    expect(waitsFor({ waits: "decision", role: "shift-manager" })).toBe("Waits for a decision (the Table Game Shift Manager or above)");
  });

  test("is a significant event, told from its code and parameters", () => {
    const event = { at_ms: 0, table: "one", seq: 1, heading: "incident", code: "incident-reported", parameters: { case: 3, situation: "late-bet" }, rule: null, by: "dealer:dan" };
    expect(significantText(event, {}, SHEET)).toBe("Case 3: Late bet.");
    const won = { ...event, code: "large-win", parameters: { patron: "ann-2", net_cents: 100_00, round: 4 } };
    expect(significantText(won, { "ann-2": "Ann" }, SHEET)).toBe("Ann won 100 in round 4.");
  });

  test("is who acted, by name and in their role", () => {
    expect(actorText("dealer:dan", { dan: "Dan Wu" })).toBe("Dan Wu (Dealer)");
    expect(actorText("pit-supervisor:dan@dealer", { dan: "Dan" })).toBe("Dan (Pit Supervisor)");
    expect(actorText("dealer:automat", {})).toBe("the automat");
    expect(actorText("house", {})).toBe("the house");
  });
});

describe("a template", () => {
  const texts: Texts = { language: "en", list_separator: ", ", words: { hand: { player: "Player" } } };

  test.each([
    ["{n}", {}],
    ["{hand}", { hand: "dealer" }],
    ["{on:colourful}", { on: "tie" }],
    ["{yes}", { yes: true }],
  ])("%s with %o is never shown half filled in", (template, fill) => {
    expect(() => render(template, texts, fill, SHEET)).toThrow();
  });

  test("leaves a bet its id where no sheet names it", () => {
    expect(render("{on:bet}", texts, { on: "tie" })).toBe("tie");
    expect(render("{on:bet}", texts, { on: "dragon" }, SHEET)).toBe("dragon");
  });
});

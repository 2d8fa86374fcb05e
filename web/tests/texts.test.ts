import { beforeEach, describe, expect, test, vi } from "vitest";
import { render, type Names, type Texts } from "../src/render.ts";
import type { Refused } from "../src/types.ts";

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
vi.stubGlobal("navigator", { language: "en-GB" });
const { betName, refusalText, setLanguage, sheetWords, t, text, waitsFor, word } = await import("../src/texts.ts");

const SHEET: Names = { bets: { tie: { name: "Tie" } }, insurance: { bets: [{ id: "player-insurance", name: "Player Insurance" }] }, zh: { Tie: "和" } };

beforeEach(() => setLanguage("en"));

describe("the texts of the page", () => {
  test("come in the language of the page, and change with it", () => {
    expect(t("cash-out")).toBe("Cash out");
    setLanguage("zh-Hans");
    expect(t("cash-out")).toBe("兑现");
    expect(kept.get("punto.lang")).toBe("zh-Hans");
  });

  test("are filled in", () => {
    expect(t("cash-out-amount", { amount_cents: 123_450 })).toBe("Cash out 1,234.50");
    expect(t("bets-favour-patron", { bets: ["tie", "player-insurance"] }, SHEET)).toBe("Bets that favour the patron now: Tie, Player Insurance.");
    expect(text("guidance", "player-draws", { player: 4 })).toBe("Player has 4 and draws.");
    expect(t("road-entries", { road: "big_road", n: 1 })).toBe("Big road: 1 entry");
  });

  test("name the values of enumerations and the words of a sheet", () => {
    setLanguage("zh-Hans");
    expect(word("hand", "player")).toBe("闲");
    expect(betName(SHEET, "tie")).toBe("和");
    expect(betName(SHEET, "player-insurance")).toBe("Player Insurance");
    expect(sheetWords(SHEET, "Tie")).toBe("和");
    expect([waitsFor(null), waitsFor("patrons")]).toEqual(["无须等待", "等待客人选择"]);
  });
});

describe("a refusal", () => {
  const refused = (code: string, rule: string | null = null, message = ""): Refused => ({ code, rule, message });

  test("is told in the language of the page, with its paragraph", () => {
    expect(refusalText(refused("table-not-open"))).toBe("The table is not open.");
    setLanguage("zh-Hans");
    expect(refusalText(refused("table-not-open", "3.2"))).toBe("本台未开。（¶ 3.2）");
  });

  test("that the catalogue does not know is told as the server did", () => expect(refusalText(refused("new", null, "It is new."))).toBe("It is new."));

  test("by no server is told too", () => expect(refusalText(refused("no-connection"))).toContain("cannot be reached"));
});

describe("a template", () => {
  const texts: Texts = { language: "en", list_separator: ", ", words: { hand: { player: "Player" } } };

  test.each([
    ["{n}", {}],
    ["{hand}", { hand: "dealer" }],
    ["{on:bet}", { on: "dragon" }],
    ["{on:colourful}", { on: "tie" }],
    ["{yes}", { yes: true }],
  ])("%s with %o is never shown half filled in", (template, fill) => {
    expect(() => render(template, texts, fill, SHEET)).toThrow();
  });

  test("names no bet without a sheet", () => expect(() => render("{on:bet}", texts, { on: "tie" })).toThrow("sheet"));
});

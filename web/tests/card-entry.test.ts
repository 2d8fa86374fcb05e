import { describe, expect, test } from "vitest";
import { CardEntry } from "../src/card-entry.ts";

function keyed(keys: readonly string[]): CardEntry {
  const card = new CardEntry();
  keys.forEach((key) => card.press(key));
  return card;
}

describe("a card by keys", () => {
  test.each([
    ["9h", "9h"],
    ["tD", "Td"],
    ["0s", "Ts"],
    ["1c", "Ac"],
    ["aS", "As"],
    ["Kh", "Kh"],
  ])("%s is the card %s", (keys, card) => expect(keyed([...keys]).read()).toEqual({ card, reading: null }));

  test("a scanner that counts its readings sends the number first", () => expect(keyed([..."17:9h"]).read()).toEqual({ card: "9h", reading: 17 }));

  test.each(["", "9", "h", "17:", "17:9", "99h"])("%s is not a whole card", (keys) => expect(keyed([...keys]).read()).toBeNull());

  test("Backspace takes back one key, and Escape and Delete all", () => {
    expect(keyed(["9", "h", "Backspace", "s"]).read()?.card).toBe("9s");
    expect(keyed(["9", "h", "Escape"]).text.value).toBe("");
    expect(keyed(["9", "Delete"]).text.value).toBe("");
  });

  test("keys that belong to no card are left to the page", () => {
    const card = new CardEntry();
    expect(["x", "Tab", "h", ":", "F5"].map((key) => card.press(key))).toEqual([false, false, false, false, false]);
    expect(card.text.value).toBe("");
  });

  test("a whole card takes no further key", () => expect(keyed([..."9h5s"]).text.value).toBe("9h"));
});

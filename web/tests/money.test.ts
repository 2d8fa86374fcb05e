import { describe, expect, test } from "vitest";
import { money, parseMoney, short, signed, stack } from "../src/money.ts";

describe("money", () => {
  test.each([
    [0, "0"],
    [5, "0.05"],
    [100, "1"],
    [123_450, "1,234.50"],
    [-150, "−1.50"],
    [999_999_999_999_999, "9,999,999,999,999.99"],
  ])("writes %i cents as %s", (cents, written) => expect(money(cents)).toBe(written));

  test.each([[0, "0"], [50, "+0.50"], [-50, "−0.50"]])("signs %i cents as %s", (cents, written) => expect(signed(cents)).toBe(written));

  test.each([
    ["250", 25_000],
    [" 1,234.5 ", 123_450],
    ["0.05", 5],
    ["99999999999.99", 9_999_999_999_999],
  ])("reads %s", (typed, cents) => expect(parseMoney(typed)).toBe(cents));

  test.each(["", "-5", "1.234", "five", "1e3", "999999999999", "1OO", "12,50", "1,0000", "１００"])("does not read %s", (typed) => expect(parseMoney(typed)).toBeNull());

  test("reads every amount that it writes", () => {
    for (let cents = 1; cents < 10_000_000; cents = cents * 3 + 1) expect(parseMoney(money(cents))).toBe(cents);
  });
});

describe("chips", () => {
  test.each([
    [50_000, "500"],
    [100_000, "1K"],
    [250_000, "2.5K"],
    [100_000_000, "1M"],
    [123_400, "1,234"],
    [150, "1.50"],
  ])("labels %i cents %s", (cents, label) => expect(short(cents)).toBe(label));

  test("makes an amount of the table's largest chips, and draws no more than asked", () => {
    const chips = [100, 500, 2_500, 10_000];
    expect(stack(12_600, chips)).toEqual([10_000, 2_500, 100]);
    expect(stack(900, chips, 3)).toEqual([500, 100, 100]);
    expect(stack(4_000, [2_000, 10_000])).toEqual([2_000, 2_000]);
    expect(stack(50, chips)).toEqual([100]);
  });
});

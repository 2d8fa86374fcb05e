import { describe, expect, test } from "vitest";
import { read, readField, type FieldKind } from "../src/field-readers.ts";

describe("a field", () => {
  test.each<[FieldKind, string, string | number]>([
    ["money", " 1,000.5 ", 100_050],
    ["number", "12", 12],
    ["seconds", "1.5", 1_500],
    ["card", "10H", "Th"],
    ["card", "1s", "As"],
    ["cards", "5h, kd 0c", "5h Kd Tc"],
    ["odds", "2.5:1", "2.5:1"],
    ["text", " as it is ", "as it is"],
  ])("of %s reads %s", (kind, typed, value) => expect(readField(kind, typed)).toBe(value));

  test.each<[FieldKind, string]>([
    ["money", "1OO"],
    ["number", "1e3"],
    ["number", "-1"],
    ["seconds", "1,5"],
    ["number", "9007199254740993"],
    ["card", "h9"],
    ["cards", "5h 5x"],
    ["odds", "8:"],
  ])("of %s does not read %s", (kind, typed) => expect(readField(kind, typed)).toBeNull());

  test("that was let through without being read is a mistake of the page", () => {
    const form = new FormData();
    form.set("minimum", "abc");
    expect(() => read("money", "minimum", form)).toThrow("minimum");
  });
});

import { expect, test } from "vitest";
import { shortLabels } from "../src/bet-labels.ts";

test.each([
  [["Player's first two cards are a pair of sixes", "Player's first two cards are another pair"], ["a pair of sixes", "another pair"]],
  [["Banker wins on 6 points with two cards", "Banker wins on 6 points with three cards"], ["two cards", "three cards"]],
  [["Banker wins on 6 points", "Banker wins on other points"], ["6 points", "other points"]],
  [["Both hands paired (double)", "One hand paired (single)"], ["double", "single"]],
  [["庄以两张牌 6 点赢", "庄以三张牌 6 点赢"], ["两张牌", "三张牌"]],
  [["闲首两张牌为一对 6", "闲首两张牌为其他对子"], ["一对 6", "其他对子"]],
])("%j are told apart by %j", (says, labels) => expect(shortLabels(says)).toEqual(labels));

/** How a peeled card is drawn. */
import { describe, expect, it } from "vitest";
import { peelOf } from "../src/peel.ts";

describe("peelOf", () => {
  it("folds the lower edge up along a level line", () => {
    const peel = peelOf({ x: 50, y: 140 }, { x: 50, y: 84 }, 100, 140);
    expect(peel?.by).toBeCloseTo(0.2);
    expect(peel?.back).toBe("polygon(0.00% 0.00%, 100.00% 0.00%, 100.00% 80.00%, 0.00% 80.00%)");
    expect(peel?.flap).toBe("polygon(100.00% 80.00%, 100.00% 100.00%, 0.00% 100.00%, 0.00% 80.00%)");
    // The mirror image of y at 112 is 224 - y, in widths of the card.
    expect(peel?.fold).toMatch(/-?0\.0000\), calc\(var\(--wide\) \* 2\.2400\)\) matrix\(1\.00000, -?0\.00000, -?0\.00000, -1\.00000, 0, 0\)/);
  });

  it("cuts a corner off along a slanted line", () => {
    const peel = peelOf({ x: 100, y: 140 }, { x: 60, y: 100 }, 100, 140);
    expect(peel?.flap).toBe("polygon(100.00% 71.43%, 100.00% 100.00%, 60.00% 100.00%)");
  });

  it("is null before the card is lifted, and when it is pulled away", () => {
    expect(peelOf({ x: 50, y: 140 }, { x: 50, y: 139 }, 100, 140)).toBeNull();
    expect(peelOf({ x: 50, y: 140 }, { x: 50, y: 180 }, 100, 140)).toBeNull();
  });
});

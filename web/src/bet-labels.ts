/** When each line of a bet pays, in the few words that fit on a felt: what tells it from the other lines of the same bet. */

const BRACKETED = /[(（]([^)）]+)[)）]$/;

/** How much of the beginning all texts share, up to the end of a word. Chinese parts no words. */
function sharedLength([first = "", ...others]: readonly string[]): number {
  let length = 0;
  while (length < first.length && others.every((other) => other[length] === first[length])) length++;
  const begun = /[a-z]/i.test(first[length] ?? "") || /[a-z]/i.test(others[0]?.[length] ?? "");
  return begun ? first.slice(0, length).search(/\S*$/) : length;
}

/** The short label of each line, from the sheet's sentences: what stands in brackets, or what the others do not say. */
export function shortLabels(says: readonly string[]): string[] {
  const bracketed = says.map((each) => BRACKETED.exec(each)?.[1]);
  if (bracketed.every((each) => each !== undefined)) return bracketed as string[];
  const shared = sharedLength(says);
  const labels = says.map((each) => each.slice(shared).trim() || each);
  // In Chinese what is shared stands at the end, too.
  const ends = labels.map((each) => each.slice(each.indexOf(" ")));
  const isShared = !/[a-z]/i.test(labels.join("")) && new Set(ends).size === 1 && labels.every((each) => each.indexOf(" ") > 1);
  return isShared ? labels.map((each) => each.slice(0, each.indexOf(" "))) : labels;
}

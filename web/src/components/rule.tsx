/** The paragraphs of a sheet: each opens its text, in the language of the page. */
import { Fragment, type JSX } from "preact";
import { useState } from "preact/hooks";
import { sheetWords, t } from "../texts";
import type { Sheet } from "../wire";
import { Dialog } from "./page-frame";

type Rules = Pick<Sheet, "paragraphs" | "zh" | "title">;

/** The text of a paragraph, as the sheet has it in short. */
export function RuleDialog({ rule, sheet, onClose }: { rule: string; sheet: Rules; onClose: () => void }): JSX.Element {
  return (
    <Dialog title={`¶ ${rule}`} onClose={onClose}>
      <p data-test="rule-text">{sheetWords(sheet, sheet.paragraphs[rule] ?? "")}</p>
      <small>{t("rule-of", { title: sheet.title }, sheet as Sheet)}</small>
    </Dialog>
  );
}

/** A paragraph that opens by tap and by key; one that the sheet does not have is only named. */
export function Rule({ rule, sheet }: { rule: string; sheet: Rules }): JSX.Element {
  const [open, setOpen] = useState(false);
  if (!sheet.paragraphs[rule]) return <>¶ {rule}</>;
  return (
    <>
      <button type="button" class="rule" aria-label={t("open-rule", { rule })} data-test="rule" onClick={() => setOpen(true)}>¶ {rule}</button>
      {open && <RuleDialog rule={rule} sheet={sheet} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A text in which every paragraph that it names opens. */
export function WithRules({ text, sheet }: { text: string; sheet: Rules }): JSX.Element {
  const parts = text.split(/¶ ?(\d+(?:\.\d+)*)/);
  return <>{parts.map((part, place) => <Fragment key={place}>{place % 2 ? <Rule rule={part} sheet={sheet} /> : part}</Fragment>)}</>;
}

/** A button that keeps the keyboard's focus while it can do nothing: it says so, and stays where it is. */
import type { ComponentChildren, JSX } from "preact";

interface Props {
  can: boolean;
  onAct: () => void;
  class?: string;
  test: string;
  children: ComponentChildren;
}

export function Action({ can, onAct, class: style = "", test, children }: Props): JSX.Element {
  return <button type="button" class={style} aria-disabled={!can} onClick={() => can && onAct()} data-test={test}>{children}</button>;
}

/** Client-side routes: the path is a signal; links and back work as everywhere. */
import { signal } from "@preact/signals";
import { addressOf, pathOf } from "./base";

export const path = signal(pathOf(location.pathname));

addEventListener("popstate", () => (path.value = pathOf(location.pathname)));

/** Go to another page of ours, by its path without the prefix of this house. */
export function navigate(to: string): void {
  history.pushState(null, "", addressOf(to));
  path.value = to;
  scrollTo(0, 0);
}

/** Match `/table/:id` style patterns; the parts that were named, or null. */
export function matchPath(pattern: string, actual: string): string[] | null {
  const names = new RegExp(`^${pattern.replace(/:[a-z]+/g, "([^/]+)")}/?$`).exec(actual);
  return names ? names.slice(1).map(decodeURIComponent) : null;
}

/** Follow plain clicks on our own links without a reload. */
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || link.target || link.origin !== location.origin || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const to = pathOf(link.pathname);
  if (link.hasAttribute("download") || to.startsWith("/api") || to === "/schema") return;
  event.preventDefault();
  navigate(to);
});

/** Client-side routes: the path is a signal; links and back work as everywhere. */
import { signal } from "@preact/signals";

export const path = signal(location.pathname);

addEventListener("popstate", () => (path.value = location.pathname));

/** Go to another page of ours. */
export function navigate(to: string): void {
  history.pushState(null, "", to);
  path.value = location.pathname;
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
  if (link.hasAttribute("download") || link.pathname.startsWith("/api") || link.pathname === "/schema") return;
  event.preventDefault();
  navigate(link.pathname);
});

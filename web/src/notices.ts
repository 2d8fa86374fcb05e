/** What the page tells the person at it, besides what it shows. */
import { signal } from "@preact/signals";

/** What is read out to those who cannot see the page. */
export const announcement = signal("");

/** What stands at the foot of the page for a moment. */
export const toast = signal<string | null>(null);
let fading = 0;

export function showToast(words: string): void {
  toast.value = words;
  announcement.value = words;
  clearTimeout(fading);
  fading = window.setTimeout(() => (toast.value = null), 6000);
}

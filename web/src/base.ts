/** Where this house is: a proxy may serve it under a prefix, such as `/punto`. */

/** This file, which lies one folder below all pages, as a script in `assets/` and as a source in `src/`. */
const here = import.meta.url;

/** The prefix of every address of this house; empty for a house at the root of its host. */
export const prefix = new URL("..", here).pathname.slice(0, -1);

/** An address of this house, from a path such as `/api/tables`. */
export const addressOf = (path: string): string => prefix + path;

/** The path of an address of this house, without the prefix. */
export const pathOf = (address: string): string => (`${address}/`.startsWith(`${prefix}/`) ? address.slice(prefix.length) || "/" : address);

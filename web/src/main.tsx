/** The pages of a house: which one is shown is said by the path. */
import { render, type JSX } from "preact";
import "./style/base.css";
import "./style/table.css";
import "./style/roads.css";
import "./style/pages.css";
import "./style/stage.css";
import "./style/felt.css";
import "./style/lobby.css";
import "./style/board.css";
import "./style/help.css";
import "./style/money.css";
import "./style/light.css";
import { addressOf } from "./base";
import { lazyPage } from "./components/lazy-page";
import { Bar, Notices } from "./components/page-frame";
import { SignedIn } from "./components/sign-in";
import drawings from "./drawings.svg?raw";
import { Board } from "./pages/board";
import { Lobby } from "./pages/lobby";
import { Terminal } from "./pages/terminal";
import { matchPath, path } from "./route";
import { language, t, textsReady } from "./texts";

const Dealer = lazyPage(() => import("./pages/staff").then((pages) => pages.Dealer));
const DESK = (["Pit", "Cage", "People", "House", "Records"] as const).map((name) => ({ at: `/${name.toLowerCase()}`, Page: lazyPage(() => import("./pages/staff").then((pages) => pages[name])) }));
const Academy = lazyPage(() => import("./pages/academy").then((page) => page.Academy));
const Odds = lazyPage(() => import("./pages/odds").then((page) => page.Odds));

const ROUTES: [string, (id: string) => JSX.Element][] = [
  ["/", () => <Lobby />],
  ["/table/:id", (id) => <Terminal id={id} key={id} />],
  ["/board/:id", (id) => <Board id={id} key={id} />],
  ["/dealer/:id", (id) => <SignedIn kind="staff" title={t("dealer")}><Dealer id={id} key={id} /></SignedIn>],
  ...DESK.map(({ at, Page }): [string, () => JSX.Element] => [at, () => <SignedIn kind="staff" title={t("staff-sign-in")}><Page key={at} /></SignedIn>]),
  ["/academy", () => <Academy game={null} />],
  ["/academy/:game", (game) => <Academy game={game} key={game} />],
  ["/odds/:game", (game) => <Odds game={game} key={game} />],
];

function App(): JSX.Element {
  document.documentElement.lang = language.value;
  for (const [pattern, page] of ROUTES) {
    const parts = matchPath(pattern, path.value);
    if (parts) return <>{page(parts[0] ?? "")}<Notices /></>;
  }
  return (
    <div class="page">
      <Bar title={t("page-unknown")} />
      <main class="centre"><a class="gold" href={addressOf("/")}>{t("back-to-tables")}</a></main>
    </div>
  );
}

document.body.insertAdjacentHTML("beforeend", drawings);
await textsReady;
render(<App />, document.getElementById("app")!);

/** The pages of a house: which one is shown is said by the path. */
import { render, type JSX } from "preact";
import "./style/base.css";
import "./style/table.css";
import "./style/pages.css";
import "./style/felt.css";
import "./style/dealer.css";
import "./style/pit.css";
import "./style/money.css";
import { Bar, Notices } from "./components/page-frame";
import { SignedIn } from "./components/sign-in";
import drawings from "./drawings.svg?raw";
import { Board } from "./pages/board";
import { Dealer } from "./pages/dealer";
import { Lobby } from "./pages/lobby";
import { Odds } from "./pages/odds";
import { Pit } from "./pages/pit";
import { Terminal } from "./pages/terminal";
import { matchPath, path } from "./route";
import { language, t } from "./texts";

const ROUTES: [string, (id: string) => JSX.Element][] = [
  ["/", () => <Lobby />],
  ["/table/:id", (id) => <SignedIn kind="patron" title={t("table-name", { table: id })}><Terminal id={id} key={id} /></SignedIn>],
  ["/board/:id", (id) => <Board id={id} key={id} />],
  ["/dealer/:id", (id) => <SignedIn kind="staff" title={t("dealer")}><Dealer id={id} key={id} /></SignedIn>],
  ["/pit", () => <SignedIn kind="staff" title={t("pit-desk")}><Pit /></SignedIn>],
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
      <main class="centre"><a class="gold" href="/">{t("back-to-tables")}</a></main>
    </div>
  );
}

document.body.insertAdjacentHTML("beforeend", drawings);
render(<App />, document.getElementById("app")!);

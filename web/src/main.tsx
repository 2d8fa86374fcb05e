/** The pages of a house: which one is shown is said by the path. */
import { render, type JSX } from "preact";
import "./style/base.css";
import "./style/table.css";
import "./style/pages.css";
import { Bar, Voices } from "./parts/frame";
import { Board } from "./pages/board";
import { Dealer } from "./pages/dealer";
import { Lobby } from "./pages/lobby";
import { Odds } from "./pages/odds";
import { Pit } from "./pages/pit";
import { Terminal } from "./pages/terminal";
import { match, path } from "./route";
import { language, t } from "./texts";

const ROUTES: [string, (part: string) => JSX.Element][] = [
  ["/", () => <Lobby />],
  ["/table/:id", (id) => <Terminal id={id} key={id} />],
  ["/board/:id", (id) => <Board id={id} key={id} />],
  ["/dealer/:id", (id) => <Dealer id={id} key={id} />],
  ["/pit", () => <Pit />],
  ["/odds/:game", (game) => <Odds game={game} key={game} />],
];

function App(): JSX.Element {
  document.documentElement.lang = language.value;
  for (const [pattern, page] of ROUTES) {
    const parts = match(pattern, path.value);
    if (parts) return <>{page(parts[0] ?? "")}<Voices /></>;
  }
  return (
    <div class="page">
      <Bar title={t("page-unknown")} />
      <main class="centre"><a class="gold" href="/">{t("back-to-tables")}</a></main>
    </div>
  );
}

render(<App />, document.getElementById("app")!);

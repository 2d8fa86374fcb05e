/** A page whose code is fetched when it is first shown, so that nobody waits for the pages of others. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../texts";

type Page<P> = (props: P) => JSX.Element;

/** A page that shows itself once it is fetched. A server of another version has other files: then the page is loaded anew. */
export function lazyPage<P extends object>(load: () => Promise<Page<P>>): Page<P> {
  return function LazyPage(props: P): JSX.Element {
    const [Loaded, setLoaded] = useState<Page<P> | null>(null);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      load().then((page) => setLoaded(() => page), () => setFailed(true));
    }, []);
    if (Loaded) return <Loaded {...props} />;
    return (
      <main class="centre">
        {failed ? <button type="button" class="gold" onClick={() => location.reload()}>{t("load-again")}</button> : <p>{t("connecting")}</p>}
      </main>
    );
  };
}

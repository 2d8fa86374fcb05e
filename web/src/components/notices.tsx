/** What a patron is told of money and access until they have read it: a count in the bar, and the list behind it. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { post, problemText } from "../api";
import { useFetch } from "../hooks";
import type { LiveTable } from "../live-table";
import { showToast } from "../notices";
import { moment, noticeText, t } from "../texts";
import type { Notice, NoticesRead } from "../wire";
import { Dialog } from "./page-frame";

/** The unread notices of the patron at a table, asked for again whenever the table or the connection may have brought one. */
export function PatronNotices({ table }: { table: LiveTable }): JSX.Element | null {
  const version = `${table.told.value} ${table.me.value?.owed_cents} ${table.connection.value}`;
  const { data, refetch } = useFetch<Notice[]>("/api/me/notices", "patron", 0, version);
  const [open, setOpen] = useState(false);
  const notices = data ?? [];
  const newest = notices.at(-1);
  const names = { [table.id]: table.shown.value?.table.name ?? table.id };
  useEffect(() => {
    if (newest) showToast(noticeText(newest, names));
  }, [newest?.id]);
  const read = async () => {
    const body: NoticesRead = { ids: notices.map(({ id }) => id) };
    try {
      await post("/api/me/notices/read", "patron", body);
      setOpen(false);
      refetch();
    } catch (error) {
      showToast(problemText(error));
    }
  };
  if (!notices.length) return null;
  return (
    <>
      <button type="button" class="notices-count" onClick={() => setOpen(true)} data-test="notices-count" data-count={notices.length}>{t("notices-count", { n: notices.length })}</button>
      {open && (
        <Dialog title={t("notices")} onClose={() => setOpen(false)}>
          <ul class="told" data-test="notices">
            {notices.map((notice) => (
              <li key={notice.id} data-code={notice.code}>
                {noticeText(notice, names)} <small>{moment(notice.at_ms)}</small>
              </li>
            ))}
          </ul>
          <button type="button" class="gold" onClick={() => void read()} data-test="notices-read">{t("notices-read")}</button>
        </Dialog>
      )}
    </>
  );
}

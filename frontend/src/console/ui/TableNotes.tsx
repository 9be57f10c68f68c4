import { timesNote } from '../lib/timeZoneWords';

interface Props {
  /** The headers refer to their help by this id and the column's key. */
  id: string;
  caption: string;
  columns: { key: string; header: string; help?: string; time?: boolean }[];
}

/** Under a table: the time zone of its times, and what its columns mean for whoever opens that. */
export function TableNotes({ id, caption, columns }: Props) {
  const explained = columns.filter(({ help }) => help);
  return (
    <>
      {columns.some(({ time }) => time) && <p className="quiet-text table-note">{timesNote()}</p>}
      {explained.length > 0 && (
        <details className="table-note">
          <summary>
            What the columns mean<span className="unseen">: {caption}</span>
          </summary>
          <dl>
            {explained.map(({ key, header, help }) => (
              <div key={key}>
                <dt>{header}</dt>
                <dd id={`${id}-${key}`}>{help}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

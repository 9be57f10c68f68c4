import { useState } from 'react';
import { timesNote } from '../lib/timeZoneWords';

interface Props {
  /** The headers refer to their help by this id and the column's key. */
  id: string;
  caption: string;
  columns: { key: string; header: string; help?: string; time?: boolean }[];
  /** Names what is explained, if it is no table. */
  title?: string;
}

/** Under a table: the time zone of its times, and what its columns mean. */
export function TableNotes(props: Props) {
  const { id, caption, columns, title = 'What the columns mean' } = props;
  const [isOpen, setOpen] = useState(false);
  const explained = columns.filter(({ help }) => help);
  return (
    <>
      {columns.some(({ time }) => time) && <p className="quiet-text table-note">{timesNote()}</p>}
      {explained.length > 0 && (
        <div className="table-note">
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {title}
            <span className="unseen">: {caption}</span>
          </button>
          {/* Not <details>: browsers take no description from one that is closed, but do from what is hidden. */}
          <dl hidden={!isOpen}>
            {explained.map(({ key, header, help }) => (
              <div key={key}>
                <dt>{header}</dt>
                <dd id={`${id}-${key}`}>{help}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </>
  );
}

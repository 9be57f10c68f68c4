import { momentInWords } from '../words';
import type { Difference } from './keep';

/** Said wherever it is found, with what is needed to show it to others. */
export function DifferentLog({ savedAt, kept, published }: Difference) {
  const copy = JSON.stringify({ savedAt, kept, published }, null, 1);
  return (
    <section className="card differs" role="alert" aria-label="A different log">
      <p>
        <strong>
          This server's log differs from the copy that your browser kept on {momentInWords(savedAt)}
          .
        </strong>{' '}
        What was published then has been changed or removed.
      </p>
      <a
        className="button"
        download="different-log.json"
        href={`data:application/json;charset=utf-8,${encodeURIComponent(copy)}`}
      >
        Keep a copy of both
      </a>
    </section>
  );
}

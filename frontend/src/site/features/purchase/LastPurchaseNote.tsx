import type { LastPurchase } from './useUnfinished';
import type { Unfinished } from './unfinished';

interface Props {
  last: LastPurchase;
  onRetry: (purchase: Unfinished) => void;
}

/** What became of a purchase that was not finished on this page. */
export function LastPurchaseNote({ last, onRetry }: Props) {
  if (last === 'none') return null;
  if (last === 'checking') {
    return (
      <p className="card" role="status">
        We're checking your payment. Your entries will appear above as soon as it goes through.
      </p>
    );
  }
  if (last === 'not-paid') {
    return (
      <p className="card" role="status">
        Your last payment hasn't gone through. If it still does, your entries will be added
        automatically.
      </p>
    );
  }
  const { problem, purchase } = last;
  return (
    <div className="card failed" role="alert">
      <p>
        {problem.title}: {problem.sentence}
      </p>
      {purchase && (
        <>
          <p>If you paid, don't pay again: your entries will be added automatically.</p>
          <button type="button" className="button quiet" onClick={() => onRetry(purchase)}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}

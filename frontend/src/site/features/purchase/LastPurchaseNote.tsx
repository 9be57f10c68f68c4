import type { LastPurchase } from './useUnfinished';
import type { Unfinished } from './unfinished';

interface Props {
  last: LastPurchase;
  onRetry: (purchase: Unfinished) => void;
}

/** How a purchase goes on that this page did not see to its end. */
export function LastPurchaseNote({ last, onRetry }: Props) {
  if (last === 'none') return null;
  if (last === 'checking') {
    return (
      <p className="card" role="status">
        We are checking your payment. Its entries appear above as soon as it has gone through.
      </p>
    );
  }
  if (last === 'not-paid') {
    return (
      <p className="card" role="status">
        Your last payment has not gone through. If it still does, its entries are added by
        themselves.
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
          <p>If you paid, you need not pay again: the entries are added by themselves, too.</p>
          <button type="button" className="button quiet" onClick={() => onRetry(purchase)}>
            Try again
          </button>
        </>
      )}
    </div>
  );
}

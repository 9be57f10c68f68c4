import { countOf, formatMoney } from '../../../../shared/lib/format';
import { api, type PaidPurchaseView } from '../../../api/generatedData';
import { dayInWords } from '../../../lib/moments';
import { useAction } from '../../../lib/useAction';

/** What one bought, with the receipts of the payment provider. Nothing before the first purchase. */
export function PurchasesPart({ id, purchases }: { id: number; purchases: PaidPurchaseView[] }) {
  if (purchases.length === 0) return null;
  return (
    <section className="card purchases" aria-labelledby="purchases-title">
      <h2 id="purchases-title">What you bought</h2>
      <ul>
        {purchases.map((purchase) => (
          <Purchase key={purchase.id} user={id} purchase={purchase} />
        ))}
      </ul>
    </section>
  );
}

const states: Record<string, string> = {
  completed: 'Paid',
  refunding: 'Being refunded',
  refunded: 'Refunded',
};

function Purchase({ user, purchase }: { user: number; purchase: PaidPurchaseView }) {
  const { id, entriesAdded, amount, status, createdAt } = purchase;
  const [getReceipt] = api.useLazyGetReceiptQuery();
  const { start, busy, problem } = useAction(async () => {
    const { url } = await getReceipt({ id: user, purchaseId: id }).unwrap();
    location.assign(url);
  });
  return (
    <li>
      <p id={`purchase-${id}`}>
        <strong>
          {countOf(entriesAdded, 'entry', 'entries')} for {formatMoney(amount)}
        </strong>
        <span className="note">
          {dayInWords(createdAt)}. {states[status] ?? status}.
        </span>
      </p>
      <button
        type="button"
        className="button quiet"
        aria-describedby={`purchase-${id}`}
        aria-disabled={busy}
        onClick={() => void start()}
      >
        {busy ? 'Opening...' : 'Receipt'}
      </button>
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}

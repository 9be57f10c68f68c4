import type { Content } from '../../api/raffles';
import { worthOf } from '../../../shared/lib/inDollars';
import { Button } from '../../ui/Button';
import { otherAmounts, withTotalInPlaceOf } from './amounts';

interface Props {
  content: Content;
  onChange: (content: Content) => void;
}

/** After the value was changed: its old words still stand somewhere, and the server would refuse them. */
export function OtherAmounts({ content, onChange }: Props) {
  const amounts = [...otherAmounts(content)];
  if (amounts.length === 0 || content.totalValue.dollars < 1) return null;
  return (
    <section className="panel" aria-labelledby="amounts-title">
      <h2 id="amounts-title">Other amounts in the words</h2>
      <ul className="raffle-amounts">
        {amounts.map(([amount, count]) => (
          <li key={amount}>
            <span>
              {amount} is neither the total value nor the value of a part, and stands in{' '}
              {count === 1 ? 'one place' : `${count} places`}.
            </span>
            <Button size="small" onClick={() => onChange(withTotalInPlaceOf(content, amount))}>
              Put {worthOf(content)} there
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

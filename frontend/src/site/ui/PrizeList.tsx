import type { KitItem } from '../../themes/types';
import { inDollars } from '../../shared/lib/inDollars';

interface Props {
  title: string;
  items: KitItem[];
  totalValue: string;
}

/** What a prize holds, with the value of each part. */
export function PrizeList({ title, items, totalValue }: Props) {
  return (
    <section className="kit" aria-labelledby="kit-title">
      <h2 id="kit-title">{title}</h2>
      <ul>
        {items.map(({ item, detail, valueInCents }, index) => (
          <li key={index}>
            <span className="kit-item">{item}</span>
            <span className="kit-detail">{detail}</span>
            <span className="kit-value">{inDollars(valueInCents)}</span>
          </li>
        ))}
      </ul>
      <p className="kit-total">
        <span>Total value</span>
        <span className="figure">{totalValue}</span>
      </p>
    </section>
  );
}

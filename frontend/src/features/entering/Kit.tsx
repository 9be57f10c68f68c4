import type { Theme } from '../../themes/types';

/** What the prize holds, with the value of each part. */
export function Kit({ theme }: { theme: Theme }) {
  return (
    <section className="kit" aria-labelledby="kit-title">
      <h2 id="kit-title">What the kit includes</h2>
      <ul>
        {theme.kit.map(({ item, detail, value }) => (
          <li key={item}>
            <span className="kit-item">{item}</span>
            <span className="kit-detail">{detail}</span>
            <span className="kit-value">${value}</span>
          </li>
        ))}
      </ul>
      <p className="kit-total">
        <span>Total value</span>
        <span className="figure">{theme.totalValue}</span>
      </p>
    </section>
  );
}

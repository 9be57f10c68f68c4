import { useEffect } from 'react';
import { costPerEntry, formatCount, formatMoney } from '../../../shared/lib/format';
import { track } from '../../lib/tracked';
import type { Package } from './api';
import { PackageIcon } from './PackageIcon';
import type { Problem } from './problems';

interface Props {
  packages: Package[];
  /** The package of the purchase that is being started. */
  starting: number | undefined;
  problem: Problem | undefined;
  onBuy: (pack: Package) => void;
}

export function Packages({ packages, starting, problem, onBuy }: Props) {
  useEffect(() => track({ kind: 'custom', name: 'packages_shown' }), []);
  return (
    <section className="card boost" aria-labelledby="boost-title">
      <h2 id="boost-title">Boost Your Chances</h2>
      <p>
        Entering is free and you're already entered: no purchase is needed to win. Every entry has
        the same chance, bought or not.
      </p>
      <ul className="packs">
        {packages.map((pack) => (
          <li key={pack.id} className="pack" data-popular={pack.isPopular || undefined}>
            <PackageCard pack={pack} />
            <button
              type="button"
              className="button"
              aria-describedby={`pack-${pack.id}`}
              aria-disabled={starting !== undefined || undefined}
              onClick={() => onBuy(pack)}
            >
              {starting === pack.id ? 'Processing...' : `Buy ${formatCount(pack.entries)} entries`}
            </button>
          </li>
        ))}
      </ul>
      <div role="alert" className="problem">
        {problem && `${problem.title}: ${problem.sentence}`}
      </div>
      <p className="note">Card, Apple Pay or Google Pay. Stripe processes the payment.</p>
      <p role="status" className="unseen">
        {starting !== undefined && 'Processing...'}
      </p>
    </section>
  );
}

function PackageCard({ pack }: { pack: Package }) {
  const { id, name, description, entries, price, isPopular } = pack;
  return (
    <>
      <div className="pack-head">
        <PackageIcon isMega={name.toLowerCase().includes('mega')} />
        <h3 id={`pack-${id}`}>{name}</h3>
        {isPopular && <span className="popular">Popular</span>}
      </div>
      <p className="pack-text">{description}</p>
      <p className="pack-entries">
        <span className="figure">{formatCount(entries)}</span> {entries === 1 ? 'entry' : 'entries'}
      </p>
      <p className="pack-price">
        <span className="figure">{formatMoney(price)}</span>{' '}
        <span className="note">{costPerEntry(price, entries)}</span>
      </p>
    </>
  );
}

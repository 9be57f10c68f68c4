import { useEffect, useRef, type ReactNode } from 'react';
import { costPerEntry, countOf, formatCount, formatMoney } from '../../../shared/lib/format';
import { track } from '../../lib/tracked';
import type { Package } from './api';
import { PackageIcon } from './PackageIcon';
import { unproved, type Problem } from './problems';

interface Props {
  packages: Package[];
  /** The package of the purchase that is being started. */
  starting: number | undefined;
  problem: Problem | undefined;
  /** The package of the purchase that could not be started. */
  failed: number | undefined;
  /** How many more entries fit under the limit of this month, once that is known. */
  room: number | undefined;
  /** Where this browser can prove the entrant's number, if it has to before anything is sold to it. */
  proveAt?: string;
  onBuy: (pack: Package) => void;
  /** The free way to the same entries, above the packages, and the odds. */
  children: ReactNode;
}

export function Packages(props: Props) {
  const { packages, starting, problem, failed, room = Infinity, proveAt, onBuy, children } = props;
  const sentence = problem && problem !== unproved ? `${problem.title}: ${problem.sentence}` : '';
  useEffect(() => track({ kind: 'custom', name: 'packages_shown' }), []);
  return (
    <section className="card boost" aria-labelledby="boost-title">
      <h2 id="boost-title">Boost Your Chances</h2>
      <p>
        Entering is free and you're already entered: no purchase is needed to win. Every entry has
        the same chance, bought or not.
      </p>
      {children}
      <ul className="packs" data-sold={proveAt === undefined}>
        {packages.map((pack, index) => (
          <li key={pack.id} className="pack" data-popular={pack.isPopular || undefined}>
            <PackageCard pack={pack} isFirst={index === 0} />
            {proveAt === undefined && (
              <div>
                <button
                  type="button"
                  className="button"
                  aria-describedby={`pack-${pack.id} pack-${pack.id}-room`}
                  aria-disabled={starting !== undefined || pack.entries > room || undefined}
                  onClick={() => pack.entries <= room && onBuy(pack)}
                >
                  {starting === pack.id
                    ? 'Processing...'
                    : `Buy ${countOf(pack.entries, 'entry', 'entries')}`}
                </button>
                <p className="note" id={`pack-${pack.id}-room`}>
                  {pack.entries > room && whyNot(room)}
                </p>
                {failed === pack.id && sentence && (
                  <p role="alert" className="problem">
                    {sentence}
                  </p>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {proveAt !== undefined && <ProveFirst path={proveAt} takesFocus={problem === unproved} />}
      <p className="note">Card, Apple Pay or Google Pay. Stripe processes the payment.</p>
      <p role="status" className="unseen">
        {starting !== undefined && 'Processing...'}
      </p>
    </section>
  );
}

const whyNot = (room: number) =>
  room > 0
    ? `You can add up to ${countOf(room, 'more entry', 'more entries')} this month.`
    : 'You have all the entries that one person can add in a month.';

/** In the place of the buttons, of which one may have had the focus. */
function ProveFirst({ path, takesFocus }: { path: string; takesFocus: boolean }) {
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (takesFocus) words.current?.focus();
  }, [takesFocus]);
  return (
    <div className="prove">
      <p ref={words} tabIndex={-1}>
        {unproved.sentence}
      </p>
      <a className="button" href={path}>
        Enter your number
      </a>
    </div>
  );
}

function PackageCard({ pack, isFirst }: { pack: Package; isFirst: boolean }) {
  const { id, name, description, entries, price, isPopular } = pack;
  return (
    <>
      <div className="pack-head">
        <PackageIcon isMega={name.toLowerCase().includes('mega')} isFirst={isFirst} />
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

import { Ended } from '../../ui/Ended';
import { PageFrame } from '../../ui/PageFrame';
import { PrizeList } from '../../ui/PrizeList';
import { WayBack } from '../../ui/WayBack';
import { NextDrawing } from '../../ui/NextDrawing';
import type { KitItem, Raffle } from '../../../themes/types';

/** What the page shows: the example of a larger package, or the kit. */
export interface Package {
  /** The page's h1. */
  thanks: string;
  name: string;
  description: string;
  prizes: KitItem[];
  totalValue: string;
  /** The drawing date that the page shows: `12-31`, and in words. Without it, it is the next drawing. */
  drawing?: { day: string; words: string } | undefined;
}

interface Props {
  raffle: Raffle;
  /** As SVG. */
  scene: string;
  planter: Package;
}

/** Where the links in our texts lead. Plain HTML: click.ts is all that runs in it. */
export function PlanterPage({ raffle, scene, planter }: Props) {
  return (
    <PageFrame aside={<WayBack />}>
      <div className="ticket">
        <section className="ticket-body">
          <p className="ribbon">
            {raffle.isOpen ? 'Free Raffle, No Purchase Required' : 'This raffle has ended'}
          </p>
          <div className="scene" dangerouslySetInnerHTML={{ __html: scene }} />
          <div className="pitch">
            <h1 tabIndex={-1}>{planter.thanks}</h1>
            <p className="lead">{planter.description}</p>
            <dl className="facts dated">
              <div>
                <dt>Total value</dt>
                <dd className="figure">{planter.totalValue}</dd>
              </div>
              {raffle.isOpen && <DrawingDate drawing={planter.drawing} />}
            </dl>
          </div>
        </section>
        <section className="ticket-stub" aria-labelledby="stub-title">
          {raffle.isOpen ? (
            <>
              <h2 id="stub-title">Good Luck!</h2>
              <Entry raffle={raffle} isExample={planter.drawing !== undefined} />
            </>
          ) : (
            <Ended raffle={raffle} titleId="stub-title" />
          )}
        </section>
      </div>
      <PrizeList
        title={`What's in the ${planter.name}`}
        items={planter.prizes}
        totalValue={planter.totalValue}
      />
      {raffle.isOpen && <Details />}
    </PageFrame>
  );
}

function DrawingDate({ drawing }: Pick<Package, 'drawing'>) {
  return (
    <div>
      <dt>Drawing date</dt>
      {drawing ? (
        <dd className="figure date" data-yearly={drawing.day}>
          {drawing.words}
        </dd>
      ) : (
        <dd className="figure">
          <NextDrawing />
        </dd>
      )}
    </div>
  );
}

/**
 * What is said to those who are in and to those who are not lies in the same place, and click.ts shows one of
 * them: nothing moves when the answer arrives.
 */
function Entry({ raffle, isExample }: { raffle: Raffle; isExample: boolean }) {
  return (
    <div className="entry" data-entry="asked">
      <div className="either" role="status">
        <div className="if-in">
          <p className="confirmed">Your entry is confirmed</p>
          <p>You are in the {raffle.name} raffle with every entry you have there.</p>
        </div>
        <div className="if-out">
          <p className="confirmed">Entering is free</p>
          <p>Enter the {raffle.name} raffle with your phone number. Every month, one entry wins.</p>
        </div>
      </div>
      <a className="button" href={`/${raffle.key}`}>
        <span className="either">
          <span className="if-in">Go to the raffle</span>
          <span className="if-out">Enter the raffle free</span>
        </span>
      </a>
      {isExample ? (
        <p className="note">
          No purchase is necessary. This package is an example. It is a prize only if we announce a
          drawing for it: see the <a href="/rules#packages">official rules</a>.
        </p>
      ) : (
        <p className="note">
          No purchase is necessary. See the <a href="/rules">official rules</a>.
        </p>
      )}
    </div>
  );
}

function Details() {
  return (
    <section className="steps" aria-labelledby="details-title">
      <h2 id="details-title">Good to know</h2>
      <ul className="details">
        <li>
          <h3>Winner contacted by phone</h3>
          <p>At the number they entered with. We never ask a winner for money or card details.</p>
        </li>
        <li>
          <h3>Free shipping</h3>
          <p>To any address in the United States. It costs the winner nothing.</p>
        </li>
        <li>
          <h3>Must be 18+</h3>
          <p>You can enter and win if you are at least 18 years old.</p>
        </li>
      </ul>
    </section>
  );
}

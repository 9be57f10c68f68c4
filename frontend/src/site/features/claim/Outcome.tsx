import { dayInWords } from '../../lib/moments';
import type { Claim } from './api';

/** `canText`: the number takes our texts. */
export function Submitted({ canText }: { canText: boolean }) {
  return (
    <p>
      Someone will check them against the <a href="/rules">official rules</a>
      {canText && ' and text you'}. The answer will be on this page{canText && ', too'}. You don't
      have to do anything else.
    </p>
  );
}

export function Verified() {
  return (
    <p>
      We'll send your prize to the address you gave us. Shipping is free. Moving? Tell us through
      the <a href="/contact">contact page</a>.
    </p>
  );
}

/** `shipment`: `null` in a browser that did not claim the prize. */
export function Shipped({ shipment }: Pick<Claim, 'shipment'>) {
  if (!shipment) {
    return (
      <p>
        It goes to the address you gave us. The tracking number is on this page in the browser in
        which you claimed the prize.
      </p>
    );
  }
  const { carrier, trackingNumber, trackingUrl, shippedAt } = shipment;
  return (
    <>
      <p>
        We sent it to the address you gave us on{' '}
        <time dateTime={shippedAt}>{dayInWords(shippedAt)}</time>. If it doesn't arrive, write to us
        through the <a href="/contact">contact page</a>.
      </p>
      <dl className="facts">
        <div>
          <dt>Carrier</dt>
          <dd>{carrier}</dd>
        </div>
        <div>
          <dt>Tracking number</dt>
          <dd className="tracking-number">{trackingNumber}</dd>
        </div>
      </dl>
      {trackingUrl && (
        <a className="button" href={trackingUrl} rel="noreferrer">
          Track your prize
        </a>
      )}
    </>
  );
}

export function Delivered() {
  return (
    <p>
      It went to the address you gave us. If something is missing or broken, write to us through the{' '}
      <a href="/contact">contact page</a>.
    </p>
  );
}

const endings = {
  declined: 'Thank you for telling us. The prize goes to the next entry that was drawn.',
  expired:
    'Nobody claimed the prize within the 14 days, so it goes to the next entry that was drawn.',
  unreachable:
    'We could not text you, and called you on three days. The prize goes to the next entry that was drawn.',
};

export function Ended({ status }: { status: keyof typeof endings }) {
  return (
    <>
      <p>{endings[status]}</p>
      <p>
        If you think that this is a mistake, write to us through the{' '}
        <a href="/contact">contact page</a>.
      </p>
    </>
  );
}

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

export function Verified({ isDelivered }: { isDelivered: boolean }) {
  return isDelivered ? (
    <p>
      It went to the address you gave us. If something is missing or broken, write to us through the{' '}
      <a href="/contact">contact page</a>.
    </p>
  ) : (
    <p>
      We'll send your prize to the address you gave us. Shipping is free. Moving? Tell us through
      the <a href="/contact">contact page</a>.
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

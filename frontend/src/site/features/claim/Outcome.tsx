export function Submitted() {
  return (
    <>
      <p>
        A person checks them against the <a href="/rules">official rules</a>. The answer will be on
        this page. You don’t have to do anything else.
      </p>
      <p>The deadline no longer applies to you.</p>
    </>
  );
}

export function Verified({ isDelivered }: { isDelivered: boolean }) {
  return isDelivered ? (
    <p>
      It went to the address that you gave us. If something is missing or broken, write to us
      through the <a href="/contact">contact page</a>.
    </p>
  ) : (
    <p>
      We send the prize to the address that you gave us. Shipping is free. If the address changes,
      write to us through the <a href="/contact">contact page</a>.
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

interface Props {
  /** Until the server takes the request; 0 means now. */
  secondsLeft: number;
  sending: boolean;
  resend: () => Promise<void>;
}

/** Counts down, then becomes the button that sends another code. */
export function SendAgain({ secondsLeft, sending, resend }: Props) {
  if (secondsLeft > 0) {
    // A new element each second: one that a page translator has taken over would never change again.
    return (
      <p className="code-wait">
        Send again in <span key={secondsLeft}>{secondsLeft}</span>&nbsp;s
      </p>
    );
  }
  return (
    <button
      type="button"
      className="button quiet"
      aria-disabled={sending}
      onClick={() => void resend()}
    >
      {sending ? 'Sending...' : 'Send again'}
    </button>
  );
}

interface Props {
  /** Until the server takes the request; 0 means now. */
  secondsLeft: number;
  sending: boolean;
  resend: () => Promise<void>;
}

/** Counts down, then becomes the button that sends another code. */
export function SendAgain({ secondsLeft, sending, resend }: Props) {
  if (secondsLeft > 0) {
    return <p className="code-wait">Send again in {secondsLeft}&nbsp;s</p>;
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

import { useState } from 'react';
import { Button } from './Button';

interface Props {
  text: string;
  /** What is copied, for people who hear the button: 'the link'. */
  what: string;
}

/** Puts a text on the clipboard, and says whether it did. */
export function CopyButton({ text, what }: Props) {
  const [outcome, setOutcome] = useState<string>();

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied.');
    } catch {
      setOutcome('Could not copy. Select it and copy it yourself.'); // not allowed, or no https
    }
  }

  return (
    <span className="copy">
      <Button onClick={() => void copy()}>
        Copy <span className="unseen">{what}</span>
      </Button>
      <span className="quiet-text" role="status">
        {outcome}
      </span>
    </span>
  );
}

/** A text to hand on, such as a link: selected as a whole when it is focused, and with a button to copy it. */
export function CopyField({ text, what, label }: Props & { label: string }) {
  return (
    <div className="copy-field">
      <input
        className="code"
        readOnly
        aria-label={label}
        value={text}
        onFocus={(event) => event.target.select()}
      />
      <CopyButton text={text} what={what} />
    </div>
  );
}

import { useEffect, useRef } from 'react';
import { siteName } from '../../../shared/lib/siteName';
import { useUnsavedChanges } from '../../form/unsavedChanges';
import { saveFile } from '../../lib/saveFile';
import { Button } from '../../ui/Button';
import { CopyButton } from '../../ui/CopyButton';

interface Props {
  codes: string[];
  onSaved: () => void;
}

/** Shown once: whoever leaves before saving them is asked. */
export function RecoveryCodes({ codes, onSaved }: Props) {
  const part = useRef<HTMLParagraphElement>(null);
  useEffect(() => part.current?.focus(), []); // the form before is gone
  useUnsavedChanges(true);
  const text = codes.join('\n');
  const download = () =>
    saveFile(
      'tombola-recovery-codes.txt',
      `${siteName}: recovery codes\n\n${text}\n`,
      'text/plain',
    );
  return (
    <div className="set-up-form">
      <p ref={part} tabIndex={-1}>
        The second factor is on. Save these recovery codes where you find them without your phone.
        Each logs you in once. They are not shown again.
      </p>
      <ul className="recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code} className="code">
            {code}
          </li>
        ))}
      </ul>
      <div className="actions">
        <CopyButton text={text} what="the recovery codes" />
        <Button onClick={download}>Download</Button>
      </div>
      <div>
        <Button variant="primary" onClick={onSaved}>
          I have saved them
        </Button>
      </div>
    </div>
  );
}

import { useState, type InputHTMLAttributes } from 'react';
import { Button } from './Button';
import { Field } from './Field';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string;
  error: string | undefined;
  /** Tells password managers whether to fill in or to suggest one. */
  autoComplete: 'current-password' | 'new-password';
}

/** A password that can be looked at while it is typed. Pasting works, for those who keep them in a manager. */
export function PasswordField({ label, hint, error, ...input }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} error={error} {...(hint !== undefined && { hint })}>
      {(control) => (
        <span className="password">
          <input
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            required
            {...input}
          />
          <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            Show <span className="unseen">{label.toLowerCase()}</span>
          </Button>
        </span>
      )}
    </Field>
  );
}

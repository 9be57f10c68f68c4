import type { InputHTMLAttributes } from 'react';
import { Field } from './Field';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label?: string;
  hint?: string;
  error: string | undefined;
}

/** The six digits that an authenticator app shows. Browsers and password managers may fill them in. */
export function CodeField({ label = '6-digit code', hint, error, ...input }: Props) {
  return (
    <Field label={label} error={error} {...(hint !== undefined && { hint })}>
      {(control) => (
        <input
          {...control}
          className="code-input"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={32} // room for what is pasted with spaces
          required
          {...input}
        />
      )}
    </Field>
  );
}

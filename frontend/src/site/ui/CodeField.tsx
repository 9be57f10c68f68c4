import type { CodeFormState } from '../lib/useCodeForm';

interface Props {
  field: CodeFormState['field'];
  error: string | undefined;
  /** The id of the sentence that says where the code was sent. */
  sentId: string;
}

/** Where the code of a text is typed, or put by the system. */
export function CodeField({ field, error, sentId }: Props) {
  return (
    <div className="field">
      <label htmlFor="code">6-digit code</label>
      <input
        id="code"
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        required
        aria-invalid={error !== undefined}
        aria-describedby={error ? `code-error ${sentId}` : sentId}
        {...field}
      />
      {error && (
        <p className="field-error" id="code-error">
          {error}
        </p>
      )}
    </div>
  );
}

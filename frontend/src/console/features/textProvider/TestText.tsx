import type { SubmitEvent } from 'react';
import { asApiError } from '../../../shared/api/apiError';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { isFinal, whatHappened } from './testTextWords';
import { useTestText } from './useTestText';

/** Whether texts arrive is seen on a phone: this sends one, and says what becomes of it. */
export function TestText() {
  const { register, errors, pending, problem, save, text, waits, lookUpError } = useTestText();

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save();
  };

  return (
    <form className="provider-form" onSubmit={submit} noValidate aria-label="Send a test text">
      <Field
        label="Number to try"
        hint="Yours, say. The text goes out in quiet hours too."
        error={errors.phoneNumber?.message}
      >
        {(props) => (
          <input {...props} type="tel" autoComplete="tel" required {...register('phoneNumber')} />
        )}
      </Field>
      <div role="alert" className="problem">
        {problem}
      </div>
      <div className="actions">
        <Button type="submit" busy={pending}>
          {pending ? 'Sending...' : 'Send a test text'}
        </Button>
      </div>
      <div className="provider-outcome" role="status">
        {text && <p>{whatHappened(text)}</p>}
        {text && !waits && !isFinal(text) && (
          <p className="quiet-text">
            That is all that is known after two minutes. Look at the phone; a provider can report
            only to a site that it can reach.
          </p>
        )}
        {lookUpError !== undefined && (
          <p className="stale">Could not ask again. {asApiError(lookUpError).sentence}</p>
        )}
      </div>
    </form>
  );
}

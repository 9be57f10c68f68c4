import { asApiError } from '../../../shared/api/apiError';
import { Field } from '../Field';
import { FormActions } from '../FormActions';
import { isFinal, whatHappened } from './testTextWords';
import { useTestText } from './useTestText';

interface Props {
  /** The template whose text is sent; without it, the words of a test. */
  templateId?: number;
  onClose?: () => void;
}

/** Sends a test text to a phone, and shows its status. */
export function TestText({ templateId, onClose }: Props) {
  const { register, errors, isSubmitting, problem, submit, text, waits, lookUpError } =
    useTestText(templateId);

  return (
    <form className="provider-form" onSubmit={submit} noValidate aria-label="Send a test text">
      <Field
        label="Number to try"
        hint="For example, your own. The text goes out in quiet hours too."
        error={errors.phoneNumber?.message}
      >
        {(props) => (
          <input {...props} type="tel" autoComplete="tel" required {...register('phoneNumber')} />
        )}
      </Field>
      <FormActions
        submitLabel={isSubmitting ? 'Sending...' : 'Send a test text'}
        busy={isSubmitting}
        problem={problem}
        variant="secondary"
        {...(onClose && { onCancel: onClose })}
      />
      <div className="provider-outcome" role="status">
        {text && <p>{whatHappened(text)}</p>}
        {text && !waits && !isFinal(text) && (
          <p className="quiet-text">
            No delivery report after two minutes. Check the phone. A provider can report only to a
            site it can reach.
          </p>
        )}
        {lookUpError !== undefined && (
          <p className="stale">Could not check again. {asApiError(lookUpError).sentence}</p>
        )}
      </div>
    </form>
  );
}

import { useAppForm } from '../../../shared/form/useAppForm';
import { messageRules } from '../../lib/messageRules';
import { momentInWords } from '../../lib/moments';
import { MessageField } from '../../ui/MessageField';
import type { Act } from './useClaim';
import { sentenceOf } from '../../lib/sentenceOf';

interface Props {
  until: string;
  act: Act;
}

/** Tells staff why they are wrong, once. What was typed stays until it is sent. */
export function ObjectionForm({ until, act }: Props) {
  const { register, control, errors, isSubmitting, problem, submit } = useAppForm<{
    message: string;
  }>({
    defaultValues: { message: '' },
    send: ({ message }) => act('object', { message: message.trim() }),
    explain: sentenceOf,
  });
  return (
    <form onSubmit={submit} noValidate aria-label="Objection">
      <p id="objection-hint">
        If we are wrong, tell us by {momentInWords(until)}. You can do this once. A person reads it,
        and until then the prize goes to nobody else.
      </p>
      <MessageField
        id="objection"
        field={register('message', messageRules.message)}
        control={control}
        error={errors.message?.message}
      />
      <div role="alert" className="problem">
        {problem}
      </div>
      <button type="submit" className="button" aria-disabled={isSubmitting}>
        {isSubmitting ? 'Sending...' : 'Send objection'}
      </button>
    </form>
  );
}

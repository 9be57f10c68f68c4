import { messageRules } from '../../lib/messageRules';
import { MessageField } from '../../ui/MessageField';
import { useAppeal } from './useAppeal';

interface Props {
  id: number;
  /** Nothing was answered to the entrant before. */
  isFirst: boolean;
  refetch: () => unknown;
  onType: () => void;
}

/** Tells staff why the entries should count. What was typed stays until it is sent. */
export function AppealForm({ id, isFirst, refetch, onType }: Props) {
  const { register, control, errors, isSubmitting, problem, submit } = useAppeal(id, refetch);
  return (
    <form onSubmit={submit} noValidate aria-label="Appeal">
      <p id="appeal-hint">
        {isFirst
          ? "They aren't in the drawing for now. If we got this wrong, tell us: a person will read it and reply here."
          : 'If there is more that we should know, you can write to us again.'}
      </p>
      <MessageField
        id="appeal"
        field={register('message', messageRules.message)}
        control={control}
        error={errors.message?.message}
        onType={onType}
      />
      <div role="alert" className="problem">
        {problem}
      </div>
      <button type="submit" className="button" aria-disabled={isSubmitting}>
        {isSubmitting ? 'Sending...' : 'Send message'}
      </button>
    </form>
  );
}

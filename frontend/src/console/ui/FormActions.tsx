import { Button } from './Button';

interface Props {
  /** Names the act. */
  submitLabel: string;
  /** The act is under way. */
  busy: boolean;
  /** Why it failed. */
  problem: string | undefined;
  variant?: 'primary' | 'secondary';
  onCancel?: () => void;
}

/** The end of a form on a page: why it could not be sent, and its buttons. */
export function FormActions(props: Props) {
  const { submitLabel, busy, problem, variant = 'primary', onCancel } = props;
  return (
    <>
      <div role="alert" className="problem">
        {problem}
      </div>
      <div className="actions">
        <Button type="submit" variant={variant} busy={busy}>
          {submitLabel}
        </Button>
        {onCancel && (
          <Button onClick={onCancel} busy={busy}>
            Cancel
          </Button>
        )}
      </div>
    </>
  );
}

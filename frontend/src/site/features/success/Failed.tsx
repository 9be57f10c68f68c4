import { asApiError } from '../../../shared/api/apiError';

interface Props {
  error: unknown;
  onRetry: () => void;
}

/** Says why something is missing, and asks for it again. */
export function Failed({ error, onRetry }: Props) {
  return (
    <div className="card failed" role="alert">
      <p>{asApiError(error).sentence}</p>
      <button type="button" className="button quiet" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

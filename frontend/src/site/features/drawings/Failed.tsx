import { sentenceOf } from './words';

interface Props {
  error: unknown;
  onRetry: () => void;
}

export function Failed({ error, onRetry }: Props) {
  return (
    <div className="failed" role="alert">
      <p>{sentenceOf(error)}</p>
      <button type="button" className="button quiet" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

import { useRunFraudDetectionMutation } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { Button } from '../../ui/Button';
import { useToast } from '../../../shared/ui/toast/useToast';

export function FraudDetection() {
  const [run, { data, isLoading, isError }] = useRunFraudDetectionMutation();
  const toast = useToast();

  async function detect() {
    const { error } = await run();
    if (error) return;
    const description = 'Suspicious accounts have been flagged';
    toast({ title: 'Fraud detection completed', description });
  }

  return (
    <>
      <p className={isError ? 'stale' : 'quiet-text'} role="status">
        {isError && 'Fraud detection did not run. Try again.'}
        {data && resultOf(data.flagged)}
      </p>
      <Button variant="primary" busy={isLoading} onClick={() => void detect()}>
        {isLoading ? 'Running...' : 'Run Fraud Detection'}
      </Button>
    </>
  );
}

function resultOf(flagged: number): string {
  if (flagged === 0) return 'No new accounts were flagged.';
  return flagged === 1
    ? '1 new account was flagged.'
    : `${formatCount(flagged)} new accounts were flagged.`;
}

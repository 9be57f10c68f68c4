import { useAppForm } from '../../../shared/form/useAppForm';
import { sentenceOf } from '../../lib/sentenceOf';
import { useBringRoundMutation } from './api';
import type { Proof } from './verification/proof';

interface Values {
  signature: string;
}

interface Props {
  proof: Proof;
  onDrawn: () => void;
}

const SIGNATURE = {
  required: 'Enter the signature.',
  pattern: {
    value: /^\s*[0-9a-f]{96}\s*$/,
    message: 'A signature has 96 digits and letters from a to f.',
  },
};

/** Anybody may bring the round that a drawing waits for. Loaded when it is opened. */
export default function BringRound({ proof, onDrawn }: Props) {
  const { chainHash, round } = proof.beacon;
  const [bring] = useBringRoundMutation();
  const { register, errors, problem, isSubmitting, submit } = useAppForm<Values>({
    defaultValues: { signature: '' },
    send: async ({ signature }) => {
      const beaconBody = { round, signature: signature.trim() };
      await bring({ id: proof.drawing, beaconBody }).unwrap();
      onDrawn();
    },
    explain: sentenceOf,
  });
  const answer = `https://api.drand.sh/${chainHash}/public/${round}`;
  return (
    <form onSubmit={submit} noValidate aria-label="Bring the random value">
      <p>
        The servers of the beacon publish it as the “signature” of round{' '}
        {round.toLocaleString('en-US')}, such as{' '}
        <a href={answer} rel="noreferrer">
          api.drand.sh
        </a>
        . We verify it, so it does not matter who brings it.
        {proof.status === 'void' &&
          ' This drawing is drawn after all then, unless the next one is sealed already.'}
      </p>
      <label className="field">
        <span className="label">Signature</span>
        <input
          autoComplete="off"
          spellCheck={false}
          aria-invalid={errors.signature !== undefined}
          aria-describedby="signature-problem"
          {...register('signature', SIGNATURE)}
        />
      </label>
      <div role="alert" className="problem" id="signature-problem">
        {errors.signature?.message ?? problem}
      </div>
      <button type="submit" className="button" aria-disabled={isSubmitting}>
        {isSubmitting ? 'Bringing...' : 'Bring it'}
      </button>
    </form>
  );
}

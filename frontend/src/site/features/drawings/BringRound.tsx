import { useAppForm } from '../../../shared/form/useAppForm';
import { sentenceOf } from '../../lib/sentenceOf';
import { useBringRoundMutation } from './api';
import { quicknet } from './verification/chain';
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

/** The form that brings a round. Loaded only where one is missing. */
export function BringRound({ proof, onDrawn }: Props) {
  return (
    <section className="card" aria-labelledby="missing-round">
      <h2 id="missing-round">The random value is missing</h2>
      <p>
        {proof.status === 'void'
          ? 'Our server does not ask for it anymore. Anybody can bring it: this drawing is drawn after all then, unless the next one is sealed already.'
          : 'Our server asks for it at least every 30 seconds. Anybody else can bring it, too.'}
      </p>
      <RoundForm proof={proof} onDrawn={onDrawn} />
    </section>
  );
}

function RoundForm({ proof, onDrawn }: Props) {
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
  return (
    <form onSubmit={submit} noValidate aria-label="Bring the random value">
      <p>
        It is the “signature” of round {round.toLocaleString('en-US')}, which the servers of the
        beacon publish
        {chainHash === quicknet.chainHash && (
          <>
            , such as{' '}
            <a href={`https://api.drand.sh/${chainHash}/public/${round}`} rel="noreferrer">
              api.drand.sh
            </a>
          </>
        )}
        . We verify it, so it does not matter who brings it.
      </p>
      <div className="field">
        <label htmlFor="signature">Signature</label>
        <input
          id="signature"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={errors.signature !== undefined}
          aria-describedby="signature-problem"
          {...register('signature', SIGNATURE)}
        />
      </div>
      <div role="alert" className="problem" id="signature-problem">
        {errors.signature?.message ?? problem}
      </div>
      <button type="submit" className="button" aria-disabled={isSubmitting}>
        {isSubmitting ? 'Bringing...' : 'Bring it'}
      </button>
    </form>
  );
}

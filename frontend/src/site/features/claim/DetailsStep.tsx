import { useState } from 'react';
import { DeclineDialog } from './DeclineDialog';
import { DetailsForm } from './DetailsForm';
import type { Act } from './useClaim';

/** Who the winner is and where the prize goes; or no, thank you. */
export function DetailsStep({ token, act }: { token: string; act: Act }) {
  const [isDeclining, setDeclining] = useState(false);
  return (
    <>
      <DetailsForm token={token} act={act} />
      <p className="note">Don't want it? We'll offer it to the next entry drawn.</p>
      <button type="button" className="button quiet" onClick={() => setDeclining(true)}>
        Decline the prize
      </button>
      {isDeclining && <DeclineDialog act={act} onClose={() => setDeclining(false)} />}
    </>
  );
}

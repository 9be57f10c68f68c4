import type { ComponentProps } from 'react';
import type { LandingPageView } from '../api/admin';
import { raffleNames } from '../lib/raffles';

interface Props extends ComponentProps<'select'> {
  /** The first option, which is no raffle. */
  none?: string;
  /** Stands behind a raffle's name. */
  noteOf?: (raffle: LandingPageView) => string | undefined;
  isDisabled?: (raffle: LandingPageView) => boolean;
}

/** A select of the raffles, in the order in which they are always listed. */
export function RaffleSelect({ none, noteOf, isDisabled, ...select }: Props) {
  return (
    <select {...select}>
      {none !== undefined && <option value="">{none}</option>}
      {Object.entries(raffleNames()).map(([raffle, name]) => {
        const note = noteOf?.(raffle);
        return (
          <option key={raffle} value={raffle} disabled={isDisabled?.(raffle)}>
            {note === undefined ? name : `${name} (${note})`}
          </option>
        );
      })}
    </select>
  );
}

import { useEffect, useRef, useState, type RefObject } from 'react';
import type { DrawingView } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';
import { NewTabLink } from '../../ui/NewTabLink';
import { useToast } from '../../../shared/ui/toast/useToast';
import { Drum } from './Drum';

/** The drum turns for a moment, unless a click or a key stops it, and out comes the ticket that won. */
export function Reveal({ drawing }: { drawing: DrawingView }) {
  const region = useRef<HTMLElement>(null);
  const isTurning = useTurning(region, drawing);
  useEffect(() => region.current?.focus(), []);
  return (
    <section
      ref={region}
      tabIndex={-1}
      className="reveal"
      aria-label="Result of the drawing"
      data-turning={isTurning}
    >
      <Drum />
      {isTurning ? (
        <p className="turning quiet-text">Turning the drum...</p>
      ) : (
        <WinningTicket drawing={drawing} />
      )}
    </section>
  );
}

function WinningTicket({ drawing }: { drawing: DrawingView }) {
  const { id, landingPage } = drawing;
  const { winningEntryNumber, totalEntries, winnerPhoneNumber } = resultOf(drawing);
  return (
    <div className="winning-ticket">
      <div>
        <p className="quiet-text">Winner of {raffleName(landingPage)}</p>
        <p className="winning-number">Entry #{formatCount(winningEntryNumber)}</p>
        <p className="quiet-text">
          of {formatCount(totalEntries)} {totalEntries === 1 ? 'entry' : 'entries'}
        </p>
      </div>
      <div>
        <p className="winning-phone">{maskPhone(winnerPhoneNumber)}</p>
        <NewTabLink href={`/drawings/${id}`}>See the proof</NewTabLink>
      </div>
    </div>
  );
}

/** True until the drum stands: at once where motion is reduced. Then, or when the screen is left, a toast says who won. */
function useTurning(region: RefObject<HTMLElement | null>, drawing: DrawingView): boolean {
  const [isTurning, setTurning] = useState(true);
  const toast = useToast();
  useEffect(() => {
    const running = region.current?.getAnimations?.({ subtree: true }) ?? [];
    const skip = (event: Event) => {
      const isHeld = event instanceof KeyboardEvent && event.repeat; // the key that confirmed
      if (!isHeld) running.forEach((animation) => animation.finish());
    };
    const listen = (change: 'addEventListener' | 'removeEventListener') => {
      for (const type of ['keydown', 'pointerdown']) document[change](type, skip);
    };
    listen('addEventListener');
    void Promise.allSettled(running.map(({ finished }) => finished)).then(() => {
      listen('removeEventListener');
      setTurning(false);
      toast(announcement(drawing));
    });
  }, [region, drawing, toast]);
  return isTurning;
}

function announcement(drawing: DrawingView) {
  const { winnerPhoneNumber, winningEntryNumber } = resultOf(drawing);
  return {
    title: 'Drawing Complete!',
    description: `Winner selected: ${winnerPhoneNumber.slice(-4)} (Entry #${formatCount(winningEntryNumber)})`,
  };
}

/** A drawing that is drawn has all of this. */
const resultOf = ({ winnerPhoneNumber, winningEntryNumber, totalEntries }: DrawingView) => ({
  winnerPhoneNumber: winnerPhoneNumber ?? '',
  winningEntryNumber: winningEntryNumber ?? 0,
  totalEntries: totalEntries ?? 0,
});

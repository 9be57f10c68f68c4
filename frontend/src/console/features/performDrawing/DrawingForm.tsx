import { useRef, useState, type SubmitEvent } from 'react';
import {
  usePerformDrawingMutation,
  type DrawingView,
  type RaffleStatisticsView,
} from '../../api/admin';
import { asApiError } from '../../../shared/api/apiError';
import { newEventId } from '../../../shared/lib/eventId';
import { formatCount } from '../../../shared/lib/format';
import { raffleNames } from '../../../shared/lib/raffleNames';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { useToast } from '../../../shared/ui/toast/useToast';
import { ConfirmDrawing } from './ConfirmDrawing';
import { RaffleFacts } from './RaffleFacts';

interface Props {
  raffles: RaffleStatisticsView[];
  /** Before somebody decides, the figures should be the newest. */
  onAsk: () => void;
  onDrawn: (drawing: DrawingView) => void;
}

/** Which raffle, then whether really, then the drawing. */
export function DrawingForm({ raffles, onAsk, onDrawn }: Props) {
  const [chosen, setChosen] = useState('');
  const [missed, setMissed] = useState(false);
  // One for each opened dialog: pressing again, or trying again in it, cannot draw a second winner.
  const [idempotencyKey, setIdempotencyKey] = useState<string>();
  const [perform, { isLoading, error, reset }] = usePerformDrawingMutation();
  const select = useRef<HTMLSelectElement>(null);
  const toast = useToast();
  const raffle = raffles.find(({ landingPage }) => landingPage === chosen);

  function ask(event: SubmitEvent) {
    event.preventDefault();
    setMissed(!raffle);
    if (!raffle) {
      toast({ title: 'Select Raffle', description: MISSED, tone: 'bad' });
      return select.current?.focus();
    }
    reset();
    setIdempotencyKey(newEventId());
    onAsk();
  }

  async function draw(landingPage: RaffleStatisticsView['landingPage'], key: string) {
    try {
      const drawing = await perform({
        performDrawingBody: { landingPage },
        'Idempotency-Key': key,
      }).unwrap();
      setIdempotencyKey(undefined);
      setChosen('');
      onDrawn(drawing);
    } catch (failure) {
      const { serverSentence = 'Failed to perform drawing' } = asApiError(failure);
      toast({ title: 'Drawing Failed', description: serverSentence, tone: 'bad' });
    }
  }

  return (
    <>
      <form className="draw" onSubmit={ask} noValidate>
        <Field label="Raffle" error={missed && !raffle ? MISSED : undefined}>
          {(control) => (
            <select
              {...control}
              ref={select}
              value={chosen}
              onChange={(event) => setChosen(event.target.value)}
            >
              <option value="">Choose a raffle</option>
              {raffles.map(({ landingPage, users }) => (
                <option key={landingPage} value={landingPage} disabled={users === 0}>
                  {raffleNames[landingPage]} ({participants(users)})
                </option>
              ))}
            </select>
          )}
        </Field>
        {raffle && <RaffleFacts raffle={raffle} />}
        {raffles.every(({ users }) => users === 0) && (
          <p className="quiet-text">
            Nobody can be drawn yet: no raffle has participants. Whoever enters is counted here.
          </p>
        )}
        <Button type="submit" variant="primary" busy={isLoading}>
          {isLoading ? 'Drawing...' : 'Draw Winner'}
        </Button>
      </form>
      {raffle && idempotencyKey !== undefined && (
        <ConfirmDrawing
          raffle={raffle}
          isDrawing={isLoading}
          error={error}
          onConfirm={() => void draw(raffle.landingPage, idempotencyKey)}
          onClose={() => setIdempotencyKey(undefined)}
        />
      )}
    </>
  );
}

const MISSED = 'Please select a landing page/raffle to draw from';

const participants = (users: number) =>
  `${formatCount(users)} ${users === 1 ? 'participant' : 'participants'}`;

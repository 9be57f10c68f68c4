import { useWatch } from 'react-hook-form';
import type { DrawingView, LandingPageView, RaffleStatisticsView } from '../../api/admin';
import { countOf } from '../../../shared/lib/format';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { RaffleSelect } from '../../ui/RaffleSelect';
import { ConfirmDrawing } from './ConfirmDrawing';
import { RaffleFacts } from './RaffleFacts';
import { useDrawingForm } from './useDrawingForm';

interface Props {
  raffles: RaffleStatisticsView[];
  onAsk: () => void;
  onDrawn: (drawing: DrawingView) => void;
}

/** Chooses a raffle, asks for confirmation, then draws. */
export function DrawingForm({ raffles, onAsk, onDrawn }: Props) {
  const form = useDrawingForm({ onAsk, onDrawn });
  const { register, control, errors, problem, submit, isDrawing } = form;
  const chosen = useWatch({ control, name: 'landingPage' });
  const raffle = raffles.find(({ landingPage }) => landingPage === chosen);
  const usersOf = (key: LandingPageView) =>
    raffles.find(({ landingPage }) => landingPage === key)?.users ?? 0;

  return (
    <>
      <form className="draw" onSubmit={submit} noValidate>
        <Field label="Raffle" error={errors.landingPage?.message}>
          {(props) => (
            <RaffleSelect
              {...props}
              none="Choose a raffle"
              noteOf={(key) => countOf(usersOf(key), 'participant')}
              isDisabled={(key) => usersOf(key) === 0}
              {...register('landingPage')}
            />
          )}
        </Field>
        {raffle && <RaffleFacts raffle={raffle} />}
        {raffles.every(({ users }) => users === 0) && (
          <p className="quiet-text">
            There is nobody to draw yet: no raffle has participants. People who enter are counted
            here.
          </p>
        )}
        <div role="alert" className="problem">
          {problem}
        </div>
        <Button type="submit" variant="primary" busy={isDrawing}>
          {isDrawing ? 'Drawing...' : 'Draw Winner'}
        </Button>
      </form>
      {raffle && form.isAsking && (
        <ConfirmDrawing
          raffle={raffle}
          isDrawing={isDrawing}
          problem={form.drawProblem}
          onConfirm={() => form.draw(raffle.landingPage)}
          onClose={form.reconsider}
        />
      )}
    </>
  );
}
